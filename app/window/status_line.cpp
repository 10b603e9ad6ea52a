#include "app/window/status_line.h"
#include "app/scene/scene_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/scene/level_of_time.h"
#include "app/scene/perturbation_words.h"
#include "app/scene/problem_kind.h"
#include "app/scene/problem_spot.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/title_line.h"

namespace warplens::app {
namespace {

const std::vector<Problem>* problems_of(const Session& session) {
    const Scene* scene = session.scene();
    return scene && scene->report ? &scene->report->problems : nullptr;
}

/// "time modelled at machine level, 8 of 8 blocks of one SM" and, if a what-if knob is changed, its setting.
std::string timing_words(const SceneTiming& timing, Level level) {
    const trace::LaunchTime& launch = timing.schedule->launch;
    std::string words = fmt::format("time modelled at {}, {} of {} of one SM", to_string(level),
                                    grouped(launch.blocks_modelled), counted(launch.blocks_on_sm, "block"));
    if (const std::string turned = describe(timing.options); !turned.empty()) words += ", what if: " + turned;
    return words;
}

/// "exact · PTX level · simulated 8 of 1,024 blocks · grid 32 x 32, block 32 x 8 · 24 registers on sm_90".
std::string provenance_words(const Scene& scene, Level wanted, Level counts) {
    std::string words = fmt::format("exact · {}", to_string(level_of_counts(scene, counts)));
    const std::string sampled = sampled_words(scene);
    if (!sampled.empty()) words += " · " + sampled;
    if (!scene.trace) return words;
    const trace::Launch& launch = scene.trace->launch;
    words += fmt::format(" · grid {} · block {}", to_string(launch.geometry.grid),
                         to_string(launch.geometry.block));
    if (launch.resources.registers_per_thread)
        words += fmt::format(" · {} registers per thread on {}", launch.resources.registers_per_thread,
                             launch.resources.target);
    const auto [timing, level] = timing_at(scene, wanted);
    if (timing && timing->schedule) words += " · " + timing_words(*timing, level);
    return words;
}

std::string place_of(const Problem& problem) {
    std::string place;
    if (problem.line) place = fmt::format("line {} · ", problem.line);
    if (!problem.child.empty()) place += fmt::format("a grid of {} · ", problem.child);
    if (analysis::is_found_at_load(problem)) place += "not reached by the executed blocks · ";
    else if (problem.block.count() || problem.thread.count())
        place += fmt::format("block ({}, {}, {}) · thread ({}, {}, {}) · ", problem.block.x, problem.block.y,
                             problem.block.z, problem.thread.x, problem.thread.y, problem.thread.z);
    return place + counted(problem.count, "time");
}

const trace::Measured* measured_of(const Session& session) {
    const Scene* scene = session.scene();
    return scene && scene->trace ? scene->trace->measured.get() : nullptr;
}

/// The recording overhead of the measured launch, ending at `end`: it is never shortened, other words are.
/// Returns where it begins.
float perturbation_part(const Theme& theme, const trace::Measured& measured, float begin, float end,
                        float top, float height) {
    const auto warnings = perturbation_warnings(measured);
    ImFont* font = theme.fonts.small;
    const std::string words =
        (warnings.empty() ? "measured · " : "warning · measured · ") + perturbation_words(measured);
    const float width = std::ceil(text_width(font, words)), gap = std::round(16 * theme.fonts.scale);
    const float x = std::max(begin, end - width);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text(list, font, {x, top + std::round((height - text_height(font)) / 2)},
              warnings.empty() ? theme.text : theme.error, fit_text(font, words, end - x));
    hit_box("perturbation", {x, top}, {end, top + height});
    if (ImGui::IsMouseHoveringRect({x, top}, {end, top + height})) {
        std::vector<std::string> lines;
        for (const trace::Perturbation& one : measured.perturbations)
            lines.push_back(fmt::format("{:<5} {} instead of {} · {} registers instead of {} · {} dropped",
                                        one.mode, microseconds_words(one.traced_us),
                                        microseconds_words(one.clean_us), one.traced_registers,
                                        one.clean_registers, grouped(one.dropped_records)));
        std::string sentence = "Recording overhead, measured on " + device_words(measured) + ".";
        for (const std::string& warning : warnings) sentence += " " + warning;
        tooltip_card(theme, sentence, lines);
    }
    return x - gap;
}

}  // namespace

float status_line_height(const Theme& theme) { return std::round(28 * theme.fonts.scale); }

void status_line(const Theme& theme, Session& session, FrameState& state) {
    const float scale = theme.fonts.scale;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float height = status_line_height(theme), margin = std::round(12 * scale);
    const float left = origin.x + margin, right = origin.x + ImGui::GetContentRegionAvail().x - margin;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* font = theme.fonts.small;
    const float text_top = origin.y + std::round((height - text_height(font)) / 2);
    draw_horizontal_hairline(list, theme, origin.x, right + margin, origin.y);

    float words_end = right;
    const auto* const problems = problems_of(session);
    const bool failed = !session.running() && !session.failure().empty();
    if (problems || failed) {
        const std::size_t count = problems ? problems->size() : 0;
        const bool any = failed || count > 0;
        std::string words = failed ? "the run failed" : any ? "" : "no problems";
        if (count > 0) words += (failed ? ", " : "") + counted(count, "problem") + (failed ? " before" : "");
        if (any) words += " ▸";
        const float width = std::ceil(text_width(font, words));
        words_end = right - width - 2 * margin;
        ImGui::SetCursorScreenPos({right - width - margin, origin.y + 1});
        if (invisible_button("problems", {width + 2 * margin, height - 1}) && any)
            state.problems_shown = !state.problems_shown;
        hit_box_of_item("count of problems");
        if (ImGui::IsItemHovered() && any)
            list.AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), theme.hovered);
        draw_text(list, font, {right - width, text_top}, any ? theme.error : theme.text_dim, words);
    }
    if (const trace::Measured* measured = measured_of(session); measured && state.notice.empty())
        words_end = perturbation_part(theme, *measured, left, words_end, origin.y, height);
    std::string words;
    if (!state.notice.empty()) words = state.notice;
    else if (const Scene* scene = session.scene())
        words = provenance_words(*scene, state.level, state.counts);
    else if (session.running() && session.kernel())
        words = fmt::format("running {} for the first time, {} …", session.kernel()->name,
                            title_of(session.engine()));
    else words = "no kernel has run yet";
    draw_text(list, font, {left, text_top}, state.notice.empty() ? theme.text_dim : theme.text,
              fit_text(font, words, words_end - left));
}

void problem_list(const Theme& theme, Session& session, FrameState& state, float bottom) {
    const auto* problems = problems_of(session);
    const bool failed = !session.running() && !session.failure().empty();
    const std::size_t count = problems ? problems->size() : 0;
    if (!state.problems_shown || (!failed && count == 0)) return;
    const float scale = theme.fonts.scale;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(display.x - 32 * scale, 640 * scale);
    ImGui::SetNextWindowPos({display.x - 12 * scale, bottom - 8 * scale}, ImGuiCond_Always, {1, 1});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 420 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14 * scale, 12 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * scale);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.panel);
    ImGui::Begin("problems", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    if (failed) {
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        text_item(theme.fonts.small, theme.error, "the run failed");
        text_wrapped(theme.fonts.words, theme.text, session.failure());
        const ImVec2 end{begin.x + ImGui::GetContentRegionAvail().x, ImGui::GetItemRectMax().y};
        hit_box("problem failure", begin, end);
        // The editor, if there is one, goes to the line.
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(begin, end) && ImGui::IsMouseClicked(0))
            state.editing = state.show_failure = true;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Problem& problem = (*problems)[i];
        if (i > 0 || failed) hairline(theme, 4);
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        text_item(theme.fonts.small, theme.error, kind_words(problem.kind));
        text_wrapped(theme.fonts.words, theme.text, problem.message);
        text_item(theme.fonts.small, theme.text_dim, place_of(problem));
        // The entire entry selects the line of the problem.
        const ImVec2 end{begin.x + ImGui::GetContentRegionAvail().x, ImGui::GetItemRectMax().y};
        hit_box("problem " + std::to_string(i), begin, end);
        if (problem.line && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(begin, end) &&
            ImGui::IsMouseClicked(0)) {
            session.selection.chosen = spot_of_problem(*session.scene(), problem);
        }
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

}  // namespace warplens::app
