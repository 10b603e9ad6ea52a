// Timeline: what the launch's warps did in time — modelled for one SM, measured by a GPU's clocks for all, or
// both side by side. Each is a pane of its own; this file chooses the pane.
#include <array>
#include <cmath>

#include "app/ui/segments.h"
#include "app/views/shared/machine_level.h"
#include "app/views/timeline/pane.h"

namespace warplens::app {

namespace {

/// In the order of TimelineSource.
const std::array<Segment, 3> sources{
    {{"timeline measured", "measured", "Measured by the GPU's clocks: every recorded warp, by SM."},
     {"timeline modelled", "modelled", "Modelled: one SM, cycle by cycle."},
     {"timeline both", "both", "The warps of the modelled SM next to the same warps as measured."}}};

class TimelineView : public View {
  private:
    void draw_scene(ViewFrame& frame) override {
        drawn_ = modelled_.get();
        if (!frame.scene->trace->measured) return draw_modelled(frame, 0);
        if (frame.selection.wanted_timeline) chosen_ = *frame.selection.wanted_timeline;
        frame.selection.wanted_timeline.reset();
        const float taken = frame.interactive ? draw_switch(frame) : 0;
        switch (chosen_) {
            case TimelineSource::measured:
                drawn_ = measured_.get();
                break;
            case TimelineSource::modelled:
                return draw_modelled(frame, taken);
            case TimelineSource::both:
                drawn_ = both_.get();
                break;
        }
        drawn_->draw(frame, taken);
    }

    void draw_modelled(ViewFrame& frame, float taken) {
        // The play head moves through the PTX's schedule, as the steps and values that follow it are the
        // PTX's.
        const bool at_ptx = frame.level == Level::ptx || frame.selection.chosen.cycle != no_index;
        const Scene* machine = at_ptx ? nullptr : machine_.follow(*frame.scene);
        if (!machine) return modelled_->draw(frame, taken);
        // Cycles of different levels are not compared.
        const Scene* const baseline = frame.baseline ? baseline_.follow(*frame.baseline) : nullptr;
        ViewFrame inner = frame.at_machine(*machine, baseline, machine_.selection(frame.selection));
        modelled_->draw(inner, taken);
        machine_.give_back(frame.selection);
    }

    void add_wishes(Selection& selection) const override {
        if (!drawn_) return;
        selection.wanted_timeline = chosen_;
        selection.wanted_cycles = drawn_->shown_cycles();
    }

    /// At the right end of the first line. Returns the room it takes there.
    float draw_switch(ViewFrame& frame) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const float width = segments_width(frame.theme, sources);
        ImGui::SetCursorScreenPos({std::round(start.x + ImGui::GetContentRegionAvail().x - width),
                                   start.y - std::round(frame.theme.fonts.scale)});
        chosen_ =
            static_cast<TimelineSource>(segments(frame.theme, sources, static_cast<std::size_t>(chosen_)));
        ImGui::SetCursorScreenPos(start);
        return width + std::round(12 * frame.theme.fonts.scale);
    }

    TimelineSource chosen_ = TimelineSource::measured;
    std::unique_ptr<TimelinePane> modelled_ = make_modelled_timeline(), measured_ = make_measured_timeline(),
                                  both_ = make_paired_timeline();
    MachineLevel machine_, baseline_;
    TimelinePane* drawn_ = nullptr;  // one of them
};

}  // namespace

std::unique_ptr<View> make_timeline_view() { return std::make_unique<TimelineView>(); }

}  // namespace warplens::app
