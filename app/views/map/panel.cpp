#include "app/views/map/panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/map/heading.h"
#include "app/views/map/outlines.h"
#include "app/views/shared/access_words.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

using analysis::AccessMap;
using analysis::MapCell;
using analysis::MapThread;

constexpr float map_heading_height = 42, largest_element = 44, finest_element = 3;

std::uint64_t owner_of(const MapLook& look, const MapCell& cell) {
    const trace::WarpRecord& warp = look.trace.warps[cell.first.warp_record];
    switch (look.colour) {
        case MapColour::block:
            return warp.block;
        case MapColour::warp:
            return warp.warp;
        case MapColour::lane:
            return cell.first.lane;
        case MapColour::order:
            return cell.first.order + 1u;
        case MapColour::count:
            return static_cast<std::uint64_t>(std::llround(accesses_per_element(cell)));
    }
    return 0;
}

/// "block (1, 2)", "warp 3".
std::string owner_words(const MapLook& look, std::uint64_t owner) {
    switch (look.colour) {
        case MapColour::block:
            return block_words(look.trace, owner);
        case MapColour::warp:
            return "warp " + grouped(owner);
        case MapColour::lane:
            return "lane " + grouped(owner);
        case MapColour::order:
            return "request " + grouped(owner);
        case MapColour::count:
            return "accesses " + grouped(owner);
    }
    return {};
}

ImU32 fill_of(const MapLook& look, const MapCell& cell) {
    const Theme& theme = look.ink.theme;
    if (cell.accesses == 0) return theme.raised;
    const auto amount = [&](double value, double end) {
        return theme.amount(end <= 1 ? 0.6 : 0.15 + 0.85 * (value - 1) / (end - 1));
    };
    if (look.colour == MapColour::order) return amount(cell.first.order + 1.0, look.orders);
    if (look.colour == MapColour::count)
        return amount(accesses_per_element(cell), static_cast<double>(look.most));
    return owner_colour(theme, look.trace, cell.first, look.colour);
}

/// "12"; of an array of three extents the first two indexes, "1, 12".
std::string row_label(const analysis::MappedArray& array, std::uint64_t row) {
    const std::uint64_t plane = array.rows_of_plane();
    return plane == 0 ? grouped(row) : fmt::format("{}, {}", grouped(row / plane), grouped(row % plane));
}

/// Lines between the planes of an array of three extents or more.
void draw_planes(const MapLook& look, const analysis::MappedArray& array, const AccessMap& map,
                 const MapGrid& grid) {
    const std::uint64_t plane = array.rows_of_plane();
    if (plane == 0) return;
    const float right = grid.at(0, map.columns - 1).x1;
    for (std::uint32_t row = 1; row < map.rows; ++row) {
        const std::uint64_t first = map.area.row + row * map.rows_per_cell;
        if (first / plane == (first - map.rows_per_cell) / plane) continue;
        const float y = grid.at(row, 0).y0;
        look.ink.line({grid.origin.x, y}, {right, y}, look.ink.theme.text, look.ink.px(1.5f));
    }
}

/// Numbers of rows and columns, where there is room.
void draw_axes(const MapLook& look, const analysis::MappedArray& array, const AccessMap& map,
               const MapGrid& grid, float left) {
    const Ink& ink = look.ink;
    const Theme& theme = ink.theme;
    ImFont* font = theme.fonts.small;
    const auto every = [](std::uint32_t count, float size, float text) {
        std::uint32_t step = 1;
        while (size * static_cast<float>(step) < text && step < count) step *= 2;
        return step;
    };
    const float high = text_height(font);
    const std::uint32_t rows = every(map.rows, grid.height, high + ink.px(2));
    for (std::uint32_t row = 0; row < map.rows; row += rows) {
        const Box cell = grid.at(row, 0);
        ink.text({left, cell.y0, grid.origin.x - ink.px(6), std::max(cell.y1, cell.y0 + high)},
                 row_label(array, map.area.row + row * map.rows_per_cell), font, theme.text_dim,
                 Align::right);
    }
    const std::string last = grouped(map.area.column + map.area.columns - 1);
    const std::uint32_t columns = every(map.columns, grid.width, text_width(font, last) + ink.px(8));
    for (std::uint32_t column = 0; column < map.columns; column += columns) {
        const Box cell = grid.at(0, column);
        const std::string words = grouped(map.area.column + column * map.columns_per_cell);
        const float wide = std::max(cell.width(), text_width(font, words) + 1);
        if (cell.x0 + wide > grid.at(0, map.columns - 1).x1 + 1) break;  // no room is left for it
        ink.text({cell.x0, grid.origin.y - ink.px(16), cell.x0 + wide, grid.origin.y - ink.px(1)}, words,
                 font, theme.text_dim, wide > cell.width() ? Align::left : Align::centre);
    }
}

/// Words in the middle of the box, on a ground of its colour, which covers the gaps between cells and the
/// outlines of elements. False: they do not fit.
bool draw_plate(const Ink& ink, const Box& box, const std::string& words, ImU32 fill) {
    ImFont* font = ink.theme.fonts.small;
    const float width = text_width(font, words) + ink.px(8), height = text_height(font);
    if (width > box.width() || height > box.height()) return false;
    const ImVec2 middle = box.centre();
    const Box plate{middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2};
    ink.fill(plate, fill);
    ink.text(plate, words, font, ink.theme.text_on(fill), Align::centre);
    return true;
}

/// Cells of several elements: one color does not say who accesses the others.
bool merges(const AccessMap& map) { return map.rows_per_cell * map.columns_per_cell > 1; }

/// The name of an owner in the middle of the rows that it alone accesses, from its first column to its last.
void draw_owners(const MapLook& look, const AccessMap& map, const MapGrid& grid) {
    struct Part {
        std::uint32_t row0 = ~0u, column0 = ~0u, row1 = 0, column1 = 0;
        ImU32 colour = 0;
        std::map<std::uint32_t, std::uint32_t> rows = {};  // cells in each
    };
    std::map<std::uint64_t, Part> parts;
    for (std::uint32_t row = 0; row < map.rows; ++row)
        for (std::uint32_t column = 0; column < map.columns; ++column) {
            const MapCell& cell = map.at(row, column);
            if (cell.accesses == 0 || (merges(map) && is_mixed(cell, look.colour))) continue;
            Part& part = parts[owner_of(look, cell)];
            part.row0 = std::min(part.row0, row);
            part.row1 = std::max(part.row1, row);
            part.column0 = std::min(part.column0, column);
            part.column1 = std::max(part.column1, column);
            part.colour = fill_of(look, cell);
            ++part.rows[row];
        }
    for (auto& [owner, owned] : parts) {
        Part& part = owned;  // a lambda may capture this, in clang too
        const auto is_whole = [&](std::uint32_t row) {
            return part.rows[row] == part.column1 - part.column0 + 1;
        };
        while (part.row0 < part.row1 && !is_whole(part.row0)) ++part.row0;
        while (part.row1 > part.row0 && !is_whole(part.row1)) --part.row1;
        bool all = true;
        for (std::uint32_t row = part.row0; row <= part.row1; ++row) all = all && is_whole(row);
        if (!all) continue;
        const Box first = grid.at(part.row0, part.column0), last = grid.at(part.row1, part.column1);
        const Box box{first.x0, first.y0, last.x1, last.y1};
        const std::string words = owner_words(look, owner);
        if (!draw_plate(look.ink, box, words, part.colour))
            draw_plate(look.ink, box, words.substr(words.find(' ') + 1), part.colour);
    }
}

void draw_cells(const MapLook& look, const AccessMap& map, const MapGrid& grid) {
    const Ink& ink = look.ink;
    const bool separate = std::min(grid.width, grid.height) >= 6;
    bool some_alone = merges(map);
    for (const MapCell& cell : map.cells) some_alone |= cell.accesses > 0 && !is_mixed(cell, look.colour);
    for (std::uint32_t row = 0; row < map.rows; ++row) {
        for (std::uint32_t column = 0; column < map.columns;) {
            const MapCell& cell = map.at(row, column);
            const ImU32 fill = fill_of(look, cell);
            const bool hatched = some_alone && is_mixed(cell, look.colour);
            std::uint32_t count = 1;
            while (!separate && column + count < map.columns) {
                const MapCell& next = map.at(row, column + count);
                if (fill_of(look, next) != fill || (some_alone && is_mixed(next, look.colour)) != hatched)
                    break;
                ++count;
            }
            const Box box = grid.at(row, column, count);
            ink.fill(box, fill);
            if (hatched) ink.hatch(box, hatch_on(ink.theme, fill), 4);
            column += count;
        }
    }
}

/// Numbers in all cells, or in none: numbers in only some of them would look meaningful.
bool draw_element_numbers(const MapLook& look, const AccessMap& map, const MapGrid& grid) {
    const Ink& ink = look.ink;
    ImFont* font = ink.theme.fonts.small;
    const Box cell = grid.at(0, 0);
    std::uint64_t largest = 0;
    for (const MapCell& one : map.cells)
        if (one.accesses > 0) largest = std::max(largest, owner_of(look, one));
    if (text_height(font) * 0.8f > cell.height() || text_width(font, grouped(largest)) + 1 > cell.width())
        return false;
    for (std::uint32_t row = 0; row < map.rows; ++row)
        for (std::uint32_t column = 0; column < map.columns; ++column) {
            const MapCell& one = map.at(row, column);
            if (one.accesses == 0) continue;
            ink.text_if_fits(grid.at(row, column), grouped(owner_of(look, one)), font,
                             ink.theme.text_on(fill_of(look, one)));
        }
    return true;
}

}  // namespace

analysis::MapSize map_size(const Ink& ink, const Box& box) {
    const auto most = [&](float length) {
        return static_cast<std::uint32_t>(std::clamp(length / ink.px(finest_element), 1.0f, 1024.0f));
    };
    return {most(box.height() - ink.px(map_heading_height + 16)), most(box.width() - ink.px(40))};
}

std::vector<bool> changed_cells(const MapLook& look, const MapPanel& panel, const OtherMap& other) {
    const AccessMap &map = panel.map, &was = other.panel.map;
    std::vector<bool> changed(map.cells.size(), false);
    if (map.rows_per_cell != was.rows_per_cell || map.columns_per_cell != was.columns_per_cell ||
        panel.array.columns != other.panel.array.columns)
        return changed;
    for (std::uint32_t row = 0; row < map.rows; ++row)
        for (std::uint32_t column = 0; column < map.columns; ++column) {
            const MapCell& cell = map.at(row, column);
            const std::uint64_t at_row = map.area.row + row * map.rows_per_cell;
            const std::uint64_t at_column = map.area.column + column * map.columns_per_cell;
            const bool inside = at_row >= was.area.row && at_row < was.area.row + was.area.rows &&
                                at_column >= was.area.column &&
                                at_column < was.area.column + was.area.columns;
            const MapCell* before =
                inside ? &was.at(
                             static_cast<std::uint32_t>((at_row - was.area.row) / was.rows_per_cell),
                             static_cast<std::uint32_t>((at_column - was.area.column) / was.columns_per_cell))
                       : nullptr;
            const bool accessed = cell.accesses > 0, was_accessed = before && before->accesses > 0;
            changed[std::size_t{row} * map.columns + column] =
                accessed != was_accessed ||
                (accessed && owner_of(look, cell) != owner_of(other.look, *before));
        }
    return changed;
}

const MapCell* draw_map_panel(const MapLook& look, const MapPanel& panel, const Box& box,
                              const OtherMap* other) {
    const Ink& ink = look.ink;
    const AccessMap& map = panel.map;
    Box rest = box;
    draw_map_heading(look.ink, panel, rest.take_top(ink.px(map_heading_height)));
    const float left = rest.x0;
    const std::string widest = panel.array.rows_of_plane() == 0
                                   ? grouped(map.area.row + map.area.rows - 1)
                                   : row_label(panel.array, panel.array.rows() - 1);
    rest.x0 += text_width(ink.theme.fonts.small, widest) + ink.px(8);
    rest.y0 += ink.px(16);
    if (map.cells.empty() || rest.width() < 1 || rest.height() < 1) return nullptr;
    const std::uint32_t columns = std::max(map.columns, other ? other->panel.map.columns : 0);
    const std::uint32_t rows = std::max(map.rows, other ? other->panel.map.rows : 0);
    MapGrid grid{rest.min(), rest.width() / static_cast<float>(columns),
                 rest.height() / static_cast<float>(rows)};
    // Cells may be wide or tall where rows have no meaning, or where a cell is not a square of elements.
    const bool square = panel.array.columns_known && map.rows_per_cell == map.columns_per_cell;
    grid.width = std::min(
        {grid.width, ink.px(largest_element), std::max(grid.height * (square ? 1.5f : 3), ink.px(4))});
    const float tallest = square ? grid.width : std::max(3 * grid.width, ink.px(20));
    grid.height = std::min({grid.height, ink.px(largest_element), std::max(tallest, ink.px(4))});
    if (grid.width >= 4) grid.width = std::floor(grid.width);
    if (grid.height >= 4) grid.height = std::floor(grid.height);
    draw_axes(look, panel.array, map, grid, left);
    draw_cells(look, map, grid);
    draw_planes(look, panel.array, map, grid);
    const bool numbered = draw_element_numbers(look, map, grid);
    if (other) outline_changes(ink, map, grid, changed_cells(look, panel, *other));
    outline_elements(ink, panel, grid, panel.of_request, with_alpha(ink.theme.selected, 0.75), ink.px(1));
    outline_elements(ink, panel, grid, panel.of_thread, ink.theme.selected, ink.px(2.5f));
    if (!numbered) draw_owners(look, map, grid);
    const Box all{grid.origin.x, grid.origin.y, grid.origin.x + grid.width * static_cast<float>(map.columns),
                  grid.origin.y + grid.height * static_cast<float>(map.rows)};
    hit_box((look.named ? "map of " : "map before of ") + panel.array.name, all.min(), all.max());
    if (look.named && frame_notes() && frame_notes()->everything && map.cells.size() <= 4096)
        for (std::uint32_t i = 0; i < map.cells.size(); ++i) {
            const Box cell = grid.at(i / map.columns, i % map.columns);
            hit_box(fmt::format("map cell {} {} {}", panel.array.name, i / map.columns, i % map.columns),
                    cell.min(), cell.max());
        }
    if (!look.mouse || !all.has(*look.mouse)) return nullptr;
    const auto row = static_cast<std::uint32_t>((look.mouse->y - grid.origin.y) / grid.height);
    const auto column = static_cast<std::uint32_t>((look.mouse->x - grid.origin.x) / grid.width);
    const std::uint32_t r = std::min(row, map.rows - 1), c = std::min(column, map.columns - 1);
    ink.fill(grid.at(r, c), ink.theme.hovered);
    return &map.at(r, c);
}

MapColour colour_in(const MapPanel& panel, MapColour colour) {
    return panel.array.space == Space::shared && colour == MapColour::block ? MapColour::warp : colour;
}

bool is_mixed(const MapCell& cell, MapColour colour) {
    switch (colour) {
        case MapColour::block:
            return cell.several_blocks;
        case MapColour::warp:
            return cell.several_warps;
        case MapColour::lane:
            return cell.several_threads;
        case MapColour::order:
        case MapColour::count:
            return false;
    }
    return false;
}

ImU32 owner_colour(const Theme& theme, const trace::Trace& trace, const MapThread& thread, MapColour colour) {
    const trace::WarpRecord& warp = trace.warps[thread.warp_record];
    if (colour == MapColour::lane) return theme.amount(0.15 + 0.85 * thread.lane / (warp_size - 1));
    if (colour == MapColour::warp) return theme.category(static_cast<int>(warp.warp % 8));
    // Neighbours differ, also where a row of the grid has a multiple of 8 blocks.
    const Dim3 block = coordinates(warp.block, trace.launch.geometry.grid);
    return theme.category(static_cast<int>((block.x + 3 * block.y + 5 * block.z) % 8));
}

double accesses_per_element(const MapCell& cell) {
    return cell.elements == 0 ? 0 : double(cell.accesses) / double(cell.elements);
}

}  // namespace warplens::app
