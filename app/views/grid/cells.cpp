#include "app/views/grid/cells.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace warplens::app {
namespace {

std::uint64_t parts_of_size(std::uint64_t count, std::uint64_t size) {
    return (count + size - 1) / std::max<std::uint64_t>(size, 1);
}

/// How many of `count` stand in a row: near `wanted`, and so that the last row is full where that is possible
/// in at most `most_rows`.
std::uint64_t full_rows(std::uint64_t count, std::uint64_t wanted, std::uint64_t most,
                        std::uint64_t most_rows) {
    const auto fits = [&](std::uint64_t columns) {
        return columns > 0 && columns <= most && count % columns == 0 && count / columns <= most_rows;
    };
    for (std::uint64_t by = 0; by <= wanted / 3 + 1; ++by) {
        if (fits(wanted + by)) return wanted + by;
        if (wanted > by && fits(wanted - by)) return wanted - by;
    }
    return std::clamp(wanted, parts_of_size(count, most_rows), most);
}

std::uint64_t near_root(double of) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(std::sqrt(of))));
}

}  // namespace

std::size_t GridShape::cell_of(std::uint64_t block, std::uint32_t warp, int lane) const {
    const std::uint64_t x = block % columns / fold_x, y = block / columns % rows / fold_y;
    const std::uint64_t plane = block / (columns * rows) / fold_z;
    const std::uint32_t unit = threads ? warp * warp_size + static_cast<std::uint32_t>(lane) : warp;
    return static_cast<std::size_t>((plane * cells_y + y) * cells_x + x) * cells_per_block() +
           (per_unit ? unit : 0);
}

std::uint64_t GridShape::first_block(std::size_t cell) const {
    const std::uint64_t of = cell / cells_per_block();
    const std::uint64_t x = of % cells_x, y = of / cells_x % cells_y, plane = of / cells_x / cells_y;
    return (plane * fold_z * rows + y * fold_y) * columns + x * fold_x;
}

bool GridShape::exists(std::size_t cell) const {
    return first_block(cell) < blocks && (!per_unit || cell % cells_per_block() < units_per_block);
}

namespace {

/// Of a grid without z, or of one plane of z.
GridShape shape_of_plane(const LaunchGeometry& geometry, float width, float height, float least, float most,
                         GridUnit unit) {
    const bool threads = unit == GridUnit::thread;
    GridShape shape;
    shape.threads = threads;
    shape.blocks = std::max<std::uint64_t>(geometry.blocks(), 1);
    shape.units_per_block = static_cast<std::uint32_t>(
        std::max(threads ? geometry.threads_per_block() : geometry.warps_per_block(), 1));
    shape.columns = std::max<std::uint64_t>(geometry.grid.x, 1);
    shape.rows = std::max<std::uint64_t>(geometry.grid.y, 1);
    shape.wrapped = shape.rows == 1 && geometry.grid.z <= 1;
    const auto side =
        threads ? std::min<std::uint32_t>(shape.units_per_block, warp_size)
                : static_cast<std::uint32_t>(full_rows(
                      shape.units_per_block,
                      static_cast<std::uint64_t>(std::ceil(std::sqrt(double(shape.units_per_block)))),
                      shape.units_per_block, shape.units_per_block));
    const std::uint32_t tall = (shape.units_per_block + side - 1) / side;
    const float wide = static_cast<float>(side), high = static_cast<float>(tall);
    const float room_x = std::max(width, 1.0f), room_y = std::max(height, 1.0f);
    const auto most_x = static_cast<std::uint64_t>(std::max(1.0f, room_x / (2 * least)));
    const auto most_y = static_cast<std::uint64_t>(std::max(1.0f, room_y / (2 * least)));
    if (shape.wrapped) {
        shape.fold_x = parts_of_size(shape.blocks, most_x * most_y);
        const std::uint64_t cells = parts_of_size(shape.blocks, shape.fold_x);
        const double square = double(cells) * room_x / room_y * high / wide;
        shape.cells_x = full_rows(cells, std::min({near_root(square), cells, most_x}), most_x, most_y);
        shape.columns = shape.cells_x * shape.fold_x;
        shape.rows = shape.cells_y = parts_of_size(shape.blocks, shape.columns);
    } else {
        shape.fold_x = parts_of_size(shape.columns, most_x);
        shape.fold_y = parts_of_size(shape.rows, most_y);
        shape.cells_x = parts_of_size(shape.columns, shape.fold_x);
        shape.cells_y = parts_of_size(shape.rows, shape.fold_y);
    }
    // No cell is more than twice as wide as high.
    shape.pitch_y = std::min(room_y / static_cast<float>(shape.cells_y), most * high);
    shape.pitch_x =
        std::min({room_x / static_cast<float>(shape.cells_x), most * wide, 2 * shape.pitch_y / high * wide});
    shape.pitch_y = std::min(shape.pitch_y, 2 * shape.pitch_x / wide * high);
    shape.per_unit = unit != GridUnit::block && shape.fold_x == 1 && shape.fold_y == 1 &&
                     shape.pitch_x >= least * wide && shape.pitch_y >= least * high;
    if (shape.per_unit) {
        shape.units_x = side;
        shape.units_y = tall;
    }
    return shape;
}

/// The one with fewer blocks in a cell is better, then one with a cell for each unit, then one with larger
/// cells.
bool is_better(const GridShape& a, const GridShape& b) {
    const auto rank = [](const GridShape& of) {
        const double wide = double(of.pitch_x) / of.units_x, high = double(of.pitch_y) / of.units_y;
        return std::tuple(-double(of.blocks_per_cell()), of.per_unit, wide * high);
    };
    return rank(a) > rank(b);
}

GridShape shape_of_units(const LaunchGeometry& geometry, float width, float height, float least, float most,
                         GridUnit unit, float heading) {
    const std::uint64_t depth = std::max<std::uint64_t>(geometry.grid.z, 1);
    if (depth == 1) return shape_of_plane(geometry, width, height, least, most, unit);
    const float gap = 2 * least, smallest = 2 * least;
    const auto most_across = static_cast<std::uint64_t>(std::max(1.0f, (width + gap) / (smallest + gap)));
    const auto most_down =
        static_cast<std::uint64_t>(std::max(1.0f, (height + gap) / (smallest + heading + gap)));
    const std::uint64_t fold = parts_of_size(depth, most_across * most_down);
    const std::uint64_t planes = parts_of_size(depth, fold);
    std::optional<GridShape> best;
    for (std::uint64_t across = 1; across <= std::min(planes, most_across); ++across) {
        const std::uint64_t down = parts_of_size(planes, across);
        if (down > most_down) continue;
        const float wide = (width + gap) / static_cast<float>(across) - gap;
        const float high = (height + gap) / static_cast<float>(down) - gap - heading;
        GridShape shape = shape_of_plane(geometry, wide, high, least, most, unit);
        shape.fold_z = fold;
        if (fold > 1) {
            shape.per_unit = false;
            shape.units_x = shape.units_y = 1;
        }
        shape.planes = planes;
        shape.planes_x = across;
        shape.plane_gap = gap;
        shape.plane_heading = heading;
        if (!best || is_better(shape, *best)) best = shape;
    }
    return *best;
}

}  // namespace

GridShape grid_shape(const LaunchGeometry& geometry, float width, float height, float least, float most,
                     GridUnit finest, float plane_heading) {
    if (finest == GridUnit::thread) {
        const GridShape shape =
            shape_of_units(geometry, width, height, least / 2, most, finest, plane_heading);
        if (shape.per_unit) return shape;
        finest = GridUnit::warp;
    }
    return shape_of_units(geometry, width, height, least, most, finest, plane_heading);
}

bool is_worse(analysis::GridFigure figure, double a, double b) {
    return figure == analysis::GridFigure::lanes ? a < b : a > b;
}

std::vector<GridCellValue> grid_cells(const GridShape& shape, const std::vector<analysis::GridWarp>& warps,
                                      analysis::GridFigure figure, bool worst) {
    struct Sum {
        double all = 0, worst = 0;
        std::uint32_t count = 0;
        std::uint64_t idle = 0;
    };
    const bool has_mean = figure != analysis::GridFigure::sm;
    std::vector<GridCellValue> cells(shape.cell_count());
    std::vector<Sum> sums(cells.size());
    for (std::uint32_t i = 0; i < warps.size(); ++i) {
        const analysis::GridWarp& warp = warps[i];
        const std::size_t at = shape.cell_of(warp.block, warp.warp);
        if (at >= cells.size()) continue;
        GridCellValue& cell = cells[at];
        Sum& sum = sums[at];
        ++cell.warps;
        cell.idle += warp.idle ? 1 : 0;
        sum.idle += static_cast<std::uint64_t>(warp.idle_lanes.count());
        if (cell.warp == no_index) cell.warp = i;
        if (!warp.value) continue;
        if (sum.count > 0 && *warp.value != sum.worst) cell.mixed = !has_mean;
        if (sum.count++ == 0 || is_worse(figure, *warp.value, sum.worst)) {
            sum.worst = *warp.value;
            cell.warp = i;
        }
        sum.all += *warp.value;
    }
    for (std::size_t at = 0; at < cells.size(); ++at) {
        if (cells[at].warps > 0)
            cells[at].idle_share =
                static_cast<float>(sums[at].idle) / static_cast<float>(cells[at].warps * warp_size);
        if (sums[at].count > 0)
            cells[at].value = worst || !has_mean ? sums[at].worst : sums[at].all / sums[at].count;
    }
    return cells;
}

std::vector<GridCellValue> thread_cells(const GridShape& shape, const LaunchGeometry& geometry,
                                        const std::vector<analysis::GridWarp>& warps,
                                        analysis::GridFigure figure,
                                        const std::vector<analysis::ThreadSteps>& steps) {
    std::vector<GridCellValue> cells(shape.cell_count());
    for (std::uint32_t i = 0; i < warps.size(); ++i) {
        const analysis::GridWarp& warp = warps[i];
        for_each_lane(geometry.warp_lanes(static_cast<int>(warp.warp)), [&](int lane) {
            const std::size_t at = shape.cell_of(warp.block, warp.warp, lane);
            if (at >= cells.size()) return;
            const bool own = figure == analysis::GridFigure::steps && warp.record < steps.size();
            const bool idle = warp.idle_lanes.has(lane);
            cells[at] = {1, idle ? 1u : 0u, idle ? 1.0f : 0.0f, warp.value, false, i, lane};
            if (own) cells[at].value = double(steps[warp.record][static_cast<std::size_t>(lane)]);
        });
    }
    return cells;
}

std::vector<bool> changed_cells(const GridShape& shape, const std::vector<GridCellValue>& cells,
                                const GridShape& other, const std::vector<GridCellValue>& other_cells) {
    const auto units = [](const GridShape& of) {
        return std::tuple(of.blocks, of.columns, of.rows, of.fold_x, of.fold_y, of.fold_z, of.threads,
                          of.per_unit, of.units_per_block);
    };
    if (units(shape) != units(other) || cells.size() != other_cells.size()) return {};
    std::vector<bool> changed(cells.size());
    std::size_t same = 0, differ = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const GridCellValue &a = cells[i], &b = other_cells[i];
        if (a.warps == 0 || b.warps == 0) continue;
        changed[i] = a.value != b.value || a.idle_share != b.idle_share;
        ++(changed[i] ? differ : same);
    }
    if (same == 0 || differ == 0) return {};
    return changed;
}

Box grid_plane_box(const GridShape& shape, const Box& area, std::uint64_t plane) {
    const float wide = shape.pitch_x * static_cast<float>(shape.cells_x);
    const float high = shape.pitch_y * static_cast<float>(shape.cells_y);
    const auto x = static_cast<float>(plane % shape.planes_x), y = static_cast<float>(plane / shape.planes_x);
    const float left = area.x0 + x * (wide + shape.plane_gap);
    const float top = area.y0 + y * (high + shape.plane_gap + shape.plane_heading) + shape.plane_heading;
    return {left, top, left + wide, top + high};
}

Box grid_cell_box(const GridShape& shape, const Box& area, std::size_t cell, float gap) {
    const std::size_t block = cell / shape.cells_per_block(), warp = cell % shape.cells_per_block();
    const Box plane = grid_plane_box(shape, area, block / (shape.cells_x * shape.cells_y));
    const float x = plane.x0 + shape.pitch_x * static_cast<float>(block % shape.cells_x);
    const float y = plane.y0 + shape.pitch_y * static_cast<float>(block / shape.cells_x % shape.cells_y);
    const float width = (shape.pitch_x - gap) / static_cast<float>(shape.units_x);
    const float height = (shape.pitch_y - gap) / static_cast<float>(shape.units_y);
    const float left = x + width * static_cast<float>(warp % shape.units_x);
    const float top = y + height * static_cast<float>(warp / shape.units_x);
    const float between = shape.per_unit && shape.units_per_block > 1 && width > 4 ? 1 : 0;
    return {left, top, left + width - between, top + height - between};
}

}  // namespace warplens::app
