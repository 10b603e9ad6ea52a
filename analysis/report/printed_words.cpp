#include "analysis/report/printed_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/wording.h"

namespace warplens::analysis {

namespace {

constexpr std::size_t tab_width = 8;
constexpr std::size_t calls_shown = 20;

/// Bytes of the UTF-8 character at the start of `text`; 0: none.
std::size_t character_bytes(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = first < 0x80                    ? 1
                              : first >= 0xc2 && first < 0xe0 ? 2
                              : first >= 0xe0 && first < 0xf0 ? 3
                              : first >= 0xf0 && first < 0xf5 ? 4
                                                              : 0;
    if (bytes > text.size()) return 0;
    for (std::size_t i = 1; i < bytes; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
    return bytes;
}

std::string where_of(const Printed& one) {
    const auto triple = [](Dim3 at) { return fmt::format("({},{},{})", at.x, at.y, at.z); };
    return fmt::format("block {}, thread {}{}", triple(one.block), triple(one.thread),
                       one.line != 0 ? fmt::format(", line {}", one.line) : "");
}

}  // namespace

std::vector<std::string> printed_lines(std::string_view text) {
    std::vector<std::string> lines(1);
    std::size_t column = 0;
    while (!text.empty()) {
        const char c = text[0];
        std::size_t taken = 1;
        if (c == '\n') {
            if (text.size() > 1) lines.emplace_back();
            column = 0;
        } else if (c == '\t') {
            const std::size_t spaces = tab_width - column % tab_width;
            lines.back().append(spaces, ' ');
            column += spaces;
        } else if (taken = character_bytes(text); taken == 0 || (taken == 1 && (c < ' ' || c == 0x7f))) {
            const std::string shown = fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            lines.back() += shown;
            column += shown.size();
            taken = 1;
        } else {
            lines.back() += text.substr(0, taken);
            ++column;
        }
        text.remove_prefix(taken);
    }
    return lines;
}

std::string printed_count(const PrintedCalls& printed) {
    const std::size_t kept = printed.calls.size();
    std::string words = fmt::format("{} {} of printf", grouped(kept), kept == 1 ? "call" : "calls");
    if (printed.dropped > 0)
        words += fmt::format(", and {} more that were not kept", grouped(printed.dropped));
    return words;
}

std::vector<std::string> printed_section(const PrintedCalls& printed) {
    if (printed.calls.empty() && printed.dropped == 0) return {};
    std::vector<std::string> section{fmt::format("Printed  {}", printed_count(printed))};
    const std::size_t shown = std::min(printed.calls.size(), calls_shown);
    std::size_t width = 0;
    for (std::size_t i = 0; i < shown; ++i) width = std::max(width, where_of(printed.calls[i]).size());
    for (std::size_t i = 0; i < shown; ++i) {
        std::string where = where_of(printed.calls[i]);
        for (const std::string& line : printed_lines(printed.calls[i].text)) {
            section.push_back(fmt::format("  {:<{}}  {}", where, width, line));
            where.clear();
        }
    }
    if (shown < printed.calls.size())
        section.push_back(
            fmt::format("  and {} more: --format json lists them", grouped(printed.calls.size() - shown)));
    return section;
}

}  // namespace warplens::analysis
