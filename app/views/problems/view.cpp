// Problems: the kernel's own errors, one card each — what happened in one sentence, where, and which other
// thread took part. A click goes there.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "analysis/report/grouped_notes.h"
#include "app/scene/level_of_time.h"
#include "app/scene/problem_spot.h"
#include "app/scene/scene_notes.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/views/problems/changes.h"
#include "app/views/problems/excerpt.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/problem_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

std::string triple(Dim3 at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

std::string who_words(Dim3 block, Dim3 thread) {
    return fmt::format("block {} · thread {}", triple(block), triple(thread));
}

/// The text of a line of the kernel's own source, without indentation; empty if it is not available.
std::string source_line(const Program& program, const std::string& file, std::uint32_t line) {
    for (const SourceFile& source : program.sources) {
        if (source.name != file || line == 0) continue;
        std::size_t begin = 0;
        for (std::uint32_t i = 1; i < line && begin != std::string::npos; ++i) {
            begin = source.text.find('\n', begin);
            if (begin != std::string::npos) ++begin;
        }
        if (begin == std::string::npos || begin >= source.text.size()) return {};
        std::string text = source.text.substr(begin, source.text.find('\n', begin) - begin);
        const std::size_t first = text.find_first_not_of(" \t");
        return first == std::string::npos ? std::string() : text.substr(first);
    }
    return {};
}

/// The location of one side of a problem: its source line, or the PTX line if no source is known.
struct Place {
    std::string name, text;
};

Place place_of(const Program& program, const std::string& file, std::uint32_t line, const Spot& spot) {
    if (line != 0) return {fmt::format("line {}", line), source_line(program, file, line)};
    if (spot.site >= program.sites.size()) return {"no line", {}};
    const Site& site = program.sites[spot.site];
    return {fmt::format("PTX line {}", site.ptx_line), site.text};
}

class ProblemsView : public View {
  private:
    ViewNeeds needs() const override { return {.report = true, .of_two_levels = TwoLevels::either}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        const auto& problems = scene->report->problems;
        const std::optional<ProblemChanges> changes =
            frame.baseline && frame.baseline->report ? std::optional(problem_changes(*frame.baseline, *scene))
                                                     : std::nullopt;
        if (problems.empty() && notes_of(*scene).empty() && (!changes || changes->solved.empty())) {
            empty_state(
                frame.theme,
                changes ? fmt::format("No problems found in the executed blocks of {} and {}.",
                                      frame.baseline_name, frame.scene_name)
                        : "No problems found in the executed blocks.",
                "Every run checks bounds, alignment, uninitialized reads, barriers, shuffles and races; "
                "`missing_barrier` is an example of a race.");
            return;
        }
        const Theme& theme = frame.theme;
        title_line(theme, title_of(*scene, changes));
        headline_with_room(theme, {grouped(problems.size()), problems.size() == 1 ? "problem" : "problems",
                                   "in the executed blocks"});
        if (changes)
            text_item(
                theme.fonts.words, theme.text_dim,
                fmt::format("{} → {}: {}", frame.baseline_name, frame.scene_name, change_words(*changes)));
        const float foot = provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        compat::begin_child("problem cards", {room.x, std::max(room.y - foot, 40.0f)},
                            frame.interactive
                                ? ImGuiWindowFlags_None
                                : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        draw_cards(frame, changes);
        if (changes)
            for (const Problem* solved : changes->solved) draw_solved(frame, *solved);
        draw_notes(frame);
        if (!problems.empty()) draw_excerpt(frame);
        ImGui::EndChild();
        provenance_line(
            theme, *scene,
            fmt::format("every access and barrier checked · {}", to_string(level_of_counts(*scene))));
    }

    /// A picture, which does not scroll, has those that it can show whole.
    void draw_cards(ViewFrame& frame, const std::optional<ProblemChanges>& changes) {
        const auto& problems = frame.scene->report->problems;
        heights_.resize(problems.size());
        const float line = text_height(frame.theme.fonts.words) + ImGui::GetStyle().ItemSpacing.y;
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const std::size_t left = problems.size() - i;
            const float room = ImGui::GetContentRegionAvail().y - (left > 1 ? line : 0);
            if (!frame.interactive && i > 0 && heights_[i] > room) {
                text_item(
                    frame.theme.fonts.words, frame.theme.text_dim,
                    fmt::format("{} in a higher picture", counted(left, "problem more", "problems more")));
                return;
            }
            const float top = ImGui::GetCursorPosY();
            draw_card(frame, problems[i], i, changes && changes->is_new[i]);
            heights_[i] = ImGui::GetCursorPosY() - top;
        }
    }

    static std::string title_of(const Scene& scene, const std::optional<ProblemChanges>& changes) {
        if (!scene.report->problems.empty()) return problems_title(scene);
        if (!changes || changes->solved.empty())
            return fmt::format("`{}`: no problems, {}", scene.report->launch.kernel,
                               counted(analysis::grouped_notes(notes_of(scene)).size(), "note"));
        return fmt::format("`{}`: {} of the baseline solved, none left", scene.report->launch.kernel,
                           counted(changes->solved.size(), "problem"));
    }

    /// What is right as it is, but worth knowing. A click goes to its first line.
    static void draw_notes(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        std::size_t index = 0;
        for (const analysis::GroupedNote& note : analysis::grouped_notes(notes_of(*frame.scene))) {
            ImGui::Dummy({1, 6 * scale});
            const ImVec2 begin = ImGui::GetCursorScreenPos();
            ImGui::Indent(14 * scale);
            text_item(theme.fonts.words, theme.text_dim, "note");
            text_wrapped(theme.fonts.words, theme.text, note.sentence());
            ImGui::Unindent(14 * scale);
            const ImVec2 end{begin.x + ImGui::GetContentRegionAvail().x, ImGui::GetItemRectMax().y};
            ImDrawList& list = *ImGui::GetWindowDrawList();
            list.AddRectFilled(begin, {begin.x + 4 * scale, end.y}, theme.text_dim, 2 * scale);
            hit_box(fmt::format("note {}", index++), begin, end);
            if (note.sites.empty() || !frame.interactive || !ImGui::IsWindowHovered() ||
                !ImGui::IsMouseHoveringRect(begin, end))
                continue;
            list.AddRectFilled(begin, end, theme.hovered, 3 * scale);
            if (!ImGui::IsMouseClicked(0)) continue;
            frame.selection.chosen = {};
            frame.selection.chosen.site = note.sites.front();
            frame.selection.chosen.source_line = frame.scene->trace->program.sites[note.sites.front()].line;
            frame.selection.chosen.warp_record = 0;
        }
    }

    /// A problem of the baseline that this run does not have.
    static void draw_solved(ViewFrame& frame, const Problem& problem) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        ImGui::Dummy({1, 6 * scale});
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        ImGui::Indent(14 * scale);
        text_item(theme.fonts.words, theme.ideal, "solved · " + kind_and_place(problem));
        text_wrapped(theme.fonts.words, theme.text_dim,
                     fmt::format("In {}: {}", frame.baseline_name, problem_sentence(problem)));
        ImGui::Unindent(14 * scale);
        const float bottom = ImGui::GetItemRectMax().y;
        ImGui::GetWindowDrawList()->AddRectFilled(begin, {begin.x + 4 * scale, bottom}, theme.ideal,
                                                  2 * scale);
    }

    /// Of a problem that the selection has a part in, else of the first, where the cards leave room.
    static void draw_excerpt(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const auto& problems = frame.scene->report->problems;
        const SiteId chosen = frame.selection.chosen.site;
        const auto has_part = [&](const Problem& problem) {
            return chosen != no_index &&
                   (problem.site == chosen || (problem.other && problem.other->site == chosen));
        };
        // A problem with two sides shows more.
        const auto* shown = &*std::ranges::max_element(problems, {}, [&](const Problem& problem) {
            return 2 * static_cast<int>(has_part(problem)) + static_cast<int>(problem.other.has_value());
        });
        const float gap = 18 * theme.fonts.scale;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float height = problem_excerpt_height(theme, *frame.scene, *shown, room.y - gap);
        if (height <= 0) return;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_problem_excerpt({ImGui::GetWindowDrawList(), theme}, *frame.scene, *shown,
                             {at.x, at.y + gap, at.x + room.x, at.y + gap + height});
        ImGui::Dummy({room.x, gap + height});
    }

    static void draw_card(ViewFrame& frame, const Problem& problem, std::size_t index, bool is_new) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        if (index > 0) hairline(theme, 8);
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        ImGui::Indent(14 * scale);
        std::string head = kind_words(problem.kind);
        if (!problem.child.empty()) head += " · in a grid of " + problem.child;
        if (!problem.element.empty()) head += " · " + problem.element;
        if (is_new) head = "new · " + head;
        if (problem.count > 1) head += " · " + counted(problem.count, "time");
        text_item(theme.fonts.words, theme.error, head);
        text_wrapped(theme.fonts.words, theme.text, problem_sentence(problem));
        const std::string who = analysis::is_found_at_load(problem)
                                    ? std::string("not reached by the executed blocks")
                                    : who_words(problem.block, problem.thread);
        party(frame, fmt::format("problem {} here", index), problem.file, problem.line, who,
              spot_of_problem(*frame.scene, problem));
        if (problem.other)
            party(frame, fmt::format("problem {} other", index), problem.other->file, problem.other->line,
                  who_words(problem.other->block, problem.other->thread),
                  spot_of_other(*frame.scene, problem));
        ImGui::Unindent(14 * scale);
        // A bar at the left, so that cards can be distinguished without color.
        const float bottom = ImGui::GetItemRectMax().y;
        ImGui::GetWindowDrawList()->AddRectFilled(begin, {begin.x + 4 * scale, bottom}, theme.error,
                                                  2 * scale);
    }

    /// One side: its line as in the source, and the thread that executed it.
    static void party(ViewFrame& frame, const std::string& id, const std::string& file, std::uint32_t line,
                      const std::string& who, const Spot& spot) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const Program& program = frame.scene->trace->program;
        const Place at = place_of(program, file, line, spot);
        const float height = text_height(theme.fonts.code) + 8 * scale;
        const ImVec2 end{begin.x + width, begin.y + height};
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRectFilled(begin, end, theme.raised, 3 * scale);
        if (frame.selection.chosen.site != no_index && frame.selection.chosen.site == spot.site)
            list.AddRect(begin, end, theme.selected, 3 * scale, 0, 1.5f * scale);
        const float top = begin.y + 4 * scale;
        const float who_left = end.x - text_width(theme.fonts.words, who) - 8 * scale;
        const float code_left = begin.x + 8 * scale +
                                std::max(text_width(theme.fonts.words, "line 0000 "),
                                         text_width(theme.fonts.words, at.name + "  "));
        draw_text(list, theme.fonts.words, {begin.x + 8 * scale, top}, theme.text_dim, at.name);
        draw_text(list, theme.fonts.words, {who_left, top}, theme.text_dim, who);
        draw_text(list, theme.fonts.code, {code_left, top}, theme.text,
                  fit_text(theme.fonts.code, at.text, who_left - code_left - 12 * scale));
        ImGui::Dummy({width, height});
        hit_box(id, begin, end);
        if (!frame.interactive || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(begin, end))
            return;
        list.AddRectFilled(begin, end, theme.hovered, 3 * scale);
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    std::vector<float> heights_;  // of the cards, as of the last frame
};

}  // namespace

std::unique_ptr<View> make_problems_view() { return std::make_unique<ProblemsView>(); }

}  // namespace warplens::app
