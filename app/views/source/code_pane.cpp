#include "app/views/source/code_pane.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/ui/triangle.h"
#include "app/views/source/code_rows.h"

namespace warplens::app {
namespace {

bool holds(const std::vector<std::uint32_t>& ascending, std::uint32_t line) {
    return line != 0 && std::binary_search(ascending.begin(), ascending.end(), line);
}

constexpr float number_gap = 6;  // after a line's number, unscaled pixels

std::ptrdiff_t characters_in(std::string_view text) {
    return std::ranges::count_if(text,
                                 [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
}

/// Measures of the gutter, in pixels from its left edge.
struct Gutter {
    float number = 0;                        // right edge of the numbers
    std::array<float, heat_columns> cell{};  // widths of the heat columns
    float code = 0;                          // left edge of the code
    std::array<float, heat_columns> left{};  // of each heat column
    std::array<bool, heat_columns> used{};   // a column in which no line says anything is left out
    float arcs = 0;                          // left edge of the arcs; they end where the code begins
};

/// The widest label, or a number of as many digits as the lines have.
const char* widest_number(const std::vector<CodeLine>& lines) {
    const bool marked =
        std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.marked || line.noted; });
    const bool labelled = !lines.empty() && !lines.back().label.empty();
    return marked || labelled ? "000000" : "0000";
}

Gutter gutter_of(const Theme& theme, const HeatTitles& titles, const CodeListing& listing) {
    const std::vector<CodeLine>& lines = listing.lines;
    const float scale = theme.fonts.scale;
    Gutter gutter;
    gutter.number = text_width(theme.fonts.code, widest_number(lines)) + number_gap * scale;
    const float digit = text_width(theme.fonts.code, "0");
    gutter.code = gutter.number;
    for (std::size_t column = 0; column < heat_columns; ++column) {
        std::ptrdiff_t longest = 0;
        if (titles[column] != nullptr)
            for (const CodeLine& line : lines)
                longest = std::max(longest, characters_in(line.heat[column].text));
        gutter.used[column] = longest > 0;
        gutter.left[column] = gutter.code;
        if (!gutter.used[column]) continue;
        longest = std::max<std::ptrdiff_t>(longest, 4);
        gutter.cell[column] = std::max(static_cast<float>(longest) * digit + 8 * scale,
                                       text_width(theme.fonts.small, titles[column]) + 4 * scale);
        gutter.code += gutter.cell[column] + 2 * scale;
    }
    gutter.arcs = gutter.code;
    gutter.code += listing.arcs.empty() ? 14 * scale : arcs_width(theme, listing.arcs);
    return gutter;
}

/// States from the left; what is left of the cell stays dim, so that bars of several lines compare.
void draw_parts(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max,
                const std::vector<HeatCell::Part>& parts) {
    const float inset = std::round(3 * theme.fonts.scale), width = max.x - min.x;
    list.AddRectFilled({min.x, min.y + inset}, {max.x, max.y - inset}, theme.raised);
    float left = min.x;
    for (const HeatCell::Part& part : parts) {
        const float right = std::min(max.x, left + static_cast<float>(part.share) * width);
        list.AddRectFilled({left, min.y + inset}, {right, max.y - inset}, theme.state(part.state));
        left = right;
    }
}

void draw_heat(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, const HeatCell& cell) {
    if (cell.text.empty()) return;
    if (!cell.parts.empty()) return draw_parts(list, theme, min, max, cell.parts);
    const bool has_cost = std::abs(cell.cost) > 0.01;
    const ImU32 strong = cell.cost > 0 ? theme.cost : theme.ideal;
    ImU32 fill = theme.raised;
    if (has_cost) fill = mix(theme.raised, strong, 0.25 + 0.75 * std::abs(cell.cost));
    else if (cell.amount > 0) fill = mix(theme.raised, theme.amount(cell.amount), 0.15 + 0.45 * cell.amount);
    list.AddRectFilled(min, max, fill, 2 * theme.fonts.scale);
    draw_text_right(list, theme.fonts.code,
                    {max.x - 4 * theme.fonts.scale, (min.y + max.y - text_height(theme.fonts.code)) / 2},
                    fill != theme.raised ? theme.text_on(fill) : theme.text_dim, cell.text);
}

/// A line that only one of two texts has: a sign at its left, on a faint ground.
void draw_change(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, CodeLine::Change change) {
    if (change == CodeLine::Change::none) return;
    const bool is_added = change == CodeLine::Change::added;
    const ImU32 colour = is_added ? theme.ideal : theme.cost;
    list.AddRectFilled(min, max, with_alpha(colour, 0.1));
    draw_text(list, theme.fonts.code, {min.x + 2 * theme.fonts.scale, min.y + 2 * theme.fonts.scale}, colour,
              is_added ? "+" : "−");
}

/// A part of a line, `from` and `to` in bytes: code in the text colour, the line comment dimmed. What lies
/// beyond the pane's edge becomes an ellipsis.
void draw_code(ImDrawList& list, const Theme& theme, ImVec2 at, const CodeLine& line, std::size_t from,
               std::size_t to) {
    const std::size_t comment = std::clamp(line.text.find("//"), from, to) - from;
    const std::string text = line.text.substr(from, to - from);
    const std::string seen = fit_text(theme.fonts.code, text, list.GetClipRectMax().x - at.x);
    const std::string_view all(seen);
    const bool cut_in_code = all.substr(0, comment) != std::string_view(text).substr(0, comment);
    const std::string_view code = cut_in_code ? all : all.substr(0, comment), rest = all.substr(code.size());
    draw_text(list, theme.fonts.code, at, line.number == 0 ? theme.text_dim : theme.text, code);
    if (rest.empty()) return;
    if (seen != text) note_shortened(rest, std::string_view(text).substr(comment));
    draw_text(list, theme.fonts.code, {at.x + text_width(theme.fonts.code, code), at.y}, theme.text_dim,
              rest);
}

/// A line's note after its text, as much of it as there is room for.
void draw_note(ImDrawList& list, const Theme& theme, ImVec2 at, const CodeLine& line) {
    if (line.note.empty()) return;
    const float x = at.x + text_width(theme.fonts.code, line.text) + 16 * theme.fonts.scale;
    const float room = list.GetClipRectMax().x - x - 4 * theme.fonts.scale;
    if (room < 24 * theme.fonts.scale) return;
    draw_text(list, theme.fonts.words, {x, at.y}, theme.error, fit_text(theme.fonts.words, line.note, room));
}

/// The arcs that touch the rows in sight; those of chosen and hovered lines stand out.
void draw_gutter_arcs(ImDrawList& list, const Theme& theme, const CodeListing& listing, const CodeRows& rows,
                      float row, float code, const std::vector<std::uint32_t>& chosen,
                      const std::vector<std::uint32_t>& hovered) {
    if (listing.arcs.empty()) return;
    ImGui::SetCursorPosY(0);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const auto middle_of = [&](std::size_t line) {
        return top.y + (static_cast<float>(rows.first[line]) + 0.5f) * row;
    };
    const auto picked = [&](std::size_t line) {
        return holds(chosen, listing.lines[line].number) || holds(hovered, listing.lines[line].number);
    };
    draw_arcs(list, theme, listing.arcs, top.x + code, list.GetClipRectMin().y, list.GetClipRectMax().y,
              middle_of, picked);
}

}  // namespace

float width_of_code(const Theme& theme, const CodeListing& listing) {
    constexpr std::size_t few = 20;  // one line in so many may be longer
    std::vector<std::ptrdiff_t> lengths;
    for (const CodeLine& line : listing.lines) {
        std::string_view code = std::string_view(line.text).substr(0, line.text.find("//"));
        code = code.substr(0, code.find_last_not_of(' ') + 1);
        if (code.empty()) continue;
        lengths.push_back(characters_in(code));
    }
    std::ranges::sort(lengths, std::ranges::greater{});
    const std::ptrdiff_t length = lengths.empty() ? 0 : lengths[lengths.size() / few];
    return static_cast<float>(length) * text_width(theme.fonts.code, "0") + 24 * theme.fonts.scale;
}

float gutter_width(const Theme& theme, const CodeListing& listing, const HeatTitles& titles) {
    return gutter_of(theme, titles, listing).code;
}

float code_pane_width(const Theme& theme, const CodeListing& listing, const HeatTitles& titles) {
    return gutter_width(theme, listing, titles) + width_of_code(theme, listing);
}

namespace {

/// Of the chosen lines the one whose cells cost most, the first of equals.
std::uint32_t dearest_of(const std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& chosen) {
    std::uint32_t dearest = chosen.front();
    double most = 0;
    for (const CodeLine& line : lines) {
        if (!std::ranges::binary_search(chosen, line.number)) continue;
        double cost = 0;
        for (const HeatCell& cell : line.heat) cost += cell.cost;
        if (cost <= most) continue;
        most = cost;
        dearest = line.number;
    }
    return dearest;
}

}  // namespace

CodePaneResult code_pane(const Theme& theme, const char* id, ImVec2 size, const CodeListing& listing,
                         const HeatTitles& titles, const std::vector<std::uint32_t>& chosen,
                         const std::vector<std::uint32_t>& hovered, bool interactive, CodePaneState& state) {
    CodePaneResult result;
    const std::vector<CodeLine>& lines = listing.lines;
    const float scale = theme.fonts.scale, row = text_height(theme.fonts.code) + 4 * scale;
    const Gutter gutter = gutter_of(theme, titles, listing);

    const ImVec2 head = ImGui::GetCursorScreenPos();
    ImDrawList& outer = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < heat_columns; ++i) {
        if (!gutter.used[i]) continue;
        draw_text_right(outer, theme.fonts.small, {head.x + gutter.left[i] + gutter.cell[i], head.y},
                        theme.text_dim, titles[i]);
    }
    draw_arc_numbers(outer, theme, listing.arcs, head.x + gutter.code, head.y);
    const float head_height = text_height(theme.fonts.small) + 6 * scale;
    const bool named = !listing.arcs.empty() || std::ranges::find(gutter.used, true) != gutter.used.end();
    if (named)
        draw_horizontal_hairline(outer, theme, head.x, head.x + size.x, head.y + head_height - 2 * scale);
    ImGui::Dummy({size.x, head_height});

    float height = std::max(size.y - head_height - ImGui::GetStyle().ItemSpacing.y, row);
    compat::begin_child(id, {size.x, height},
                        interactive ? ImGuiWindowFlags_HorizontalScrollbar
                                    : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const float bar = interactive ? ImGui::GetStyle().ScrollbarSize : 0;
    hit_box(fmt::format("{} listing", id), ImGui::GetWindowPos(),
            {ImGui::GetWindowPos().x + size.x, ImGui::GetWindowPos().y + height - bar});
    const float columns =
        std::max(0.0f, size.x - gutter.code - bar - 2 * scale) / text_width(theme.fonts.code, "0");
    const float rows_in_sight = std::max(0.0f, ImGui::GetWindowHeight() - bar) / row;
    const CodeRows rows =
        code_rows(lines, chosen, static_cast<std::size_t>(columns), static_cast<std::size_t>(rows_in_sight));
    // Another size of the pane or of its type must not lose the line that a person looks at.
    const ImVec2 room_now{columns, ImGui::GetWindowHeight() / row};
    const bool resized = state.in_sight && (room_now.x != state.size.x || room_now.y != state.size.y);
    state.size = room_now;
    state.in_sight = false;
    if (!chosen.empty() && (chosen.front() != state.scrolled_to || resized)) {
        if (chosen.front() != state.scrolled_to) state.dearest = dearest_of(lines, chosen);
        state.scrolled_to = chosen.front();
        const auto at = std::ranges::find(lines, state.dearest, &CodeLine::number);
        const auto index = static_cast<std::size_t>(at - lines.begin());
        const float y = static_cast<float>(rows.first[index]) * row;
        const float high = at == lines.end() ? row : static_cast<float>(rows.count(index)) * row;
        const float top = ImGui::GetScrollY(), room = ImGui::GetWindowHeight() - bar;
        if (y < top || y + high > top + room) {
            // Complete rows, and not past the last: the end of the content is not a row boundary.
            const float last = std::max(0.0f, std::floor(static_cast<float>(rows.first.back()) - room / row));
            const float above = std::clamp(room - high, 0.0f, room / 3);
            ImGui::SetScrollY(row * std::clamp(std::ceil((y - above) / row), 0.0f, last));
            state.in_sight = true;  // from the next frame on
        }
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float seen_from = ImGui::GetScrollY(), seen_to = seen_from + ImGui::GetWindowHeight();
    const auto first_seen =
        std::ranges::upper_bound(rows.first, static_cast<std::size_t>(std::max(0.0f, seen_from / row)));
    for (auto i = static_cast<std::size_t>(first_seen - rows.first.begin()) - 1; i < lines.size(); ++i) {
        const CodeLine& line = lines[i];
        const float y = static_cast<float>(rows.first[i]) * row;
        if (y >= seen_to) break;
        const BrokenLine& broken = rows.parts_of(i);
        ImGui::SetCursorPosY(y);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float code_width = broken.is_whole() ? text_width(theme.fonts.code, line.text) : 0;
        const float right = at.x + std::max(gutter.code + code_width, ImGui::GetContentRegionAvail().x);
        const float height_of_line = static_cast<float>(rows.count(i)) * row;
        const ImVec2 max{right, at.y + height_of_line};
        // An image shows only complete lines.
        if (!interactive && (at.y < list.GetClipRectMin().y - 1 || max.y > list.GetClipRectMax().y + 1))
            continue;
        const bool under_mouse =
            interactive && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, max);
        if (!chosen.empty() && line.number == chosen.front() && y >= seen_from &&
            y + height_of_line <= seen_to - bar)
            state.in_sight = true;
        if (holds(chosen, line.number)) list.AddRectFilled(at, max, with_alpha(theme.selected, 0.16));
        if (holds(hovered, line.number) || (under_mouse && line.has_sites)) {
            list.AddRectFilled(at, max, theme.hovered);
        }
        if (holds(chosen, line.number)) {
            list.AddRectFilled(at, {at.x + 3 * scale, max.y}, theme.selected);
        }
        if (line.marked) {
            list.AddRectFilled(at, max, with_alpha(theme.error, 0.12));
            draw_triangle(list, theme, at, {at.x + 14 * scale, at.y + row}, ImGuiDir_Right, theme.error, 9);
        }
        if (line.noted && !line.marked)
            draw_triangle(list, theme, at, {at.x + 14 * scale, at.y + row}, ImGuiDir_Right, theme.text_dim,
                          9);
        const float text_top = at.y + 2 * scale;
        draw_change(list, theme, at, max, line.change);
        if (line.number != 0) {
            draw_text_right(list, theme.fonts.code, {at.x + gutter.number - number_gap * scale, text_top},
                            theme.text_dim, line.label.empty() ? fmt::format("{}", line.number) : line.label);
        }
        for (std::size_t column = 0; column < heat_columns; ++column) {
            if (!gutter.used[column]) continue;
            const float left = at.x + gutter.left[column];
            if (under_mouse && !line.heat[column].text.empty() && ImGui::GetMousePos().x >= left &&
                ImGui::GetMousePos().x < left + gutter.cell[column])
                result.hovered_column = static_cast<int>(column);
            if (!line.heat[column].text.empty())
                hit_box(fmt::format("{} line {} {}", id, line.number, titles[column]), {left, at.y},
                        {left + gutter.cell[column], max.y});
            draw_heat(list, theme, {left, at.y + scale}, {left + gutter.cell[column], at.y + row - scale},
                      line.heat[column]);
        }
        if (under_mouse && ImGui::GetMousePos().x >= at.x + gutter.arcs &&
            ImGui::GetMousePos().x < at.x + gutter.code)
            result.hovered_column = arc_column;
        const float hang = static_cast<float>(broken.hang) * text_width(theme.fonts.code, " ");
        for (std::size_t part = 0; part < broken.starts.size(); ++part) {
            const bool is_last = part + 1 == broken.starts.size();
            draw_code(list, theme,
                      {at.x + gutter.code + (part ? hang : 0), text_top + static_cast<float>(part) * row},
                      line, broken.starts[part], is_last ? line.text.size() : broken.starts[part + 1]);
        }
        if (rows.count(i) == 1) draw_note(list, theme, {at.x + gutter.code, text_top}, line);
        if (line.marked || line.noted) hit_box(fmt::format("{} mark {}", id, line.number), at, max);
        if (under_mouse && !line.note.empty()) tooltip_card(theme, line.note);
        if (under_mouse) {
            result.hovered = line.has_sites ? line.number : 0;
            if (ImGui::IsMouseClicked(0)) {
                result.clicked = line.has_sites ? line.number : 0;
                result.fold_clicked = line.number == 0 && line.change == CodeLine::Change::none;
            }
        }
        if (line.has_sites) hit_box(fmt::format("{} line {}", id, line.number), at, max);
        ImGui::Dummy({right - at.x, height_of_line});
    }
    draw_gutter_arcs(list, theme, listing, rows, row, gutter.code, chosen, hovered);
    // The scroll bar knows all rows.
    ImGui::SetCursorPosY(static_cast<float>(rows.first.back()) * row);
    ImGui::Dummy({0, 0});
    ImGui::EndChild();
    return result;
}

}  // namespace warplens::app
