#include "instrumentation/catalog/header_fields.h"

#include <algorithm>
#include <cmath>

#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {

bool contains(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_identifier(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && letter(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

const HeaderNode* HeaderFields::member(const HeaderNode& table, std::string_view key) {
    const HeaderNode::Table* members = table.table();
    if (!members) return nullptr;
    for (const auto& [name, node] : *members) {
        if (name == key) return &node;
    }
    return nullptr;
}

Status HeaderFields::known_keys(const HeaderNode& node, const std::string& where, const Names& known) const {
    if (!node.table()) return error_at(node, "{} must be a table with {}", where, listed(known));
    for (const auto& [key, value] : *node.table()) {
        if (contains(known, key)) continue;
        return error_at(value, "unknown key `{}` in {}{} (known: {})", key, where, did_you_mean(key, known),
                        listed(known));
    }
    return {};
}

Status HeaderFields::read_text(const HeaderNode& table, const char* key, std::string& into) const {
    const HeaderNode* const node = member(table, key);
    if (!node) return {};
    const auto* text = std::get_if<std::string>(&node->value);
    if (!text) return error_at(*node, "`{}` must be a text in quotes", key);
    into = *text;
    return {};
}

Status HeaderFields::read_choice(const HeaderNode& table, const char* key, const Names& allowed,
                                 std::string& into) const {
    WARPLENS_TRY(read_text(table, key, into));
    if (into.empty() || contains(allowed, into)) return {};
    return error_at(*member(table, key), "`{}` = \"{}\" is unknown{} (known: {})", key, into,
                    did_you_mean(into, allowed), listed(allowed));
}

Status HeaderFields::read_number(const HeaderNode& table, const char* key,
                                 std::optional<double>& into) const {
    const HeaderNode* const node = member(table, key);
    if (!node) return {};
    if (const auto* integer = std::get_if<std::int64_t>(&node->value)) {
        into = static_cast<double>(*integer);
    } else if (const auto* real = std::get_if<double>(&node->value); real && std::isfinite(*real)) {
        into = *real;
    } else {
        return error_at(*node, "`{}` must be a number", key);
    }
    return {};
}

Status HeaderFields::read_flag(const HeaderNode& table, const char* key, bool& into) const {
    const HeaderNode* const node = member(table, key);
    if (!node) return {};
    const auto* flag = std::get_if<bool>(&node->value);
    if (!flag) return error_at(*node, "`{}` must be true or false", key);
    into = *flag;
    return {};
}

Status HeaderFields::check_name(const std::string& name, const HeaderNode& node, const char* kind,
                                const KernelFile& kernel) const {
    if (!is_identifier(name)) {
        return error_at(node, "the {} name `{}` must be letters, digits and underscores", kind, name);
    }
    const auto same = [&](const auto& declared) { return declared.name == name; };
    if (std::ranges::any_of(kernel.parameters, same) || std::ranges::any_of(kernel.buffers, same) ||
        std::ranges::any_of(kernel.images, same)) {
        return error_at(node,
                        "`{}` is declared twice; parameters, buffers, textures and surfaces share their "
                        "names",
                        name);
    }
    if (contains(lua_function_names(), name)) {
        return error_at(node, "the {} name `{}` is taken by a function of the expressions", kind, name);
    }
    return {};
}

Status HeaderFields::as_expression(const HeaderNode& node, const char* what, std::string& into) {
    if (const auto* text = std::get_if<std::string>(&node.value)) {
        into = *text;
        if (const Status status = check_expression(syntax_, into); !status) {
            return error_at(node, "{}: {}", what, status.error().message);
        }
    } else if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
        into = std::to_string(*integer);
    } else if (const auto* real = std::get_if<double>(&node.value); real && std::isfinite(*real)) {
        into = to_string(Value{*real});
    } else {
        return error_at(node, "`{}` must be an expression in quotes, such as \"ceil_div(n, block)\"", what);
    }
    return {};
}

Status HeaderFields::read_expression(const HeaderNode& table, const char* key, std::string& into) {
    const HeaderNode* const node = member(table, key);
    return node ? as_expression(*node, key, into) : Status{};
}

Status HeaderFields::as_value(const HeaderNode& node, const char* what, Value& into) const {
    if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
        into = *integer;
    } else if (const auto* real = std::get_if<double>(&node.value); real && std::isfinite(*real)) {
        into = *real;
    } else if (const auto* word = std::get_if<std::string>(&node.value)) {
        into = *word;
    } else {
        return error_at(node, "`{}` must be an integer, a real number or a word in quotes", what);
    }
    return {};
}

}  // namespace warplens::instrumentation
