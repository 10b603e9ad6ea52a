#include "app/views/passes/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "core/program.h"

namespace warplens::app {

namespace {

/// Tabs as four spaces, for a font that has none.
std::string spaced(std::string_view line) {
    std::string text;
    for (const char c : line)
        if (c == '\t') text += "    ";
        else text += c;
    return text;
}

}  // namespace

void PassListing::lay_out(const PassText& pass) {
    of_ = &pass;
    rows_.clear();
    before_ = split_lines(pass.before);
    after_ = split_lines(pass.after);
    if (folds_) {
        rows_ = fold_equal_lines(pass.lines, opened_);
        return;
    }
    for (std::uint32_t i = 0; i < pass.lines.size(); ++i) rows_.push_back({i, 0});
}

void PassListing::draw(const Theme& theme, const PassText& pass, ImVec2 size, bool interactive) {
    if (of_ != &pass || rows_.empty()) lay_out(pass);
    const float scale = theme.fonts.scale, row = std::round(text_height(theme.fonts.code) + 3 * scale);
    const float number = text_width(theme.fonts.code, "00000"), sign = number + 10 * scale;
    const float code = sign + text_width(theme.fonts.code, "+") + 10 * scale;
    compat::begin_child("passes listing", size,
                        interactive ? ImGuiWindowFlags_HorizontalScrollbar
                                    : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::uint32_t open = no_index;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), row);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const FoldedLine& at_row = rows_[static_cast<std::size_t>(i)];
            ImGui::SetCursorPosY(static_cast<float>(i) * row);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float text_top = at.y + 1.5f * scale;
            float right = at.x + ImGui::GetContentRegionAvail().x;
            // Only complete lines: one that is cut below cannot be read.
            if (at.y + row > list.GetClipRectMax().y + 1) continue;
            if (at_row.folded > 0) {
                const ImVec2 max{right, at.y + row};
                const std::string words = fmt::format("… {} unchanged", counted(at_row.folded, "line"));
                list.AddRectFilled({at.x + sign, at.y + scale}, {max.x, max.y - scale}, theme.raised,
                                   2 * scale);
                draw_text(list, theme.fonts.small,
                          {at.x + code, at.y + (row - text_height(theme.fonts.small)) / 2}, theme.text_dim,
                          words);
                hit_box(fmt::format("passes folded {}", at_row.line), at, max);
                if (interactive && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, max)) {
                    list.AddRectFilled(at, max, theme.hovered);
                    if (ImGui::IsMouseClicked(0)) open = at_row.line;
                }
                ImGui::Dummy({right - at.x, row});
                continue;
            }
            const DiffLine& line = pass.lines[at_row.line];
            const bool removed = line.kind == DiffLine::Kind::removed,
                       added = line.kind == DiffLine::Kind::added;
            const std::string text = spaced(removed ? before_[line.before] : after_[line.after]);
            const float width = text_width(theme.fonts.code, text);
            if (interactive) right = std::max(right, at.x + code + width);
            if (added || removed) {
                const ImU32 colour = added ? theme.ideal : theme.cost;
                list.AddRectFilled({at.x + sign - 4 * scale, at.y}, {right, at.y + row},
                                   with_alpha(colour, 0.16));
                list.AddRectFilled({at.x + sign - 4 * scale, at.y}, {at.x + sign - scale, at.y + row},
                                   colour);
                draw_text(list, theme.fonts.code, {at.x + sign + 2 * scale, text_top}, colour,
                          added ? "+" : "−");
            }
            if (!removed)
                draw_text_right(list, theme.fonts.code, {at.x + number, text_top}, theme.text_dim,
                                fmt::format("{}", line.after + 1));
            const bool comment = text.find_first_not_of(' ') != std::string::npos &&
                                 text.compare(text.find_first_not_of(' '), 2, "//") == 0;
            draw_text(list, theme.fonts.code, {at.x + code, text_top},
                      removed || comment ? theme.text_dim : theme.text,
                      interactive ? text : fit_text(theme.fonts.code, text, right - at.x - code));
            if (removed)
                list.AddLine({at.x + code, at.y + row / 2}, {at.x + code + width, at.y + row / 2},
                             with_alpha(theme.cost, 0.8), scale);
            ImGui::Dummy({right - at.x, row});
        }
    }
    clipper.End();
    ImGui::EndChild();
    if (open == no_index) return;
    opened_.push_back(open);
    rows_.clear();
}

}  // namespace warplens::app
