// Passes: the kernel's original PTX and the PTX after each instrumentation pass, with what the pass added.
#include "app/scene/level_of_time.h"
#include "app/scene/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/stepper.h"
#include "app/ui/text.h"
#include "app/views/passes/listing.h"
#include "app/views/passes/made_passes.h"
#include "app/views/passes/sums.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"
#include "core/program.h"
#include "instrumentation/device/protocol.h"

namespace warplens::app {

namespace {

constexpr const char* mode_help[] = {
    "Records clocks and active lanes per basic block: times close to the original kernel's.",
    "Also records every lane's addresses, at a higher cost.",
    "Hashes every lane's addresses to prove that the CPU engine's equal the GPU's."};

class PassesView : public View {
  private:
    ViewNeeds needs() const override { return {.of_two_levels = TwoLevels::none}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (scene->trace->program.ptx.empty()) {
            empty_state(frame.theme, "This trace does not contain the kernel's PTX.",
                        level_of_counts(*scene) == Level::machine
                            ? "Open the .cu or .ptx file that it was made from."
                            : "Record it again, or open the kernel.");
            return;
        }
        if (now_.follow(scene->trace, frame.interactive)) take();
        if (!now_.get()) {
            frame.commands.redraw = true;
            empty_state(frame.theme, "Running the passes …", "This takes a few milliseconds.");
            return;
        }
        if (!now_.get()->failure.empty()) {
            empty_state(frame.theme, "The kernel's PTX cannot be instrumented.", now_.get()->failure);
            return;
        }
        draw_passes(frame);
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene &scene = *frame.scene, &baseline = *frame.baseline;
        if (!baseline.trace || baseline.trace->program.ptx.empty())
            return fmt::format("{} has no PTX in its trace.", frame.baseline_name);
        before_.follow(baseline.trace, frame.interactive);
        if (now_.follow(scene.trace, frame.interactive)) take();
        if (before_.same_input(now_))
            return fmt::format(
                "{} has no other PTX and no other launch: recording adds the same lines to both.",
                frame.baseline_name);
        const KernelPasses* passes = before_.get();
        if (!passes) {
            frame.commands.redraw = true;
            return fmt::format("Running the passes of {} …", frame.baseline_name);
        }
        const std::string& why = passes->failure.empty() ? passes->modes[mode_].failure : passes->failure;
        if (why.empty()) return {};
        return fmt::format("{} has no PTX that can be recorded in {} mode: {}", frame.baseline_name,
                           name_of(record_modes[mode_]), why);
    }

    /// New passes of this run.
    void take() {
        listing_ = {};
        const auto& passes = now_.get()->modes[mode_].passes;
        // By default all passes together, which is the most informative; a chosen pass stays.
        if (!chosen_ || pass_ >= passes.size()) pass_ = passes.empty() ? 0 : passes.size() - 1;
    }

    void draw_passes(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const ModePasses& mode = now_.get()->modes[mode_];
        std::optional<PassesBefore> before;
        if (frame.baseline && mode.failure.empty())
            before.emplace(PassesBefore{before_.get()->modes[mode_], frame.baseline_name, frame.scene_name});
        if (before) draw_change(frame, mode, *before);
        else draw_title(frame, mode);
        if (mode.failure.empty() && !before) draw_summary(theme, mode);
        if (frame.interactive) draw_controls(frame, mode);
        if (!mode.failure.empty()) {
            empty_state(theme,
                        fmt::format("`{}` cannot be recorded in {} mode.", now_.entry(),
                                    name_of(record_modes[mode_])),
                        mode.failure);
            return;
        }
        if (pass_ >= mode.passes.size()) return;
        const PassText& pass = mode.passes[pass_];
        rich_text(theme, theme.fonts.words, theme.fonts.code, theme.text,
                  before ? fmt::format("{}, {}: {}", frame.scene_name, pass.name, pass.help) : pass.help);
        const float foot = provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        listing_.draw(theme, pass, {room.x, std::max(room.y - foot, 40.0f)}, frame.interactive);
        const std::string words =
            fmt::format("exact · PTX level · {} added, {} removed, {} in total", counted(pass.added, "line"),
                        grouped(pass.removed), grouped(split_lines(pass.after).size()));
        text_item(theme.fonts.small, theme.text_dim, fit_text(theme.fonts.small, words, room.x));
    }

    void draw_title(const ViewFrame& frame, const ModePasses& mode) const {
        const Theme& theme = frame.theme;
        const std::string& kernel = frame.scene->trace->launch.kernel;
        const std::string name(name_of(record_modes[mode_]));
        if (mode.passes.empty()) {
            title_line(theme, fmt::format("`{}` as instrumented in {} mode", kernel, name));
            return;
        }
        const PassText& all = mode.passes.back();
        title_line(theme, fmt::format("Recording `{}` in {} mode adds {} to its {}", kernel, name,
                                      counted(all.added, "line"), grouped(split_lines(all.before).size())));
    }

    /// Lines that each pass added, before the text of one of them.
    static void draw_summary(const Theme& theme, const ModePasses& mode) {
        const PassText& all = mode.passes.back();
        if (headline_with_room(
                theme, {grouped(all.added), all.added == 1 ? "line added" : "lines added",
                        fmt::format("by {} · {} removed", counted(mode.passes.size() - 2, "pass", "passes"),
                                    grouped(all.removed))}))
            draw_pass_sums(theme, mode);
    }

    /// The same for two runs.
    void draw_change(const ViewFrame& frame, const ModePasses& mode, const PassesBefore& before) const {
        const Theme& theme = frame.theme;
        const PassText &was = before.mode.passes.back(), &now = mode.passes.back();
        const std::string name(name_of(record_modes[mode_]));
        const bool same = was.added == now.added;
        title_line(theme, fmt::format("Recording in {} mode adds {} to the PTX of {} and {} to that of {}",
                                      name, counted(was.added, "line"), before.name,
                                      same ? "as many" : grouped(now.added), before.other_name));
        const auto own = [](const PassText& all) { return split_lines(all.before).size(); };
        const std::string lines =
            own(was) == own(now)
                ? fmt::format("to {} of its own in both", counted(own(now), "line"))
                : fmt::format("to {} → {} of their own", grouped(own(was)), counted(own(now), "line"));
        const Headline change{
            same ? grouped(now.added) : fmt::format("{} → {}", grouped(was.added), grouped(now.added)),
            same ? "lines added in both" : "lines added", lines};
        // A low pane has the text alone.
        if (frame.interactive && !headline_with_room(theme, change)) return;
        if (!frame.interactive) headline(theme, change.number, change.unit, change.words);
        draw_pass_sums(theme, mode, &before);
    }

    void draw_controls(ViewFrame& frame, const ModePasses& mode) {
        const Theme& theme = frame.theme;
        const float gap = std::round(10 * theme.fonts.scale);
        std::vector<Segment> modes;
        for (std::size_t i = 0; i < record_modes.size(); ++i) {
            const std::string name(name_of(record_modes[i]));
            modes.push_back({"passes " + name, name, mode_help[i]});
        }
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const float right = start.x + ImGui::GetContentRegionAvail().x;
        const std::size_t before = mode_;
        mode_ = segments(theme, modes, mode_);
        if (mode_ != before) {
            const auto& passes = now_.get()->modes[mode_].passes;
            if (pass_ >= passes.size() || !chosen_) pass_ = passes.empty() ? 0 : passes.size() - 1;
            listing_ = {};
        }
        ImVec2 at{start.x + segments_width(theme, modes) + gap, start.y};
        if (!mode.passes.empty() && mode_ == before) {
            const std::string value = pass_words(mode, pass_);
            std::string widest = value;
            for (std::size_t i = 0; i < mode.passes.size(); ++i)
                if (const std::string words = pass_words(mode, i);
                    text_width(theme.fonts.words, words) > text_width(theme.fonts.words, widest))
                    widest = words;
            StepperLook look{"passes pass",
                             "pass",
                             value,
                             widest,
                             "The pass to show, before and after",
                             pass_ > 0,
                             pass_ + 1 < mode.passes.size(),
                             false};
            if (at.x + stepper_width(theme, look) > right)
                at = {start.x, start.y + control_height(theme) + gap / 2};
            ImGui::SetCursorScreenPos(at);
            const float stepper_end = at.x + stepper_width(theme, look);
            if (const int by = stepper(theme, look); by != 0) {
                pass_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(pass_) + by);
                chosen_ = true;
                listing_ = {};
            }
            const bool folded = listing_.folds();
            const float fold = switch_width(theme, "only changes");
            if (stepper_end + gap + fold <= right) {
                ImGui::SetCursorScreenPos({stepper_end + gap, at.y});
                if (switch_button(theme, "passes fold", "only changes",
                                  "Hide long parts that the pass did not change", folded))
                    listing_.fold(!folded);
            }
        }
        ImGui::SetCursorScreenPos({start.x, at.y + control_height(theme) + gap});
    }

    static std::string pass_words(const ModePasses& mode, std::size_t pass) {
        if (pass == 0 || pass + 1 == mode.passes.size()) return mode.passes[pass].name;
        return fmt::format("{} of {}: {}", pass, mode.passes.size() - 2, mode.passes[pass].name);
    }

    MadePasses now_, before_;  // of this run, and of the baseline
    std::size_t mode_ = 0, pass_ = 0;
    bool chosen_ = false;  // the pass was stepped to
    PassListing listing_;
};

}  // namespace

std::unique_ptr<View> make_passes_view() { return std::make_unique<PassesView>(); }

}  // namespace warplens::app
