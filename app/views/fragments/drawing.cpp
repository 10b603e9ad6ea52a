#include "app/views/fragments/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
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

FragmentPanel panel_at(const MatrixFragment& fragment, std::string name, float x, float y, ImVec2 cell) {
    return {&fragment, std::move(name),
            Box{x, y, x + cell.x * static_cast<float>(fragment.columns),
                y + cell.y * static_cast<float>(fragment.rows)},
            cell};
}

/// Elements of one lane that are next to each other in a row, else in a column: it is named once for them.
struct LaneRun {
    MatrixPlace first;
    int across = 1, down = 1;
    int first_element = 0, last_element = 0;
};

std::vector<LaneRun> runs_of_lane(const MatrixFragment& fragment, int lane) {
    std::vector<LaneRun> runs;
    for (int e = 0; e < fragment.elements; ++e) {
        if (fragment.repeats(e)) continue;
        const MatrixPlace at = fragment.place(lane, e);
        if (!runs.empty()) {
            LaneRun& last = runs.back();
            const bool right = at == MatrixPlace{last.first.row, last.first.column + last.across};
            const bool below = at == MatrixPlace{last.first.row + last.down, last.first.column};
            if ((right && last.down == 1) || (below && last.across == 1)) {
                (right ? last.across : last.down) += 1;
                last.last_element = e;
                continue;
            }
        }
        runs.push_back({at, 1, 1, e, e});
    }
    return runs;
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

/// A, B and D side by side. Where cells are small they are higher than wide, and a matrix whose lanes hold
/// single columns gets more of the width, so that the numbers of lanes fit.
std::vector<FragmentPanel> place_in_row(const Ink& ink, const Box& room, const MatrixInstruction& form,
                                        float square, float largest_cell) {
    const float label = text_height(ink.theme.fonts.words) + ink.px(6);
    const float gap = ink.px(square < ink.px(24) ? 14 : 22);
    struct Part {
        const MatrixFragment* fragment;
        const char* name;
        float weight;
    };
    std::array<Part, 3> parts{
        {{&form.fragments[1], "A", 1}, {&form.fragments[2], "B", 1}, {&form.fragments[0], "D", 1}}};
    float columns = 0;
    int rows = 0;
    for (Part& part : parts) {
        if (square < ink.px(24))
            part.weight = runs_of_lane(*part.fragment, 0).front().across > 1 ? 0.85f : 1.3f;
        columns += part.weight * static_cast<float>(part.fragment->columns);
        rows = std::max(rows, part.fragment->rows);
    }
    const float unit = square < ink.px(24) ? (room.width() - 2 * gap) / columns : square;
    // Cells that are not square are as high as the room, and at most 1.6 times as high as wide.
    const float high = square < ink.px(24)
                           ? std::floor(std::min({(room.height() - label) / static_cast<float>(rows),
                                                  1.6f * unit, ink.px(48)}))
                           : square;
    const ImVec2 cell{std::min(unit, largest_cell), std::min(high, largest_cell)};
    float x = room.x0 + std::max(0.0f, (room.width() - cell.x * columns - 2 * gap) / 2);
    std::vector<FragmentPanel> panels;
    for (const Part& part : parts) {
        const ImVec2 size{std::floor(part.weight * cell.x), cell.y};
        panels.push_back(panel_at(*part.fragment, part.name, x, room.y0 + label, size));
        x = panels.back().grid.x1 + gap;
    }
    return panels;
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
    if (in_row > 1.5f * cell) return place_in_row(ink, room, form, in_row, largest_cell);
    const float width = cell * static_cast<float>(a.columns + d.columns) + gap;
    const float left = room.x0 + std::max(0.0f, (room.width() - width) / 2);
    const float d_x = left + cell * static_cast<float>(a.columns) + gap;
    const float b_y = room.y0 + label, d_y = b_y + cell * static_cast<float>(b.rows) + gap + label;
    const ImVec2 square{cell, cell};
    return {panel_at(a, "A", left, d_y, square), panel_at(b, "B", d_x, b_y, square),
            panel_at(d, "D", d_x, d_y, square)};
}

}  // namespace

std::optional<MatrixPlace> FragmentPanel::cell_at(ImVec2 at) const {
    if (!grid.has(at)) return std::nullopt;
    return MatrixPlace{static_cast<int>((at.y - grid.y0) / cell.y),
                       static_cast<int>((at.x - grid.x0) / cell.x)};
}

Box FragmentPanel::box_of(MatrixPlace place) const {
    const float x = grid.x0 + cell.x * static_cast<float>(place.column);
    const float y = grid.y0 + cell.y * static_cast<float>(place.row);
    return {x, y, x + cell.x, y + cell.y};
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
                                  left + static_cast<float>(i % across) * pitch_x, y, {cell, cell}));
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
    const float over = panel.cell.x < ink.px(20) ? ink.px(12) : ink.px(200);
    ink.heading({panel.grid.x0, panel.grid.y0 - label, panel.grid.x1 + over, panel.grid.y0},
                {fmt::format("{} {}", size, to_string(fragment.element)), size, panel.name});
    // Numbers in only some of the cells would look like a difference.
    const LaneRun sample = runs_of_lane(fragment, 0).front();
    ImFont* small = theme.fonts.small;
    const float wide = panel.cell.x * static_cast<float>(sample.across),
                high = panel.cell.y * static_cast<float>(sample.down);
    const bool numbered = wide >= text_width(small, "20") + ink.px(1) && high >= 0.8f * text_height(small);
    const bool roomy = high >= 2 * text_height(small) + ink.px(2) && wide >= text_width(small, "r0–1");
    for (int holder = 0; holder < warp_size; ++holder) {
        // Four lanes share a row of most fragments: neighbours differ in hue, groups of four in depth.
        const ImU32 fill =
            mix(theme.panel, theme.category(holder / 4), holder == lane ? 1.0 : 0.35 + 0.1 * (holder % 4));
        for (const LaneRun& run : runs_of_lane(fragment, holder)) {
            const Box begin = panel.box_of(run.first);
            const Box end = panel.box_of({run.first.row + run.down - 1, run.first.column + run.across - 1});
            const Box box{begin.x0, begin.y0, end.x1 - 1, end.y1 - 1};
            ink.fill(box, fill);
            // Notches at the edges divide elements of one lane: a line would cross the number.
            const float notch = ink.px(1);
            for (int i = 1; i < run.across; ++i) {
                const float x = begin.x0 + panel.cell.x * static_cast<float>(i);
                ink.fill({x - 1, box.y0, x, numbered ? box.y0 + notch : box.y1}, theme.panel);
                if (numbered) ink.fill({x - 1, box.y1 - notch, x, box.y1}, theme.panel);
            }
            for (int i = 1; i < run.down; ++i) {
                const float y = begin.y0 + panel.cell.y * static_cast<float>(i);
                ink.fill({box.x0, y - 1, numbered ? box.x0 + notch : box.x1, y}, theme.panel);
                if (numbered) ink.fill({box.x1 - notch, y - 1, box.x1, y}, theme.panel);
            }
            if (!numbered) continue;
            const ImU32 words = theme.text_on(fill);
            const auto write = [&](const Box& at, const std::string& text) {
                ink.text_if_fits(at, text, small, words);
            };
            if (!roomy) {
                write(box, fmt::format("{}", holder));
                continue;
            }
            const int first = panel.first_register + run.first_element / fragment.per_register();
            const int last = panel.first_register + run.last_element / fragment.per_register();
            const float middle = box.centre().y, line = text_height(small);
            write({box.x0, middle - line, box.x1, middle}, fmt::format("{}", holder));
            write({box.x0, middle, box.x1, middle + line},
                  first == last ? fmt::format("r{}", first) : fmt::format("r{}–{}", first, last));
        }
    }
    if (other)
        for (const MatrixPlace place : moved_elements(fragment, *other)) {
            const Box box = panel.box_of(place);
            outline_change(ink, {box.x0, box.y0, box.x1 - 1, box.y1 - 1});
        }
    for (const LaneRun& run : runs_of_lane(fragment, lane)) {
        const Box first = panel.box_of(run.first);
        const Box last = panel.box_of({run.first.row + run.down - 1, run.first.column + run.across - 1});
        ink.outline({first.x0 - 1, first.y0 - 1, last.x1, last.y1}, theme.selected, 2);
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

Headline fragments_headline(const MatrixInstruction& form) {
    int count = 0;
    const std::size_t counted_ones = form.work == MatrixWork::multiply ? 1 : form.fragments.size();
    for (std::size_t i = 0; i < counted_ones; ++i) count += distinct(form.fragments[i]);
    const MatrixFragment& first = form.fragments.front();
    return {fmt::format("{}", count), "elements per lane",
            fmt::format("{}, {} × {}, {}",
                        form.work == MatrixWork::multiply ? std::string("of the result D")
                                                          : counted(counted_ones, "matrix", "matrices"),
                        first.rows, first.columns, to_string(first.element))};
}

}  // namespace warplens::app
