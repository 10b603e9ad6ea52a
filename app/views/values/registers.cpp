#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/pipeline/values/value_words.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/cell_text.h"
#include "app/views/shared/two_runs.h"
#include "app/views/values/parts.h"

namespace warplens::app {
namespace {

std::string changed_text(const StepValues& values, const RegisterValue& value) {
    const std::string before = register_text(value, values.lane, false),
                      after = register_text(value, values.lane, true);
    return value.result && values.state.executed.has(values.lane) ? before + " → " + after : after;
}

struct RegisterColumns {
    float name = 0, type = 0, cuda = 0;
};

void draw_register(const ValuesPart& part, const RegisterValue& value, Box row, const RegisterColumns& at) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    const bool part_of_step = value.result || value.operand;
    const ImU32 colour = part_of_step ? theme.text : theme.text_dim;
    if (value.result) ink.fill(row, with_alpha(theme.category(2), 0.22), ink.px(3));
    else if (value.operand) ink.fill(row, with_alpha(theme.category(0), 0.18), ink.px(3));
    row = {row.x0 + ink.px(6), row.y0, row.x1 - ink.px(6), row.y1};
    ink.text(row.take_left(at.name), value.name, theme.fonts.code, colour);
    ink.text(row.take_left(at.type), ptx::to_string(value.type), theme.fonts.small, theme.text_dim);
    ink.text(row.take_left(at.cuda), value.cuda, theme.fonts.code, theme.text_dim);
    ink.text(row, changed_text(part.values, value), theme.fonts.code, colour, Align::right);
}

}  // namespace

std::vector<RegisterRow> register_rows(const StepValues& values) {
    std::vector<RegisterRow> rows;
    for (std::size_t i = 0; i < values.registers.size(); ++i)
        if (values.registers[i].state.written_after.has(values.lane) || values.registers[i].result ||
            values.registers[i].operand)
            rows.push_back({i});
    std::ranges::stable_sort(rows, {}, [&](const RegisterRow& row) {
        const RegisterValue& value = values.registers[row.index];
        return value.result                    ? 0
               : value.operand                 ? 1
               : !value.cuda.empty()           ? 2
               : value.type != ptx::Type::pred ? 3
                                               : 4;
    });
    return rows;
}

float register_row_height(const Ink& ink) { return text_height(ink.theme.fonts.code) + ink.px(4); }

std::optional<ImVec2> ValuesPart::mouse_in(const Box& box) const {
    if (!interactive || !ImGui::IsWindowHovered() || !box.has(ImGui::GetMousePos())) return std::nullopt;
    return ImGui::GetMousePos();
}

std::string in_every_lane(const RegisterValue& value) {
    return fmt::format("{}{} in every lane, after the step", value.name,
                       value.cuda.empty() ? "" : " (" + value.cuda + ")");
}

namespace {

int strip_columns(const Ink& ink, float width) {
    return width >= ink.px(32 * 30) ? warp_size : warp_size / 2;
}

}  // namespace

float lane_strip_height(const Ink& ink, float width) {
    const int rows = warp_size / strip_columns(ink, width);
    const float cell = text_height(ink.theme.fonts.small) * 2 + ink.px(4);
    return static_cast<float>(rows) * (cell + ink.px(2));
}

int draw_lane_strip(const ValuesPart& part, const RegisterValue& value, Box box) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    const int columns = strip_columns(ink, box.width()), rows = warp_size / columns;
    const float pitch = box.width() / static_cast<float>(columns);
    const float height = box.height() / static_cast<float>(rows);
    std::array<std::string, warp_size> texts;
    for (int lane = 0; lane < warp_size; ++lane)
        texts[static_cast<std::size_t>(lane)] = register_text(value, lane, true);
    const std::vector<std::string> shown = cell_texts(ink, texts, std::floor(pitch) - ink.px(6));
    int clicked = -1;
    for (int lane = 0; lane < warp_size; ++lane) {
        const float x = box.x0 + pitch * static_cast<float>(lane % columns);
        const float y = box.y0 + height * static_cast<float>(lane / columns);
        const Box cell{std::round(x), y, std::round(x + pitch) - ink.px(2), y + height - ink.px(2)};
        const bool on = part.values.state.executed.has(lane);
        if (on) ink.fill(cell, mix(theme.category(value.result ? 2 : 0), theme.background, 0.78), ink.px(2));
        else ink.hatch(cell, theme.inactive, 4);
        Box words = cell;
        const Box number = words.take_top(text_height(theme.fonts.small));
        ink.text(number, std::to_string(lane), theme.fonts.small, theme.text_dim, Align::centre);
        const std::string& text = texts[static_cast<std::size_t>(lane)];
        ink.text(words, shown[static_cast<std::size_t>(lane)], theme.fonts.small,
                 on ? theme.text : theme.text_dim, Align::centre);
        if (lane_differs(part, value, lane)) outline_change(ink, cell);
        if (lane == part.values.lane) ink.outline(cell, theme.selected, ink.px(2), ink.px(2));
        hit_box(fmt::format("{} lane {}", part.hits, lane), cell.min(), cell.max());
        if (!part.mouse_in(cell)) continue;
        ink.fill(cell, theme.hovered, ink.px(2));
        if (ImGui::IsMouseClicked(0)) clicked = lane;
        tooltip_card(theme, fmt::format("`{}` of lane {}: {}{}", value.name, lane, text,
                                        on ? "" : "; the lane does not execute this step"));
    }
    return clicked;
}

namespace {

/// Something to compare: not the same in all lanes, and each value short enough for its cell.
bool tells_lanes_apart(const ValuesPart& part, const RegisterValue& value, float cell) {
    const LaneMask executed = part.values.state.executed;
    std::string first;
    bool differs = false, fits = true;
    for_each_lane(executed, [&](int lane) {
        const std::string text = register_text(value, lane, true);
        if (first.empty()) first = text;
        differs |= text != first;
        const std::string shown = cell_text(part.ink, text, cell);
        fits &= shown != "…" && text_width(part.ink.theme.fonts.small, shown) <= cell;
    });
    return differs && fits;
}

}  // namespace

int draw_more_strips(const ValuesPart& part, const RegisterValue* shown, Box box) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    const float line = text_height(theme.fonts.words) + ink.px(4);
    const float strip = lane_strip_height(ink, box.width());
    const int columns = strip_columns(ink, box.width());
    const float cell = box.width() / static_cast<float>(columns) - ink.px(6);
    int clicked = -1;
    for (const RegisterRow& row : register_rows(part.values)) {
        if (box.height() < line + strip) break;
        const RegisterValue& value = part.values.registers[row.index];
        if (&value == shown || value.type == ptx::Type::pred || !tells_lanes_apart(part, value, cell))
            continue;
        ink.text(box.take_top(line), in_every_lane(value), theme.fonts.words, theme.text);
        ValuesPart other = part;
        const std::string hits = fmt::format("values of {}", value.name);
        other.hits = hits;
        if (const int lane = draw_lane_strip(other, value, box.take_top(strip)); lane >= 0) clicked = lane;
        box.take_top(ink.px(6));
    }
    return clicked;
}

int draw_registers(const ValuesPart& part, std::span<const RegisterRow> rows, Box box, float& scroll) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    RegisterColumns at;
    for (const RegisterRow& row : rows) {
        if (row.index == RegisterRow::nothing) continue;
        const RegisterValue& value = part.values.registers[row.index];
        at.name = std::max(at.name, text_width(theme.fonts.code, value.name) + ink.px(10));
        at.type = std::max(at.type, text_width(theme.fonts.small, ptx::to_string(value.type)) + ink.px(10));
        at.cuda = std::max(at.cuda, text_width(theme.fonts.code, value.cuda) + ink.px(10));
    }
    at.cuda = std::min(at.cuda, box.width() * 0.34f);
    const float height = register_row_height(ink);
    const auto fit = static_cast<std::size_t>(std::max(0.0f, std::floor(box.height() / height)));
    const std::size_t most = rows.size() > fit ? rows.size() - fit : 0;
    if (part.mouse_in(box) && ImGui::GetIO().MouseWheel != 0) scroll -= 3 * ImGui::GetIO().MouseWheel;
    scroll = std::clamp(scroll, 0.0f, static_cast<float>(most));
    const auto first = static_cast<std::size_t>(scroll);
    int clicked = -1;
    for (std::size_t row = 0; row < fit && first + row < rows.size(); ++row) {
        const float y = box.y0 + height * static_cast<float>(row);
        const Box line{box.x0, y, box.x1, y + height - ink.px(1)};
        const bool last = row + 1 == fit && first + fit < rows.size();
        if (last) {
            ink.text(line, fmt::format("+ {} more", rows.size() - first - row), theme.fonts.small,
                     theme.text_dim);
            break;
        }
        const RegisterRow& shown = rows[first + row];
        if (shown.index == RegisterRow::nothing) {
            ink.text({line.x0 + ink.px(6), line.y0, line.x1, line.y1}, "–", theme.fonts.code, theme.text_dim);
            continue;
        }
        const RegisterValue& value = part.values.registers[shown.index];
        draw_register(part, value, line, at);
        if (shown.differs) outline_change(ink, line);
        hit_box(fmt::format("{} register {}", part.hits, value.name), line.min(), line.max());
        if (!part.mouse_in(line)) continue;
        ink.fill(line, theme.hovered, ink.px(3));
        if (ImGui::IsMouseClicked(0)) clicked = static_cast<int>(shown.index);
    }
    return clicked;
}

}  // namespace warplens::app
