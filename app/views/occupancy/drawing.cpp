#include "app/views/occupancy/drawing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr std::array<const char*, 4> limit_names{"warps", "blocks", "registers", "shared memory"};

std::string limit_amount(int limit, int value) {
    return limit == 3 ? bytes_words(static_cast<std::uint64_t>(value))
                      : grouped(static_cast<std::uint64_t>(value));
}

const char* knob_name(analysis::OccupancyKnob knob) {
    switch (knob) {
        case analysis::OccupancyKnob::threads_per_block:
            return "threads per block";
        case analysis::OccupancyKnob::registers_per_thread:
            return "registers per thread";
        case analysis::OccupancyKnob::shared_bytes_per_block:
            return "shared memory per block";
    }
    return "";
}

std::string knob_amount(analysis::OccupancyKnob knob, int value) {
    return knob == analysis::OccupancyKnob::shared_bytes_per_block
               ? bytes_words(static_cast<std::uint64_t>(value))
               : grouped(static_cast<std::uint64_t>(value));
}

float limit_row_height(const Theme& theme) { return text_height(theme.fonts.code) + 6 * theme.fonts.scale; }

/// Those of the table, and after the GPU that it is based on, the chosen one where it has limits of its own.
std::vector<const GpuSpec*> rows_of_gpu_table(const GpuSpec& chosen) {
    std::vector<const GpuSpec*> gpus;
    for (const GpuSpec& gpu : gpu_specs()) {
        gpus.push_back(&gpu);
        if (gpu.name == chosen.based_on) gpus.push_back(&chosen);
    }
    return gpus;
}

}  // namespace

void draw_warp_slots(ImDrawList& list, const Theme& theme, Region box, const GpuSpec& gpu,
                     const analysis::Occupancy& occupancy) {
    const int schedulers = std::max(gpu.schedulers_per_sm, 1);
    const int columns = std::max((gpu.max_warps_per_sm + schedulers - 1) / schedulers, 1);
    const float scale = theme.fonts.scale, gap = 2 * scale;
    const float label = text_width(theme.fonts.small, "scheduler 0") + 12 * scale;
    const float cell = std::min((box.width() - label) / static_cast<float>(columns),
                                box.height() / static_cast<float>(schedulers));
    const int warps_per_block =
        occupancy.blocks_per_sm > 0 ? occupancy.warps_per_sm / occupancy.blocks_per_sm : 0;
    // All numbers of the blocks, or none.
    const std::string widest(std::to_string(std::max(occupancy.blocks_per_sm - 1, 0)).size(), '0');
    const bool numbered = cell - gap >= text_width(theme.fonts.small, widest);
    // Rows lower than a name: only every so many are named.
    const int named = std::max(1, static_cast<int>(std::ceil(text_height(theme.fonts.small) / cell)));
    for (int scheduler = 0; scheduler < schedulers; ++scheduler) {
        const float y = box.min.y + cell * static_cast<float>(scheduler);
        if (scheduler % named == 0)
            draw_text(list, theme.fonts.small,
                      {box.min.x, y + (cell - gap - text_height(theme.fonts.small)) / 2}, theme.text_dim,
                      fmt::format("scheduler {}", scheduler));
        for (int column = 0; column < columns; ++column) {
            const int warp =
                column * schedulers + scheduler;  // consecutive warps go to consecutive schedulers
            if (warp >= gpu.max_warps_per_sm) break;
            const ImVec2 min{box.min.x + label + cell * static_cast<float>(column), y};
            const ImVec2 max{min.x + cell - gap, min.y + cell - gap};
            if (notes_boxes()) hit_box(fmt::format("occupancy slot {}", warp), min, max);
            if (warp < occupancy.warps_per_sm) {
                const int block = warps_per_block > 0 ? warp / warps_per_block : 0;
                const ImU32 fill = theme.category(block % 8);
                list.AddRectFilled(min, max, fill, 2 * scale);
                if (numbered)
                    draw_text_centred(list, theme.fonts.small, min, max, theme.text_on(fill),
                                      std::to_string(block));
            } else {
                draw_hatched(list, theme, min, max, theme.inactive);
                compat::add_rect(list, min, max, theme.hairline, 2 * scale);
            }
        }
    }
}

void draw_limit_bars(ImDrawList& list, const Theme& theme, Region box, const analysis::Occupancy& occupancy,
                     const analysis::Occupancy* ghost) {
    const float scale = theme.fonts.scale;
    const float height = box.height() / 4, bar = std::min(16 * scale, height * 0.6f);
    const float names = text_width(theme.fonts.words, "shared memory") + 12 * scale;
    // As wide as their contents; if the bars then get too little room, the last column is shortened.
    std::array<std::string, 4> amounts, rooms;
    float figures = 0, blocks = 0;
    const auto measure = [&](bool brief) {
        figures = blocks = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const bool limits = is_limit(occupancy, i);
            const std::string allowed = counted(occupancy.blocks_allowed[i], "block");
            rooms[i] = brief ? allowed : (limits ? "limit: " : "fits ") + allowed;
            amounts[i] = fmt::format("{} of {}", limit_amount(static_cast<int>(i), occupancy.used[i]),
                                     limit_amount(static_cast<int>(i), occupancy.available[i]));
            figures = std::max(figures, text_width(theme.fonts.code, amounts[i]) + 12 * scale);
            blocks = std::max(blocks, text_width(theme.fonts.words, rooms[i]) + 16 * scale);
        }
        return box.width() - names - figures - blocks > 80 * scale;
    };
    if (!measure(false)) measure(true);
    const float left = box.min.x + names, right = std::max(box.max.x - figures - blocks, left + 24 * scale);
    for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool limits = is_limit(occupancy, at);
        const float middle = box.min.y + height * (static_cast<float>(i) + 0.5f);
        const auto share_of = [at](const analysis::Occupancy& fit) {
            return fit.available[at] > 0
                       ? static_cast<float>(fit.used[at]) / static_cast<float>(fit.available[at])
                       : 0.0f;
        };
        const float share = share_of(occupancy);
        const float text_top = middle - text_height(theme.fonts.words) / 2;
        draw_text(list, theme.fonts.words, {box.min.x, text_top}, theme.text, limit_names[at]);
        hit_box(std::string("occupancy ") + limit_names[at], {left, middle - bar / 2},
                {right, middle + bar / 2});
        list.AddRectFilled({left, middle - bar / 2}, {right, middle + bar / 2}, theme.raised, 3 * scale);
        list.AddRectFilled({left, middle - bar / 2},
                           {left + (right - left) * std::clamp(share, 0.0f, 1.0f), middle + bar / 2},
                           limits ? theme.cost : theme.ideal, 3 * scale);
        if (ghost) {
            const float end = left + (right - left) * std::clamp(share_of(*ghost), 0.0f, 1.0f);
            const float reach = bar / 2 + 2 * scale;
            compat::add_rect(list, {left, middle - reach}, {end, middle + reach}, theme.text, 3 * scale,
                             1.5f * scale);
        }
        draw_text_right(list, theme.fonts.code, {right + figures, middle - text_height(theme.fonts.code) / 2},
                        theme.text, amounts[at]);
        draw_text_right(list, theme.fonts.words, {box.max.x, text_top}, limits ? theme.cost : theme.text_dim,
                        rooms[at]);
    }
}

int draw_occupancy_curve(ImDrawList& list, const Theme& theme, Region box, const GpuSpec& gpu,
                         const std::vector<analysis::OccupancyPoint>& curve, analysis::OccupancyKnob knob,
                         int current, bool interactive) {
    if (curve.empty()) return -1;
    const float scale = theme.fonts.scale, small = text_height(theme.fonts.small);
    const std::string amount = knob_amount(knob, current);
    const float room = box.width() - text_width(theme.fonts.code, amount) - 8 * scale;
    std::string_view name = knob_name(knob);
    if (text_width(theme.fonts.words, name) > room) name = name.substr(0, name.find(" per "));
    draw_text(list, theme.fonts.words, box.min, theme.text, fit_text(theme.fonts.words, name, room));
    draw_text_right(list, theme.fonts.code, {box.max.x, box.min.y}, theme.text, amount);
    const float axis = text_width(theme.fonts.small, "64") + 6 * scale;
    const Region plot{{box.min.x + axis, box.min.y + text_height(theme.fonts.words) + 8 * scale},
                      {box.max.x - 4 * scale, box.max.y - small - 6 * scale}};
    const int first = curve.front().value, last = std::max(curve.back().value, first + 1);
    const auto x_of = [&](int value) {
        return plot.min.x +
               plot.width() * static_cast<float>(value - first) / static_cast<float>(last - first);
    };
    const auto y_of = [&](int warps) {
        return plot.max.y -
               plot.height() * static_cast<float>(warps) / static_cast<float>(gpu.max_warps_per_sm);
    };
    for (int quarter = 0; quarter <= 4; quarter += 2) {
        const int warps = gpu.max_warps_per_sm * quarter / 4;
        draw_horizontal_hairline(list, theme, plot.min.x, plot.max.x, y_of(warps));
        const bool room = quarter == 4 || plot.height() > (quarter == 0 ? 1 : 2) * 1.2f * small;
        if (!room) continue;
        draw_text_right(list, theme.fonts.small, {plot.min.x - 4 * scale, y_of(warps) - small / 2},
                        theme.text_dim, fmt::format("{}", warps));
    }
    std::vector<ImVec2> line;
    const analysis::OccupancyPoint* here = &curve.front();
    for (const auto& point : curve) {
        const float y = y_of(point.warps_per_sm);
        if (line.empty() || y != line.back().y) {  // corners only: equal neighbours would thicken the line
            if (!line.empty()) line.push_back({x_of(point.value), line.back().y});
            line.push_back({x_of(point.value), y});
        }
        if (std::abs(point.value - current) < std::abs(here->value - current)) here = &point;
    }
    line.push_back({x_of(last), line.back().y});
    compat::add_polyline(list, line.data(), static_cast<int>(line.size()), theme.ideal, false, 2 * scale);
    const ImVec2 dot{x_of(std::clamp(current, first, last)), y_of(here->warps_per_sm)};
    list.AddLine({dot.x, plot.min.y}, {dot.x, plot.max.y}, theme.selected, scale);
    list.AddCircleFilled(dot, 5 * scale, theme.cost);
    list.AddCircle(dot, 5 * scale, theme.panel, 0, 1.5f * scale);
    draw_text(list, theme.fonts.small, {plot.min.x, plot.max.y + 4 * scale}, theme.text_dim,
              knob_amount(knob, first));
    draw_text_right(list, theme.fonts.small, {plot.max.x, plot.max.y + 4 * scale}, theme.text_dim,
                    knob_amount(knob, last));
    if (!interactive) return -1;
    hit_box(fmt::format("curve {}", knob_name(knob)), plot.min, plot.max);
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(plot.min, plot.max)) return -1;
    const float share = (mouse.x - plot.min.x) / plot.width();
    const int value = first + static_cast<int>(std::lround(share * static_cast<float>(last - first)));
    return ImGui::IsMouseDown(0) ? value : -1;
}

float gpu_table_height(const Theme& theme, const GpuSpec& chosen) {
    return gpu_table_height(theme, rows_of_gpu_table(chosen).size());
}

float gpu_table_height(const Theme& theme, std::size_t rows) {
    return limit_row_height(theme) * static_cast<float>(rows + 1);
}

namespace {

/// "warps and registers", or "warps, registers" where that is too wide.
std::string limiter_cell(const Theme& theme, const analysis::Occupancy& fit, float width) {
    ImFont* font = theme.fonts.words;
    std::string words(fit.blocks_per_sm > 0 ? analysis::limiters_in_words(fit)
                                            : std::string(analysis::to_string(fit.limiter)));
    const std::size_t joined = words.find(" and ");
    if (joined != std::string::npos && text_width(font, words) > width) words.replace(joined, 5, ", ");
    return fit_text(font, words, width);
}

}  // namespace

const GpuSpec* draw_gpu_table(ImDrawList& list, const Theme& theme, Region box,
                              const analysis::OccupancyInput& input, const GpuSpec& chosen,
                              bool interactive) {
    const float scale = theme.fonts.scale, row = limit_row_height(theme);
    // Right edges of the columns, as shares of the width.
    const auto right_edge = [&](float share) { return box.min.x + box.width() * share; };
    const std::array<float, 5> edges{0.31f, 0.41f, 0.505f, 0.66f, 0.99f};
    const std::array<const char*, 5> titles{"cc", "blocks", "warps", "occupancy", "limiter"};
    draw_text(list, theme.fonts.small, box.min, theme.text_dim, "GPU");
    for (std::size_t i = 0; i < edges.size(); ++i) {
        draw_text_right(list, theme.fonts.small, {right_edge(edges[i]), box.min.y}, theme.text_dim,
                        titles[i]);
    }
    // Where not all fit, those around the chosen one; the last row then says how many are missing.
    const std::vector<const GpuSpec*> gpus = rows_of_gpu_table(chosen);
    const int count = static_cast<int>(gpus.size());
    int rows = std::max(static_cast<int>((box.height() + 1) / row) - 1, 1), begin = 0;
    const bool cut = rows < count;
    if (cut) {
        rows = std::max(rows - 1, 1);
        const int at = static_cast<int>(std::ranges::find(gpus, &chosen) - gpus.begin());
        begin = std::clamp(at - rows / 2, 0, count - rows);
        draw_text(list, theme.fonts.small,
                  {box.min.x, box.min.y + row * static_cast<float>(rows + 1) + 3 * scale}, theme.text_dim,
                  fmt::format("{} more in a taller view", count - rows));
    } else {
        rows = count;
    }
    const GpuSpec* clicked = nullptr;
    for (int index = begin; index < begin + rows; ++index) {
        const GpuSpec& gpu = *gpus[static_cast<std::size_t>(index)];
        const float top = box.min.y + row * static_cast<float>(index - begin + 1);
        const ImVec2 min{box.min.x - 4 * scale, top}, max{box.max.x, top + row};
        const bool hovered = interactive && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
        if (hovered) list.AddRectFilled(min, max, theme.hovered, 3 * scale);
        if (hovered && ImGui::IsMouseClicked(0)) clicked = &gpu;
        if (&gpu == &chosen) compat::add_rect(list, min, max, theme.selected, 3 * scale, 1.5f * scale);
        if (interactive) hit_box(fmt::format("gpu {}", gpu.name), min, max);
        const analysis::Occupancy fit = analysis::occupancy(gpu, input);
        const float y = top + 3 * scale;
        draw_text(list, theme.fonts.words, {box.min.x, y - scale}, theme.text,
                  fit_text(theme.fonts.words, gpu.name, box.width() * 0.25f));
        const bool fits = fit.blocks_per_sm > 0;
        const std::array<std::string, 5> cells{
            fmt::format("{}.{}", gpu.major, gpu.minor), fits ? fmt::format("{}", fit.blocks_per_sm) : "none",
            fmt::format("{}", fit.warps_per_sm), percent(fit.theoretical),
            limiter_cell(theme, fit, box.width() * (edges[4] - edges[3]) - 8 * scale)};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            ImFont* font = i == 4 ? theme.fonts.words : theme.fonts.code;
            draw_text_right(list, font, {right_edge(edges[i]), y - (i == 4 ? scale : 0)},
                            i == 4 ? theme.text_dim : theme.text, cells[i]);
        }
    }
    return clicked;
}

}  // namespace warplens::app
