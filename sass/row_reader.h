// Reads the text of the instruction table's columns from left to right; see sass/row_language.h for the
// language.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/number_text.h"
#include "sass/row_language.h"

namespace warplens::sass {

/// The words between separators; none is empty.
inline std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = text.find(at);
        if (end != 0) words.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return words;
}

struct Reader {
    std::string_view rest;

    bool take(char c) {
        if (rest.empty() || rest.front() != c) return false;
        rest.remove_prefix(1);
        return true;
    }
    bool take(std::string_view word) {
        if (!rest.starts_with(word)) return false;
        rest.remove_prefix(word.size());
        return true;
    }
    std::optional<unsigned> number() { return take_number<unsigned>(rest); }
    std::string_view word() {
        std::size_t end = 0;
        while (end < rest.size() && rest[end] != '@' && rest[end] != '?') ++end;
        const std::string_view name = rest.substr(0, end);
        rest.remove_prefix(end);
        return name;
    }
    /// "78" with a width that is known, or "76.1+80.1".
    std::optional<BitField> field(unsigned width) {
        BitField field;
        do {
            const auto first = number();
            if (!first || field.run_count == field.runs.size()) return std::nullopt;
            unsigned bits = width;
            if (take('.')) {
                const auto given = number();
                if (!given) return std::nullopt;
                bits = *given;
            }
            if (*first + bits > 128) return std::nullopt;
            field.runs[field.run_count++] = {static_cast<std::uint8_t>(*first),
                                             static_cast<std::uint8_t>(bits)};
        } while (take('+'));
        return field;
    }
    std::optional<std::vector<Condition>> conditions() {
        std::vector<Condition> all;
        while (take('?')) {
            const bool wanted = !take('!');
            const auto bit = number();
            if (!bit) return std::nullopt;
            all.push_back({static_cast<std::uint8_t>(*bit), wanted});
        }
        return all;
    }
};

}  // namespace warplens::sass
