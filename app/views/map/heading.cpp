#include "app/views/map/heading.h"

#include <fmt/core.h>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// Wordings, longest first.
std::vector<std::string> area_wordings(const analysis::MappedArray& array, const analysis::AccessMap& map) {
    const analysis::MapArea& area = map.area;
    std::string place, words;
    if (area.rows != array.rows() || area.columns != array.columns) {
        const auto range = [](std::uint64_t first, std::uint64_t count, const char* noun) {
            return count == 1 ? fmt::format("{} {}", noun, grouped(first))
                              : fmt::format("{}s {}–{}", noun, grouped(first), grouped(first + count - 1));
        };
        place = range(area.row, area.rows, "row") + ", " + range(area.column, area.columns, "column") + " · ";
    }
    const auto times = [](std::uint64_t accesses, std::uint64_t elements) {
        return accesses == elements
                   ? std::string()
                   : fmt::format(" {} times each", decimal(double(accesses) / double(elements)));
    };
    if (map.accesses == 0) return {place + "no accesses", "no accesses"};
    if (map.read > 0) words += fmt::format("{} read{}", grouped(map.read), times(map.loads, map.read));
    if (map.written > 0)
        words += fmt::format("{}{} written{}", map.read > 0 ? ", " : "", grouped(map.written),
                             times(map.stores, map.written));
    std::string brief = words;
    for (std::size_t at; (at = brief.find(" times each")) != std::string::npos;) brief.replace(at, 11, " ×");
    return {place + words, words, brief};
}

/// The shape, and how many elements a cell is where it is not one.
std::vector<std::string> cell_wordings(const analysis::MappedArray& array, const analysis::AccessMap& map) {
    std::vector<std::string> shapes = shape_wordings(array);
    if (map.rows_per_cell * map.columns_per_cell == 1) return shapes;
    const std::string cell = fmt::format("{} × {}", map.rows_per_cell, map.columns_per_cell);
    std::vector<std::string> wordings{fmt::format("{} · a cell is {} elements", shapes.front(), cell)};
    for (const std::string& shape : shapes) wordings.push_back(fmt::format("{} · cell: {}", shape, cell));
    return wordings;
}

}  // namespace

void draw_map_heading(const Ink& ink, const MapPanel& panel, Box box) {
    const Theme& theme = ink.theme;
    Box upper = box.take_top(ink.px(22));
    upper.x0 += ink.px(2);
    upper.x0 += ink.text(upper, panel.array.name, theme.fonts.code, theme.text) + ink.px(10);
    const auto draw = [&](const Box& line, const std::vector<std::string>& wordings, ImFont* font) {
        ink.text(line, wording_that_fits(font, wordings, line.width()), font, theme.text_dim);
    };
    draw(upper, cell_wordings(panel.array, panel.map), theme.fonts.words);
    box.x0 += ink.px(2);
    draw(box, area_wordings(panel.array, panel.map), theme.fonts.small);
}

std::vector<std::string> shape_wordings(const analysis::MappedArray& array) {
    if (array.rows_of_plane() > 0) {
        std::string words;
        for (const std::uint32_t extent : array.extents)
            words += (words.empty() ? "" : " × ") + grouped(extent);
        return {words};
    }
    if (array.columns_known && array.rows() * array.columns == array.elements()) {
        const std::string shape = grouped(array.rows()) + " × " + grouped(array.columns);
        if (array.like.empty()) return {shape};
        return {shape + ", guessed as " + array.like, shape + ", guessed", shape};
    }
    if (array.is_flat() && array.group > 1 && array.columns % array.group == 0)
        return {fmt::format("{} in groups of {}, {} in a row", grouped(array.elements()),
                            grouped(array.group), grouped(array.columns / array.group)),
                fmt::format("{} in groups of {}", grouped(array.elements()), grouped(array.group)),
                fmt::format("groups of {}", grouped(array.group))};
    return {fmt::format("{} in rows of {}", grouped(array.elements()), grouped(array.columns)),
            fmt::format("rows of {}", grouped(array.columns))};
}

}  // namespace warplens::app
