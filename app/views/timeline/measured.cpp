// The measured timeline: the warps of a launch by SM and slot, by the light recording's clocks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "app/scene/perturbation_words.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/text.h"
#include "app/ui/tick_step.h"
#include "app/ui/tooltip.h"
#include "app/views/timeline/axis.h"
#include "app/views/timeline/chrome.h"
#include "app/views/timeline/controls.h"
#include "app/views/timeline/finish_lines.h"
#include "app/views/timeline/measured_rows.h"
#include "app/views/timeline/measured_words.h"
#include "app/views/timeline/mouse.h"
#include "app/views/timeline/navigation.h"
#include "app/views/timeline/pane.h"

namespace warplens::app {

namespace {

constexpr double ns_of_words = 12;      // a basic block's time that its words fit into
constexpr std::size_t open_rows = 160;  // that are unfolded from the start

class MeasuredTimeline : public TimelinePane {
  public:
    void draw(ViewFrame& frame, float taken) override {
        follow_scene(*frame.scene);
        if (index_->rows().empty()) {
            empty_state(frame.theme, "The recording contains no warps.",
                        "Record at least one block of at least one SM.");
            return;
        }
        follow_baseline(frame);
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        TimelineOrders orders;
        const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
        Box all{at.x, at.y, at.x + std::max(size.x, 1.0f), at.y + std::max(size.y, 1.0f)};
        draw_timeline_foot(
            frame, ink, all, measured_legend(*index_, frame.theme),
            measured_provenance(*index_) + (frame.baseline && !before_
                                                ? fmt::format(" · {} was not measured", frame.baseline_name)
                                                : ""));
        const Box side = take_timeline_side(ink, all, taken);
        draw_title(frame, ink, all, taken, orders);
        draw_plot(frame, ink, all, side, orders);
    }

    std::optional<WantedCycles> shown_cycles() const override {
        if (!index_ || navigation_.shows_all()) return std::nullopt;
        const std::uint32_t sm = own_sm({});
        const CycleView& view = navigation_.view();
        const auto cycle = [&](double ns) {
            return static_cast<std::uint32_t>(std::max(0.0, std::round(index_->cycle_of(sm, ns))));
        };
        return WantedCycles{cycle(view.first), cycle(view.last)};
    }

  private:
    void follow_scene(const Scene& scene) {
        if (index_ && index_->trace().measured == scene.trace->measured &&
            &index_->trace() == scene.trace.get())
            return;
        index_ = scene.measured && &scene.measured->trace() == scene.trace.get()
                     ? scene.measured
                     : index_measured(scene.trace);
        runs_ = {};
        end_ = 0;
        measure_.reset();
        seen_ = {};
        chosen_ = visit_ = no_index;
        open_.clear();
        for (std::uint32_t sm = 0; sm < index_->sms().size(); ++sm)
            if (sm == 0 || index_->rows().size() <= open_rows) open_.insert(sm);
    }

    /// The axis reaches to the end of the longer run.
    void follow_baseline(const ViewFrame& frame) {
        const auto trace = frame.baseline ? frame.baseline->trace : nullptr;
        if (!trace || !trace->measured) before_ = nullptr;
        else if (!before_ || &before_->trace() != trace.get())
            before_ = frame.baseline->measured && &frame.baseline->measured->trace() == trace.get()
                          ? frame.baseline->measured
                          : index_measured(trace);
        const double end = std::max(index_->length_ns(), before_ ? before_->length_ns() : 0);
        if (std::exchange(end_, end) != end) navigation_.follow(end);
    }

    void draw_title(ViewFrame& frame, const Ink& ink, Box& all, float taken, TimelineOrders& orders) {
        const Theme& theme = frame.theme;
        float room = all.width() - taken;
        if (frame.interactive && !navigation_.shows_all()) {
            const float width = text_button_width(theme, "Whole");
            ImGui::SetCursorScreenPos({all.x0 + room - width, all.y0 - ink.px(1)});
            if (text_button(theme, "timeline whole", "Whole", "Show the whole launch (Home)"))
                orders.show_all = true;
            room -= width + ink.px(12);
        }
        draw_timeline_title(frame, all, measured_titles(*index_), room);
    }

    std::vector<TimelineGroup> groups() const {
        std::vector<TimelineGroup> groups;
        for (std::uint32_t sm = 0; sm < index_->sms().size(); ++sm)
            groups.push_back(
                {sm, index_->sms()[sm].first_row, open_.contains(sm) ? index_->sms()[sm].rows : 0});
        return groups;
    }

    void draw_plot(ViewFrame& frame, const Ink& ink, const Box& all, const Box& side,
                   TimelineOrders& orders) {
        const TimelineArea area = begin_timeline_plot(frame, ink, all, navigation_);
        const Box& plot = area.plot;
        if (frame.interactive) take_timeline_keys(area.hovered || frame.focused, orders);
        follow_selection(frame);
        if (const auto wanted = std::exchange(frame.selection.wanted_cycles, std::nullopt)) {
            const std::uint32_t sm = own_sm({});
            navigation_.show({index_->ns_of(sm, wanted->first), index_->ns_of(sm, wanted->last)});
        }
        obey(frame, orders, ink.px(12));

        const auto groups = this->groups();
        const auto lines = navigation_.lay_out(groups, plot, frame.theme.fonts.scale, frame.interactive);
        const MeasuredCanvas canvas{
            {frame, ink, navigation_.view(), plot, area.gutter, lines}, *index_, own_sm(lines)};
        const double now = canvas.cycle_at(area.mouse.x);
        const TimelineLine* line = area.hovered ? canvas.line_at(area.mouse.y) : nullptr;
        std::uint32_t under = no_index;
        if (line && !line->head && plot.has(area.mouse)) under = index_->warp_at(line->row, now);
        if (frame.interactive) take_mouse(canvas, area, line, under);

        const double step = tick_step(canvas.view.size(), area.axis.width(), ink.px(96));
        draw_time_axis(canvas, area.axis, "µs", [&](double ns) { return microsecond_tick(ns, step); });
        ink.list->PushClipRect({area.gutter.x0, plot.y0}, {plot.x1 + 2, plot.y1}, true);
        draw_measured_names(canvas, groups, chosen_);
        ink.list->PopClipRect();
        ink.list->PushClipRect({plot.x0 - 2, plot.y0 - 2}, {plot.x1 + 2, plot.y1}, true);
        runs_.update(canvas);
        runs_.draw(canvas);
        runs_.draw_resident_warps(canvas);
        draw_others_veil(canvas);
        draw_measured_selection(
            canvas, chosen_, visit_,
            under != no_index ? under : index_->warp_of_record(frame.selection.hover.warp_record));
        ink.list->PopClipRect();
        draw_timer_bound(canvas, area.strip);
        if (before_)
            draw_finish_lines(canvas, area.axis, {frame.baseline_name, before_->length_ns()},
                              {frame.scene_name, index_->length_ns()},
                              nanoseconds_words(std::abs(before_->length_ns() - index_->length_ns())));
        if (measure_) draw_measure(canvas, area.axis, *measure_, nanoseconds_words(measure_->size()));
        draw_scroll_bar(canvas, navigation_);
        if (line && !ImGui::IsMouseDown(0)) explain(canvas, *line, under, now);
        if (side.width() > 0) draw_measured_side(canvas, side, chosen_);
    }

    /// The SM for which the axis is exact: that of the selected warp, else the first with visible slots.
    std::uint32_t own_sm(std::span<const TimelineLine> lines) const {
        if (chosen_ != no_index) return index_->sm_of_warp(chosen_);
        const auto found = std::ranges::find(lines, false, &TimelineLine::head);
        return found != lines.end() ? found->group : lines.empty() ? 0 : lines.front().group;
    }

    void explain(const MeasuredCanvas& canvas, const TimelineLine& line, std::uint32_t under, double now) {
        if (now < canvas.view.first) return;  // over the names
        if (under != no_index) canvas.frame.selection.next_hover = spot_of(under, now);
        const TimelineWords words = under != no_index ? measured_words(*index_, under, now)
                                    : line.head       ? measured_sm_words(*index_, line.group, now)
                                                      : TimelineWords{};
        if (!words.sentence.empty()) tooltip_card(canvas.frame.theme, words.sentence, words.lines);
    }

    void take_mouse(const MeasuredCanvas& canvas, const TimelineArea& area, const TimelineLine* line,
                    std::uint32_t under) {
        const auto done =
            drag_.take(canvas, area.axis, area.mouse, area.hovered, index_->length_ns(), navigation_);
        if (done.measure) measure_ = done.measure;
        if (line && line->head && ImGui::IsMouseClicked(0) && area.mouse.x < area.plot.x0) {
            if (!open_.erase(line->group)) open_.insert(line->group);
        }
        if (!done.clicked) return;
        measure_.reset();
        if (under != no_index) {
            choose(canvas.frame, under, canvas.cycle_at(area.mouse.x));
        } else if (line && line->head && !open_.contains(line->group)) {
            open_.insert(line->group);
        }
    }

    /// What a warp executed at a time, as a spot for other views; with lanes and warp only if the trace holds
    /// them.
    Spot spot_of(std::uint32_t warp, double ns) const {
        Spot spot;
        spot.warp_record = index_->record_of_warp(warp);
        const std::uint32_t visit = index_->visit_at(warp, index_->cycle_of(index_->sm_of_warp(warp), ns));
        if (visit == no_index) return spot;
        const std::uint32_t block = index_->visits(warp)[visit].basic_block;
        if (const Site* site = index_->first_site(block)) {
            spot.site = index_->trace().program.basic_blocks[block].first_site;
            spot.source_line = site->line;
        }
        if (spot.warp_record == no_index) return spot;
        const trace::WarpRecord& record = index_->trace().warps[spot.warp_record];
        const std::uint64_t at = record.visits_begin + visit;
        if (at < record.visits_end && index_->trace().visits[at].basic_block == block) spot.visit = visit;
        return spot;
    }

    void choose(ViewFrame& frame, std::uint32_t warp, double ns) {
        const int lane = frame.selection.chosen.lane;
        frame.selection.chosen = spot_of(warp, ns);
        frame.selection.chosen.lane = lane;
        seen_ = frame.selection.chosen;
        chosen_ = warp;
        visit_ = index_->visit_at(warp, index_->cycle_of(index_->sm_of_warp(warp), ns));
    }

    void obey(ViewFrame& frame, const TimelineOrders& orders, float row) {
        if (orders.show_all) navigation_.show_all();
        if (orders.pan != 0) navigation_.pan(orders.pan);
        navigation_.scroll_by(orders.scroll * row);
        const int by = orders.change != 0 ? orders.change : orders.head;
        if (by == 0 || chosen_ == no_index) return;
        // To the basic block that the chosen warp entered next, or before.
        const auto visits = index_->visits(chosen_);
        auto at = static_cast<std::int64_t>(visit_ == no_index ? 0 : visit_);
        do at += by > 0 ? 1 : -1;
        while (at >= 0 && at < static_cast<std::int64_t>(visits.size()) &&
               visits[static_cast<std::size_t>(at)].entered == trace::no_time);
        if (at < 0 || at >= static_cast<std::int64_t>(visits.size())) return;
        const double ns =
            index_->ns_of(index_->sm_of_warp(chosen_), visits[static_cast<std::size_t>(at)].entered);
        choose(frame, chosen_, ns + 0.01 * index_->ns_per_cycle());
        navigation_.reveal(ns);
    }

    /// The selection may have been made in another view: scrolls its warp into sight.
    void follow_selection(const ViewFrame& frame) {
        const Spot& chosen = frame.selection.chosen;
        if (chosen == seen_) return;
        seen_ = chosen;
        const std::uint32_t warp = index_->warp_of_record(chosen.warp_record);
        if (warp == chosen_) return;
        chosen_ = warp;
        visit_ = warp != no_index && chosen.visit < index_->visits(warp).size() ? chosen.visit : no_index;
        if (warp == no_index) return;
        open_.insert(index_->sm_of_warp(warp));
        navigation_.reveal_row(index_->row_of_warp(warp));
    }

    std::shared_ptr<const MeasuredIndex> index_;
    std::shared_ptr<const MeasuredIndex> before_;  // the baseline's; null: it was not measured
    double end_ = 0;                               // ns of the longer run
    MeasuredRuns runs_;
    TimelineNavigation navigation_{ns_of_words};
    TimelineDrag drag_;
    std::optional<CycleView> measure_;
    std::set<std::uint32_t> open_;  // SMs whose slots are seen
    Spot seen_;                     // the selection as it was when this view last looked
    std::uint32_t chosen_ = no_index, visit_ = no_index;
};

}  // namespace

std::unique_ptr<TimelinePane> make_measured_timeline() { return std::make_unique<MeasuredTimeline>(); }

}  // namespace warplens::app
