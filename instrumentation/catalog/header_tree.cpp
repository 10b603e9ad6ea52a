#include "instrumentation/catalog/header_tree.h"

#include <toml++/toml.h>

#include <algorithm>

namespace warplens::instrumentation {

namespace {

HeaderNode converted(const toml::node& node, int line_offset) {
    HeaderNode result;
    result.line = static_cast<int>(node.source().begin.line) + line_offset;
    if (const auto* table = node.as_table()) {
        struct Member {
            toml::source_position at;
            std::string key;
            const toml::node* node;
        };
        std::vector<Member> members;
        for (const auto& [key, member] : *table) {
            members.push_back({member.source().begin, std::string(key.str()), &member});
        }
        std::stable_sort(members.begin(), members.end(),
                         [](const Member& a, const Member& b) { return a.at < b.at; });
        HeaderNode::Table converted_table;
        for (const Member& member : members) {
            converted_table.push_back({member.key, converted(*member.node, line_offset)});
        }
        result.value = std::move(converted_table);
    } else if (const auto* array = node.as_array()) {
        HeaderNode::Array converted_array;
        for (const toml::node& element : *array) converted_array.push_back(converted(element, line_offset));
        result.value = std::move(converted_array);
    } else if (const auto* text = node.as_string()) {
        result.value = text->get();
    } else if (const auto* integer = node.as_integer()) {
        result.value = integer->get();
    } else if (const auto* real = node.as_floating_point()) {
        result.value = real->get();
    } else if (const auto* boolean = node.as_boolean()) {
        result.value = boolean->get();
    }
    return result;
}

}  // namespace

Result<HeaderNode> parse_header_tree(std::string_view toml_text, const std::string& path, int first_line) {
    const int line_offset = first_line - 1;
    try {
        return converted(toml::parse(toml_text), line_offset);
    } catch (const toml::parse_error& error) {
        return fail("{}:{}: the kernel header is not valid TOML: {}", path,
                    static_cast<int>(error.source().begin.line) + line_offset, error.description());
    }
}

}  // namespace warplens::instrumentation
