#include "app/window/failure_marks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/number_text.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

/// "file:line" and the text after it.
struct Place {
    std::string_view file, rest;
    std::uint32_t line = 0;
};

/// The location in `file`, wherever in the text it is named.
std::optional<Place> place_in(std::string_view text, std::string_view file) {
    const std::string head = std::string(file) + ":";
    const std::size_t at = text.find(head);
    if (at == std::string_view::npos) return std::nullopt;
    Place place{text.substr(at, file.size()), text.substr(at + head.size())};
    place.line = take_number<std::uint32_t>(place.rest).value_or(0);
    if (place.line == 0) return std::nullopt;
    return place;
}

/// The location at the start of the text: "folder/h.h:3: error: …".
std::optional<Place> leading_place(std::string_view text) {
    const std::size_t end = text.find(": error: ");
    const std::size_t colon = text.rfind(':', end == std::string_view::npos ? end : end - 1);
    if (end == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
    Place place{text.substr(0, colon), text.substr(colon + 1)};
    place.line = take_number<std::uint32_t>(place.rest).value_or(0);
    if (place.line == 0 || !place.rest.starts_with(": error: ")) return std::nullopt;
    return place;
}

std::string first_words(std::string_view rest) {
    if (rest.starts_with(": ")) rest.remove_prefix(2);
    if (rest.starts_with("error: ")) rest.remove_prefix(7);
    return std::string(rest.substr(0, rest.find("; ")));
}

/// The #include line of a file, which the compiler may name by another path; 0: none.
std::uint32_t bringing_line(std::string_view header, std::span<const instrumentation::IncludeLine> includes) {
    const std::string wanted = fs::path(header).lexically_normal().string();
    const std::string name = "/" + fs::path(header).filename().string();
    std::uint32_t alike = 0;
    for (const instrumentation::IncludeLine& include : includes)
        for (const std::string& path : include.paths) {
            if (path == wanted) return include.line;
            if (alike == 0 && ("/" + path).ends_with(name)) alike = include.line;
        }
    return alike;
}

/// Of "; 2 more errors at lines 14, h.h:20": those in the file, where a bare number is in `first`.
void mark_others(std::vector<EditorMark>& marks, std::string_view rest, std::string_view first,
                 std::string_view file) {
    const std::size_t more = rest.find(" at line");
    if (more == std::string_view::npos) return;
    std::string_view others = rest.substr(more + 8);
    if (others.starts_with('s')) others.remove_prefix(1);
    while (others.starts_with(' ')) {
        others.remove_prefix(1);
        std::string_view item = others.substr(0, std::min(others.find(','), others.size()));
        others.remove_prefix(item.size());
        if (others.starts_with(',')) others.remove_prefix(1);
        std::string_view named = first;
        if (const std::size_t colon = item.rfind(':'); colon != std::string_view::npos) {
            named = item.substr(0, colon);
            item.remove_prefix(colon + 1);
        }
        const std::uint32_t line = take_number<std::uint32_t>(item).value_or(0);
        if (line == 0) break;
        const bool known = std::ranges::find(marks, line, &EditorMark::line) != marks.end();
        if (named == file && !known) marks.push_back({line, ""});
    }
}

}  // namespace

std::vector<EditorMark> failure_marks(const std::string& failure, std::string_view file,
                                      std::span<const instrumentation::IncludeLine> includes) {
    std::vector<EditorMark> marks;
    if (const auto leading = leading_place(failure); leading && !leading->file.ends_with(file)) {
        if (const std::uint32_t line = bringing_line(leading->file, includes); line != 0) {
            const std::string header = fs::path(leading->file).filename().string();
            marks.push_back(
                {line, fmt::format("in {}, line {}: {}", header, leading->line, first_words(leading->rest))});
        }
        mark_others(marks, leading->rest, leading->file, file);
        return marks;
    }
    const auto place = place_in(failure, file);
    if (!place) return marks;
    marks.push_back({place->line, first_words(place->rest)});
    mark_others(marks, place->rest, file, file);
    return marks;
}

}  // namespace warplens::app
