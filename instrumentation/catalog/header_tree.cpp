#include "instrumentation/catalog/header_tree.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace warplens::instrumentation {

namespace {

/// Each dot of a key opens a table, and tables are built, converted and destroyed by recursion. The library
/// bounds nested values, but not these.
constexpr int most_dots_in_key = 16;

/// Past the string that begins at `at`, quotes included; the end of the text for one that is not closed.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string three(3, quote);
    const bool is_long = text.substr(at, 3) == three;
    const std::string_view close = is_long ? std::string_view(three) : std::string_view(three).substr(2);
    for (std::size_t i = at + close.size(); i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') ++i;
        else if (!is_long && text[i] == '\n') return i;
        else if (text.substr(i, close.size()) == close) return i + close.size();
    }
    return text.size();
}

/// The 0-based line of the first key with too many dots; -1: none has.
int line_of_deep_key(std::string_view text) {
    int line = 0, dots = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            const std::size_t end = end_of_string(text, i);
            line += static_cast<int>(std::count(text.begin() + i, text.begin() + end, '\n'));
            i = end;
            continue;
        }
        if (c == '#') {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (c == '.' && ++dots > most_dots_in_key) return line;
        const bool is_in_key = c == '.' || c == ' ' || c == '\t' || c == '_' || c == '-' ||
                               std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (!is_in_key) dots = 0;
        line += c == '\n';
        ++i;
    }
    return -1;
}

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
    if (const int deep = line_of_deep_key(toml_text); deep >= 0)
        return fail("{}:{}: a key has more than {} dots", path, first_line + deep, most_dots_in_key);
    try {
        return converted(toml::parse(toml_text), line_offset);
    } catch (const toml::parse_error& error) {
        return fail("{}:{}: this is not valid TOML: {}", path,
                    static_cast<int>(error.source().begin.line) + line_offset, error.description());
    }
}

}  // namespace warplens::instrumentation
