#include "app/window/launch_note.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "instrumentation/catalog/doubtful_arguments.h"

namespace warplens::app {
namespace {

/// 64 and 1: "64 × 1" is said as "64".
std::string extent_words(std::vector<std::string> extent) {
    std::erase_if(extent, [](const std::string& text) { return text.empty(); });
    while (extent.size() > 1 && extent.back() == "1") extent.pop_back();
    return extent.empty() ? "1" : fmt::format("{}", fmt::join(extent, " × "));
}

/// A line each: "x: random numbers in the program's range, not its own".
std::vector<std::string> contents_of(const instrumentation::LaunchDraft& launch) {
    std::vector<std::string> lines;
    for (const auto* rows : {&launch.arguments, &launch.targets})
        for (const auto& row : *rows)
            if (const std::string words = instrumentation::contents_words(row); !words.empty())
                lines.push_back(row.name + ": " + words);
    return lines;
}

}  // namespace

std::string launch_note_words(const instrumentation::LaunchDraft& launch) {
    std::vector<std::string> others;
    for (const auto* rows : {&launch.arguments, &launch.targets})
        for (const auto& row : *rows)
            if (instrumentation::has_other_contents(row)) others.push_back(row.name);
    std::string words = fmt::format("Launched as in {}: grid {}, block {}.", launch.from,
                                    extent_words(launch.grid), extent_words(launch.block));
    if (!others.empty()) words += fmt::format(" Not the program's own numbers: {}.", fmt::join(others, ", "));
    return words;
}

float launch_note(const Theme& theme, OwnFile& own, FrameState& state,
                  const std::function<void(std::string_view)>& open_view) {
    const auto* launch = !own.is_shown() ? nullptr : own.is_programs_launch() ? &own.draft() : own.followed();
    if (launch == nullptr || own.asks_for_launch() || state.closed_launch_note == own.path()) return 0;
    const float scale = theme.fonts.scale, margin = std::round(12 * scale), gap = std::round(8 * scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    const float height = control_height(theme) + 2 * std::round(6 * scale);
    const float top = at.y + std::round(6 * scale);
    const char* const change = "launch settings";
    const float close_x = right - margin - text_button_width(theme, "×"),
                change_x = close_x - gap - text_button_width(theme, change);
    const bool may_run = own.has_program() && !own.is_programs_launch();
    const char* const run = own.runs_program() ? "the program runs …" : run_program_words;
    const float list_x =
        own.may_list_program() ? change_x - gap - text_button_width(theme, list_program_words) : change_x;
    const float run_x = may_run ? list_x - gap - text_button_width(theme, run) : list_x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {right, at.y + height}, with_alpha(theme.ideal, 0.07));
    const std::string words = launch_note_words(*launch);
    const ImVec2 begin{at.x + margin, at.y + std::round((height - text_height(theme.fonts.words)) / 2)};
    draw_text(list, theme.fonts.words, begin, theme.text,
              fit_text(theme.fonts.words, words, std::max(1.0f, run_x - gap - begin.x)));
    hit_box("launch note", begin, {run_x - gap, at.y + height});
    if (ImGui::IsMouseHoveringRect(at, {run_x - gap, at.y + height}))
        tooltip_card(theme, words, contents_of(*launch));
    if (may_run) {
        ImGui::SetCursorScreenPos({run_x, top});
        if (text_button(theme, "run program", run, run_program_help) && !own.runs_program())
            own.run_program();
    }
    if (list_x < change_x) {
        ImGui::SetCursorScreenPos({list_x, top});
        if (text_button(theme, "all kernels", list_program_words, list_program_help)) {
            if (!own.program_list().launches && !own.program_list().running) own.list_program();
            open_view("program");
        }
    }
    ImGui::SetCursorScreenPos({change_x, top});
    if (text_button(theme, "change launch", change, "Change grid, block, arguments and contents."))
        own.ask_for_launch();
    ImGui::SetCursorScreenPos({close_x, top});
    if (text_button(theme, "close launch note", "×", "Close this line; the file menu has the launch."))
        state.closed_launch_note = own.path();
    draw_horizontal_hairline(list, theme, at.x, right, at.y + height - 1);
    return height;
}

}  // namespace warplens::app
