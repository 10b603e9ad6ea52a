#include "instrumentation/catalog/header_comment.h"

#include <algorithm>
#include <string>

#include "core/trimmed.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace {

bool has_kernel_table(std::string_view comment) {
    while (!comment.empty()) {
        const std::size_t end = comment.find('\n');
        std::string_view line = trimmed(comment.substr(0, end));
        if (line.substr(0, 8) == "[kernel]") {
            line = trimmed(line.substr(8));
            if (line.empty() || line[0] == '#') return true;
        }
        if (end == std::string_view::npos) break;
        comment.remove_prefix(end + 1);
    }
    return false;
}

/// After the closing quote of the literal that opens at `at`; at the end of the line when it never closes.
std::size_t skip_literal(std::string_view source, std::size_t at) {
    const char quote = source[at++];
    while (at < source.size() && source[at] != '\n') {
        if (source[at] == '\\') {
            at += 2;
        } else if (source[at++] == quote) {
            break;
        }
    }
    return std::min(at, source.size());
}

/// After the raw string whose quote stands at `at`.
std::size_t skip_raw_string(std::string_view source, std::size_t at) {
    const std::size_t open = source.find('(', at);
    if (open == std::string_view::npos || open - at > 17)
        return at + 1;  // a delimiter has at most 16 letters
    std::string close(1, ')');
    close.append(source.substr(at + 1, open - at - 1)).push_back('"');
    const std::size_t end = source.find(close, open);
    return end == std::string_view::npos ? source.size() : end + close.size();
}

std::size_t skip_line_comment(std::string_view source, std::size_t at) {
    for (; at < source.size() && source[at] != '\n'; ++at) {
        if (source[at] == '\\' && at + 1 < source.size()) ++at;  // a continued line
    }
    return at;
}

}  // namespace

std::optional<HeaderComment> find_header_comment(std::string_view source) {
    std::size_t at = 0;
    while (at < source.size()) {
        const char c = source[at];
        const char next = at + 1 < source.size() ? source[at + 1] : '\0';
        if (c == '/' && next == '/') {
            at = skip_line_comment(source, at);
        } else if (c == '/' && next == '*') {
            const std::size_t end = source.find("*/", at + 2);
            if (end == std::string_view::npos) return std::nullopt;
            const std::string_view text = source.substr(at + 2, end - at - 2);
            if (has_kernel_table(text)) {
                const auto line = std::count(source.begin(), source.begin() + static_cast<long>(at), '\n');
                return HeaderComment{text, static_cast<int>(line) + 1};
            }
            at = end + 2;
        } else if (c == '"') {
            const bool raw = at > 0 && source[at - 1] == 'R';
            at = raw ? skip_raw_string(source, at) : skip_literal(source, at);
        } else if (c == '\'' && !(at > 0 && is_word(source[at - 1]))) {  // 1'000 is a number
            at = skip_literal(source, at);
        } else {
            ++at;
        }
    }
    return std::nullopt;
}

}  // namespace warplens::instrumentation
