#include "app/views/fragments/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/views/shared/two_runs.h"
#include "core/lane_mask.h"

namespace warplens::app {

namespace {

int distinct(const MatrixFragment& fragment) {
    int count = 0;
    for (int e = 0; e < fragment.elements; ++e) count += fragment.repeats(e) ? 0 : 1;
    return count;
}

/// Sizes in cells, gaps in pixels: how large a cell may be.
float cell_edge(const Box& room, int columns, int rows, float gap_x, float gap_y) {
    const float by_width = (room.width() - gap_x) / static_cast<float>(columns);
    const float by_height = (room.height() - gap_y) / static_cast<float>(rows);
    return std::floor(std::max(3.0f, std::min(by_width, by_height)));
}

FragmentPanel panel_at(const MatrixFragment& fragment, std::string name, float x, float y, float cell) {
    return {&fragment, std::move(name),
            Box{x, y, x + cell * static_cast<float>(fragment.columns),
                y + cell * static_cast<float>(fragment.rows)},
            cell};
}

/// By row, then column: the lane that holds the element, the lowest where there are several; -1: none.
std::vector<int> lanes_of(const MatrixFragment& fragment) {
    std::vector<int> lanes(static_cast<std::size_t>(fragment.rows * fragment.columns), -1);
    for (int lane = 0; lane < warp_size; ++lane)
        for (int e = 0; e < fragment.elements; ++e) {
            const MatrixPlace at = fragment.place(lane, e);
            int& holder = lanes[static_cast<std::size_t>(at.row * fragment.columns + at.column)];
            if (holder < 0) holder = lane;
        }
    return lanes;
}

std::vector<FragmentPanel> place_product(const Ink& ink, const Box& room, const MatrixInstruction& form,
                                         float largest_cell) {
    const MatrixFragment &d = form.fragments[0], &a = form.fragments[1], &b = form.fragments[2];
    const float label = text_height(ink.theme.fonts.words) + ink.px(6), gap = ink.px(22);
    const float cell =
        std::min({cell_edge(room, a.columns + d.columns, b.rows + d.rows, gap, 2 * label + gap), ink.px(48),
                  largest_cell});
    // In a low and wide room they stand in a row, where their cells are much larger.
    const float in_row = std::min({cell_edge(room, a.columns + b.columns + d.columns,
                                             std::max({a.rows, b.rows, d.rows}), 2 * gap, label + gap),
                                   ink.px(48), largest_cell});
    if (in_row > 1.5f * cell) {
        const auto wide = [&](int columns) { return in_row * static_cast<float>(columns) + gap; };
        const float taken = wide(a.columns) + wide(b.columns) + wide(d.columns) - gap;
        const float x = room.x0 + std::max(0.0f, (room.width() - taken) / 2), y = room.y0 + label;
        return {panel_at(a, "A", x, y, in_row), panel_at(b, "B", x + wide(a.columns), y, in_row),
                panel_at(d, "D", x + wide(a.columns) + wide(b.columns), y, in_row)};
    }
    const float width = cell * static_cast<float>(a.columns + d.columns) + gap;
    const float left = room.x0 + std::max(0.0f, (room.width() - width) / 2);
    const float d_x = left + cell * static_cast<float>(a.columns) + gap;
    const float b_y = room.y0 + label, d_y = b_y + cell * static_cast<float>(b.rows) + gap + label;
    return {panel_at(a, "A", left, d_y, cell), panel_at(b, "B", d_x, b_y, cell),
            panel_at(d, "D", d_x, d_y, cell)};
}

}  // namespace

std::optional<MatrixPlace> FragmentPanel::cell_at(ImVec2 at) const {
    if (!grid.has(at)) return std::nullopt;
    return MatrixPlace{static_cast<int>((at.y - grid.y0) / cell), static_cast<int>((at.x - grid.x0) / cell)};
}

Box FragmentPanel::box_of(MatrixPlace place) const {
    const float x = grid.x0 + cell * static_cast<float>(place.column);
    const float y = grid.y0 + cell * static_cast<float>(place.row);
    return {x, y, x + cell, y + cell};
}

std::optional<ElementHolder> holder_of(const MatrixFragment& fragment, MatrixPlace place) {
    for (int lane = 0; lane < warp_size; ++lane)
        for (int e = 0; e < fragment.elements; ++e)
            if (fragment.place(lane, e) == place) return ElementHolder{lane, e};
    return std::nullopt;
}

std::vector<FragmentPanel> place_fragments(const Ink& ink, const Box& room, const MatrixInstruction& form,
                                           float largest_cell) {
    if (form.work == MatrixWork::multiply) return place_product(ink, room, form, largest_cell);
    const auto count = static_cast<int>(form.fragments.size());
    const MatrixFragment& first = form.fragments.front();
    const float label = text_height(ink.theme.fonts.words) + ink.px(6), gap = ink.px(22);
    // Four are arranged in a square or a row: whichever allows larger cells.
    const auto edge = [&](int across, int down) {
        return std::min(cell_edge(room, across * first.columns, down * first.rows,
                                  gap * static_cast<float>(across), (label + gap) * static_cast<float>(down)),
                        ink.px(56));
    };
    const bool square = count == 4 && edge(2, 2) >= edge(4, 1);
    const int across = square ? 2 : count, down = square ? 2 : 1;
    const float cell = std::min(edge(across, down), largest_cell);
    const float pitch_x = cell * static_cast<float>(first.columns) + gap;
    const float left = room.x0 + std::max(0.0f, (room.width() - pitch_x * static_cast<float>(across)) / 2);
    std::vector<FragmentPanel> panels;
    for (int i = 0; i < count; ++i) {
        const MatrixFragment& fragment = form.fragments[static_cast<std::size_t>(i)];
        const float y =
            room.y0 + label +
            static_cast<float>(i / across) * (cell * static_cast<float>(first.rows) + label + gap);
        const char upper = static_cast<char>(fragment.operand - 'a' + 'A');
        const bool rows = form.work == MatrixWork::load_rows || form.work == MatrixWork::store_rows;
        panels.push_back(panel_at(fragment,
                                  rows ? fmt::format("matrix {}, rows of lanes {} to {}", i, 8 * i, 8 * i + 7)
                                       : std::string(1, upper),
                                  left + static_cast<float>(i % across) * pitch_x, y, cell));
        if (rows) panels.back().first_register = static_cast<int>(i);  // a register each
    }
    return panels;
}

std::vector<MatrixPlace> moved_elements(const MatrixFragment& fragment, const MatrixFragment& other) {
    std::vector<MatrixPlace> moved;
    if (fragment.rows != other.rows || fragment.columns != other.columns) return moved;
    const std::vector<int> here = lanes_of(fragment), there = lanes_of(other);
    for (int row = 0; row < fragment.rows; ++row)
        for (int column = 0; column < fragment.columns; ++column) {
            const auto at = static_cast<std::size_t>(row * fragment.columns + column);
            if (here[at] != there[at]) moved.push_back({row, column});
        }
    return moved;
}

void draw_fragment(const Ink& ink, const FragmentPanel& panel, int lane, const MatrixFragment* other) {
    const Theme& theme = ink.theme;
    const MatrixFragment& fragment = *panel.fragment;
    const float label = text_height(theme.fonts.words) + ink.px(6);
    const std::string size = fmt::format("{}   {} × {}", panel.name, fragment.rows, fragment.columns);
    // Of small cells the next matrix begins after the gap.
    const float over = panel.cell < ink.px(10) ? ink.px(14) : ink.px(200);
    ink.heading({panel.grid.x0, panel.grid.y0 - label, panel.grid.x1 + over, panel.grid.y0},
                {fmt::format("{} {}", size, to_string(fragment.element)), size, panel.name});
    // Numbers in only some of the cells would look like a difference.
    const bool numbered = panel.cell >= text_width(theme.fonts.small, "20") + ink.px(3);
    const bool roomy = panel.cell >= 2 * text_height(theme.fonts.small) + ink.px(2);
    for (int holder = 0; holder < warp_size; ++holder) {
        // Four lanes share a row of most fragments: neighbours differ in hue, groups of four in depth.
        const ImU32 fill =
            mix(theme.panel, theme.category(holder / 4), holder == lane ? 1.0 : 0.35 + 0.1 * (holder % 4));
        for (int e = 0; e < fragment.elements; ++e) {
            if (fragment.repeats(e)) continue;
            Box box = panel.box_of(fragment.place(holder, e));
            ink.fill({box.x0, box.y0, box.x1 - 1, box.y1 - 1}, fill);
            const ImU32 words = theme.text_on(fill);
            if (roomy) {
                ink.text_if_fits(box.take_top(box.height() / 2), fmt::format("{}", holder), theme.fonts.small,
                                 words);
                ink.text_if_fits(box, fmt::format("r{}", panel.first_register + e / fragment.per_register()),
                                 theme.fonts.small, words);
            } else if (numbered) {
                ink.text_if_fits(box, fmt::format("{}", holder), theme.fonts.small, words);
            }
        }
    }
    if (other)
        for (const MatrixPlace place : moved_elements(fragment, *other)) {
            const Box box = panel.box_of(place);
            outline_change(ink, {box.x0, box.y0, box.x1 - 1, box.y1 - 1});
        }
    for (int e = 0; e < fragment.elements; ++e) {
        if (fragment.repeats(e)) continue;
        const Box box = panel.box_of(fragment.place(lane, e));
        ink.outline({box.x0, box.y0, box.x1 - 1, box.y1 - 1}, theme.selected, 2);
    }
    hit_box(fmt::format("fragment {}", panel.name), panel.grid.min(), panel.grid.max());
}

std::string fragments_answer(const MatrixInstruction& form, int lane) {
    std::string text = fmt::format("Lane {} holds ", lane);
    const auto part = [](const MatrixFragment& fragment, std::string_view name) {
        return fmt::format("{} of {}'s {} elements", distinct(fragment), name,
                           fragment.rows * fragment.columns);
    };
    if (form.work == MatrixWork::multiply)
        return text + fmt::format("{}, {} and {}", part(form.fragments[1], "A"), part(form.fragments[2], "B"),
                                  part(form.fragments[0], "D"));
    if (form.work == MatrixWork::load || form.work == MatrixWork::store) {
        const char upper = static_cast<char>(form.fragments[0].operand - 'a' + 'A');
        return text + fmt::format("{}, in {} {} of memory", part(form.fragments[0], std::string(1, upper)),
                                  form.requests(), form.requests() == 1 ? "piece" : "pieces");
    }
    if (form.work == MatrixWork::transpose) return text + part(form.fragments[0], "the transposed matrix");
    return text + fmt::format("2 elements of each of {} {} of 8 × 8, adjacent in a {}", form.fragments.size(),
                              form.fragments.size() == 1 ? "matrix" : "matrices",
                              form.transposed ? "column: transposed during the load" : "row");
}

}  // namespace warplens::app
