// Explain: what the selection is (or the launch, if the open view shows it), why it has its cost, and what to
// try — three short paragraphs.
#include "analysis/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "analysis/report/grouped_notes.h"
#include "analysis/report/launch_tree.h"
#include "app/scene/default_selection.h"
#include "app/scene/explain_branch.h"
#include "app/scene/explain_change.h"
#include "app/scene/explain_cost.h"
#include "app/scene/explain_launch.h"
#include "app/scene/level_of_time.h"
#include "app/scene/line_costs.h"
#include "app/scene/machine_code.h"
#include "app/scene/problem_spot.h"
#include "app/scene/scene_notes.h"
#include "app/session/advice_task.h"
#include "app/ui/button.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/explain/offered_changes.h"
#include "app/views/shared/dear_lines.h"
#include "app/views/shared/problem_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

class ExplainView : public View {
  private:
    ViewNeeds needs() const override { return {.report = true, .counts = true}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        const Spot& spot = frame.selection.chosen;
        if (!(run_ == RunIdentity(*scene)) || scene->timing_generation != timing_generation_ ||
            scene->machine != machine_ || frame.open_view != view_ || frame.level != level_ ||
            !(spot == spot_))
            rebuild(frame, spot);
        follow_baseline(frame);
        const Theme& theme = frame.theme;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float top = ImGui::GetCursorPosY();
        choose_type(theme, !frame.interactive && height_in_words_ > 0 && height_in_words_ * 2.2f < room.y &&
                               room.x > 900 * theme.fonts.scale);
        if (!frame.interactive) draw_finding(theme);
        if (!scene->trace->launch.note.empty())
            paragraph(theme, "Left out or assumed", scene->trace->launch.note, theme.text);
        const bool wrong = draw_problem(theme, *scene);
        draw_note(theme, *scene);
        // What is wrong needs its remedy first.
        const bool has_problem = !scene->report->problems.empty();
        if (has_problem) draw_advice(frame);
        if (!change_.empty())
            paragraph(theme, fmt::format("What changed: {} → {}", frame.baseline_name, frame.scene_name),
                      change_, theme.text);
        if (!explained_) {
            paragraph(theme, "What you see", "Click a line of the source or an access in a view.",
                      theme.text);
        } else {
            paragraph(theme, "What you see", frame.interactive ? explanation_.what : finding().rest,
                      theme.text);
            if (!explanation_.detail.empty()) {
                text_wrapped(type_.code, theme.text_dim, explanation_.detail, type_.width);
                ImGui::Dummy({0, type_.gap});
            }
            if (!wrong) draw_dearer(frame);
        }
        // Where not all of it is in sight without scrolling, what to try comes before why.
        if (is_low_ && !has_problem) draw_advice(frame);
        // The cost can wait until the kernel is correct.
        if (explained_ && !wrong) paragraph(theme, "Why it happens", explanation_.why, theme.text);
        if (!is_low_ && !has_problem) draw_advice(frame);
        draw_untimed(theme, *scene);
        is_low_ = ImGui::GetCursorPosY() > ImGui::GetWindowHeight();
        draw_lesson(theme, *scene);
        if (type_.words == theme.fonts.words) height_in_words_ = ImGui::GetCursorPosY() - top;
        if (frame.interactive) return;
        if (!has_problem) draw_dearest(frame);
        draw_provenance(theme, *scene);
    }

    /// How paragraphs are set. In a picture with much more room than they take, as on a slide, larger.
    struct Type {
        ImFont *words = nullptr, *code = nullptr, *heading = nullptr;
        float gap = 0, width = 0;  // after a paragraph; of a line, 0: as wide as the pane
    };
    void choose_type(const Theme& theme, bool large) {
        const Fonts& fonts = theme.fonts;
        const float widest = std::min(ImGui::GetContentRegionAvail().x, 1200 * fonts.scale);
        type_ = large ? Type{fonts.title, fonts.code_title, fonts.words, 20 * fonts.scale, widest}
                      : Type{fonts.words, fonts.code, fonts.small, 2 * fonts.scale, 0};
    }

    /// Of what is seen, the first sentence without its full stop, and the rest.
    struct Finding {
        std::string first, rest;
    };
    Finding finding() const {
        const std::string& what = explanation_.what;
        const std::size_t end = std::min(what.find(". "), what.size());
        Finding found{what.substr(0, end), end < what.size() ? what.substr(end + 2) : std::string()};
        if (found.first.ends_with('.')) found.first.pop_back();
        return found;
    }

    /// The title of a picture, which stands alone.
    void draw_finding(const Theme& theme) const {
        title_line(theme, explained_ ? finding().first : std::string("Nothing is selected"));
        ImGui::Dummy({0, 8 * theme.fonts.scale});
    }

    /// In the room below the words of a picture: the selected line among those that cost most.
    void draw_dearest(const ViewFrame& frame) const {
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const float foot = provenance_line_height(frame.theme) + ImGui::GetStyle().ItemSpacing.y + ink.px(12);
        const auto& sites = frame.scene->trace->program.sites;
        draw_dear_lines(ink, {at.x, at.y + ink.px(16), at.x + room.x, at.y + room.y - foot}, dear_,
                        spot_.site < sites.size() ? sites[spot_.site].line : spot_.source_line,
                        frame.baseline ? frame.scene_name : std::string_view());
    }

    void draw_provenance(const Theme& theme, const Scene& scene) const {
        const float rest = ImGui::GetContentRegionAvail().y - provenance_line_height(theme) -
                           ImGui::GetStyle().ItemSpacing.y;
        if (rest > 0) ImGui::Dummy({1, rest});
        const Level counts = level_of_counts(scene), times = common_level(scene, nullptr, level_);
        const SceneTiming* const timing = timing_at(scene, times).timing;
        std::string words = fmt::format("counts: exact · {}", to_string(counts));
        if (!timing || timing->schedule) words += " · cycles: modelled";
        if (timing && timing->schedule && times != counts) words += fmt::format(", {}", to_string(times));
        provenance_line(theme, scene, words);
    }

    void rebuild(const ViewFrame& frame, const Spot& spot) {
        const Scene& scene = *frame.scene;
        run_ = scene;
        timing_generation_ = scene.timing_generation;
        machine_ = scene.machine;
        spot_ = spot;
        view_ = frame.open_view;
        level_ = frame.level;
        explained_ = true;
        cost_ = {};
        if (!frame.interactive) dear_ = dear_lines(scene, level_);
        const bool at_machine = common_level(scene, nullptr, frame.level) == Level::machine;
        if (const auto launch = explain_launch(at_machine ? *at_machine_level(scene) : scene, view_)) {
            explanation_ = {};
            explanation_.what = launch->what;
            explanation_.why = launch->why;
            return;
        }
        if (spot.access != no_access && spot.access < scene.trace->accesses.size()) {
            explanation_ = analysis::explain_access(*scene.trace, spot.access);
        } else if (const SiteId site = site_of(scene, spot); site < scene.report->sites.size()) {
            explanation_ = analysis::explain_site(*scene.report, scene.trace->program, site);
            explain_machine_branch(scene, site);
        } else {
            explained_ = false;
        }
        if (!explained_) return;
        const bool is_access = spot.access < scene.trace->accesses.size();
        const SiteId site = is_access ? scene.trace->accesses[spot.access].site : site_of(scene, spot);
        if (const std::string merge = merge_sentence(scene, site); !merge.empty())
            explanation_.what += " " + merge;
        cost_ = explain_cost(scene, site, frame.level);
        if (!cost_.sentence.empty()) explanation_.what += " " + cost_.sentence;
        if (!is_access && !cost_.waits.empty()) explanation_.what += " " + cost_.waits;
    }

    /// The selected instruction; where only a line is, as of a branch that the machine code does not have,
    /// the line's dearest.
    SiteId site_of(const Scene& scene, const Spot& spot) const {
        if (spot.site < scene.report->sites.size() || spot.source_line == 0) return spot.site;
        return dearest_of_line(scene, spot.source_line, level_);
    }

    void explain_machine_branch(const Scene& scene, SiteId site) {
        const auto branch = branch_in_machine_code(scene, site);
        if (!branch) return;
        if (explanation_.what.ends_with('.')) explanation_.what.pop_back();
        explanation_.what += fmt::format(" in PTX, {}.", branch->clause);
        if (!branch->what.empty()) explanation_.what += " " + branch->what;
        if (!branch->why.empty()) explanation_.why = branch->why;
    }

    /// A line that costs far more than the selected one, and the way to it.
    void draw_dearer(ViewFrame& frame) const {
        if (cost_.dearer.empty()) return;
        const Theme& theme = frame.theme;
        rich_text(theme, type_.words, type_.code, theme.text, cost_.dearer, type_.width);
        if (frame.interactive &&
            text_button(theme, "dearer line", fmt::format("go to line {}", cost_.dearer_line), ""))
            frame.selection.chosen = spot_at(*frame.scene, cost_.dearer_site);
        ImGui::Dummy({0, type_.gap});
    }

    /// What changed since the baseline; empty without one.
    void follow_baseline(const ViewFrame& frame) {
        const Scene* baseline = frame.baseline && frame.baseline->report ? frame.baseline : nullptr;
        const Changed now{baseline,
                          run_,
                          timing_generation_,
                          machine_.get(),
                          baseline ? common_level(*frame.scene, baseline, frame.level) : Level::ptx,
                          spot_};
        if (changed_ == now) return;
        changed_ = now;
        change_.clear();
        if (baseline == nullptr) return;
        change_ = explain_change(*baseline, *frame.scene, spot_, frame.level);
    }

    /// Problems come before costs: the selection's own problem, else that there are some.
    /// True if it was the selection's own problem.
    bool draw_problem(const Theme& theme, const Scene& scene) const {
        const auto& problems = scene.report->problems;
        if (problems.empty()) return false;
        const SiteId site = spot_.access < scene.trace->accesses.size()
                                ? scene.trace->accesses[spot_.access].site
                                : spot_.site;
        const Problem* here = problem_of_site(scene, site);
        const Problem& shown = here ? *here : problems.front();
        std::string words = kind_and_place(shown) + ": " + problem_sentence(shown);
        words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
        if (!here) words += " It does not involve the selection.";
        text_item(type_.heading, theme.error, "What is wrong");
        rich_text(theme, type_.words, type_.code, theme.text, words, type_.width);
        ImGui::Dummy({0, type_.gap});
        return here != nullptr;
    }

    /// A remark on the selection, else the first one.
    void draw_note(const Theme& theme, const Scene& scene) const {
        const auto notes = analysis::grouped_notes(notes_of(scene));
        if (notes.empty()) return;
        const SiteId site = spot_.access < scene.trace->accesses.size()
                                ? scene.trace->accesses[spot_.access].site
                                : spot_.site;
        const auto here = std::ranges::find_if(
            notes, [&](const analysis::GroupedNote& note) { return note.concerns(site); });
        paragraph(theme, "Note", (here == notes.end() ? notes.front() : *here).sentence(), theme.text);
    }

    /// Once, for the times of all paragraphs: what they leave out.
    void draw_untimed(const Theme& theme, const Scene& scene) const {
        const std::string untimed = analysis::untimed_grids(*scene.report);
        if (untimed.empty()) return;
        text_wrapped(type_.heading, theme.text_dim, untimed, type_.width);
        ImGui::Dummy({0, type_.gap});
    }

    /// Last: the kernel list shows it too, and the selection should be visible without scrolling.
    void draw_lesson(const Theme& theme, const Scene& scene) const {
        if (scene.kernel != nullptr)
            paragraph(theme, "What this kernel teaches", scene.kernel->lesson, theme.text_dim);
    }

    void paragraph(const Theme& theme, std::string_view heading, const std::string& text,
                   ImU32 colour) const {
        if (text.empty()) return;
        text_item(type_.heading, theme.text_dim, heading);
        rich_text(theme, type_.words, type_.code, colour, text, type_.width);
        ImGui::Dummy({0, type_.gap});
    }

    /// The changes tried for this Scene, the most helpful first.
    void draw_advice(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const AdviceState* state = frame.advice;
        if (state == nullptr || state->generation == 0 || state->generation != frame.scene->generation)
            return;
        text_item(type_.heading, theme.text_dim, "What to try");
        if (!state->advice) {
            text_item(type_.words, theme.text_dim, "Trying changes …");
            ImGui::Dummy({0, type_.gap});
            return;
        }
        const Advice& advice = *state->advice;
        changes_.draw(frame, advice.helpful, type_.words, type_.code, type_.width);
        for (std::size_t i = 0; i < std::min(advice.modelled.size(), most_modelled); ++i)
            rich_text(theme, type_.words, type_.code, theme.text, advice.modelled[i], type_.width);
        text_wrapped(type_.heading, theme.text_dim, basis_of(advice), type_.width);
        if (frame.interactive && !advice.vain.empty() && ImGui::IsItemHovered())
            tooltip_card(theme, fmt::format("Not offered:\n{}", fmt::join(vain_lines(advice), "\n")));
        if (!advice.complete && state->running)
            text_item(type_.words, theme.text_dim, "Trying more changes …");
        else if (!advice.complete && advice.absent.empty() && frame.interactive) draw_go_on(frame);
        ImGui::Dummy({0, type_.gap});
    }

    /// Advice that had no time for all changes goes on when it is asked to.
    static void draw_go_on(ViewFrame& frame) {
        if (ImGui::Button("Try more changes")) frame.commands.try_more_changes = true;
        hit_box("try more changes", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }

    static constexpr std::size_t most_modelled = 2;

    RunIdentity run_;
    std::uint64_t timing_generation_ = 0;
    std::shared_ptr<const MachineCode> machine_;
    Spot spot_;
    std::string view_;
    Level level_ = Level::ptx;
    struct Changed {
        const Scene* baseline = nullptr;
        RunIdentity run;
        std::uint64_t timing_generation = 0;
        const MachineCode* machine = nullptr;
        Level level = Level::ptx;
        Spot spot;
        friend bool operator==(const Changed&, const Changed&) = default;
    };
    Changed changed_;  // what `change_` is of
    std::string change_;
    bool explained_ = false;
    Type type_;
    float height_in_words_ = 0;  // of all paragraphs in the smaller type, when last drawn so; 0: not yet
    bool is_low_ = false;        // the pane did not show all in the last frame
    analysis::Explanation explanation_;
    ExplainedCost cost_;
    OfferedChanges changes_;
    DearLines dear_;  // of a picture
};

}  // namespace

std::unique_ptr<View> make_explain_view() { return std::make_unique<ExplainView>(); }

}  // namespace warplens::app
