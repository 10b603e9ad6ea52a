#include "app/failure_marks.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace warplens::app {
namespace {

/// The number that begins the text, which is shortened by it; 0: none.
std::uint32_t take_number(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

}  // namespace

std::vector<EditorMark> failure_marks(const std::string& failure, std::string_view file) {
    std::vector<EditorMark> marks;
    const std::string head = std::string(file) + ":";
    const std::size_t at = failure.find(head);
    if (at == std::string::npos) return marks;
    std::string_view rest = std::string_view(failure).substr(at + head.size());
    const std::uint32_t line = take_number(rest);
    if (line == 0) return marks;
    if (rest.starts_with(": ")) rest.remove_prefix(2);
    if (rest.starts_with("error: ")) rest.remove_prefix(7);
    const std::size_t end = std::min(rest.find("; "), rest.size());
    marks.push_back({line, std::string(rest.substr(0, end))});
    // "; 2 more errors at lines 14, 20"
    const std::size_t more = rest.find(" at line");
    if (more == std::string_view::npos) return marks;
    std::string_view others = rest.substr(more + 8);
    if (others.starts_with('s')) others.remove_prefix(1);
    while (others.starts_with(' ')) {
        others.remove_prefix(1);
        const std::uint32_t other = take_number(others);
        if (other == 0) break;
        if (other != line) marks.push_back({other, ""});
        if (others.starts_with(',')) others.remove_prefix(1);
    }
    return marks;
}

}  // namespace warplens::app
