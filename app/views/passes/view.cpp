// Passes: the kernel's original PTX and the PTX after each instrumentation pass, with what the pass added.
#include "app/scene/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/session/latest_task.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/stepper.h"
#include "app/ui/text.h"
#include "app/views/passes/listing.h"
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
    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (scene->trace->program.ptx.empty()) {
            empty_state(frame.theme, "This trace does not contain the kernel's PTX.",
                        "Record it again, or open the kernel.");
            return;
        }
        follow_scene(*scene, frame.interactive);
        if (!made_) {
            frame.commands.redraw = true;
            empty_state(frame.theme, "Running the passes …", "This takes a few milliseconds.");
            return;
        }
        if (!made_->failure.empty()) {
            empty_state(frame.theme, "The kernel's PTX cannot be instrumented.", made_->failure);
            return;
        }
        draw_passes(frame);
    }

    /// Starts the passes on another thread when the kernel changes, and takes their results. A
    /// picture waits for them.
    void follow_scene(const Scene& scene, bool interactive) {
        const trace::Trace& trace = *scene.trace;
        const auto shared = static_cast<std::uint32_t>(trace.launch.resources.shared_static_bytes +
                                                       trace.launch.geometry.dynamic_shared_bytes);
        if (trace_ != scene.trace) {
            trace_ = scene.trace;
            const std::string& ptx = trace.program.ptx;
            if (ptx != ptx_ || trace.program.entry != entry_ || shared != shared_ ||
                trace.launch.geometry != geometry_) {
                ptx_ = ptx;
                entry_ = trace.program.entry;
                shared_ = shared;
                geometry_ = trace.launch.geometry;
                wanted_ = true;
            }
        }
        if (wanted_) {
            wanted_ = false;
            auto make = [ptx = ptx_, entry = entry_, geometry = geometry_, shared] {
                return std::make_shared<const KernelPasses>(make_passes(ptx, entry, geometry, shared));
            };
            if (interactive) task_.start([make](const auto& turn) { turn.deliver(make()); });
            else take(make());
        }
        if (auto made = task_.take()) take(std::move(*made));
    }

    void take(std::shared_ptr<const KernelPasses> made) {
        made_ = std::move(made);
        listing_ = {};
        const auto& passes = made_->modes[mode_].passes;
        // By default all passes together, which is the most informative; a chosen pass stays.
        if (!chosen_ || pass_ >= passes.size()) pass_ = passes.empty() ? 0 : passes.size() - 1;
    }

    void draw_passes(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const ModePasses& mode = made_->modes[mode_];
        draw_title(theme, mode);
        if (mode.failure.empty()) draw_summary(theme, mode);
        if (frame.interactive) draw_controls(frame, mode);
        if (!mode.failure.empty()) {
            empty_state(
                theme,
                fmt::format("`{}` cannot be recorded in {} mode.", entry_, name_of(record_modes[mode_])),
                mode.failure);
            return;
        }
        if (pass_ >= mode.passes.size()) return;
        const PassText& pass = mode.passes[pass_];
        rich_text(theme, theme.fonts.words, theme.fonts.code, theme.text, pass.help);
        const float foot = provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        listing_.draw(theme, pass, {room.x, std::max(room.y - foot, 40.0f)}, frame.interactive);
        const std::string words =
            fmt::format("exact · PTX level · {} added, {} removed, {} in total", counted(pass.added, "line"),
                        grouped(pass.removed), grouped(split_lines(pass.after).size()));
        text_item(theme.fonts.small, theme.text_dim, fit_text(theme.fonts.small, words, room.x));
    }

    void draw_title(const Theme& theme, const ModePasses& mode) const {
        const std::string name(name_of(record_modes[mode_]));
        if (mode.passes.empty()) {
            title_line(theme, fmt::format("`{}` as instrumented in {} mode", trace_->launch.kernel, name));
            return;
        }
        const PassText& all = mode.passes.back();
        title_line(theme,
                   fmt::format("Recording `{}` in {} mode adds {} to its {}", trace_->launch.kernel, name,
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
            const auto& passes = made_->modes[mode_].passes;
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

    std::shared_ptr<const trace::Trace> trace_;
    std::string ptx_, entry_;
    LaunchGeometry geometry_;
    std::uint32_t shared_ = 0;
    bool wanted_ = false;
    LatestTask<std::shared_ptr<const KernelPasses>> task_;
    std::shared_ptr<const KernelPasses> made_;
    std::size_t mode_ = 0, pass_ = 0;
    bool chosen_ = false;  // the pass was stepped to
    PassListing listing_;
};

}  // namespace

std::unique_ptr<View> make_passes_view() { return std::make_unique<PassesView>(); }

}  // namespace warplens::app
