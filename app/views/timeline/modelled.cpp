// The modelled timeline: the state of each warp of one SM in each cycle, the used issue slots, and what
// limited the kernel.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/scene/level_of_time.h"
#include "app/scene/play_head.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/dear_lines.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/schedule_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/timeline/axis.h"
#include "app/views/timeline/chrome.h"
#include "app/views/timeline/controls.h"
#include "app/views/timeline/finish_lines.h"
#include "app/views/timeline/hover.h"
#include "app/views/timeline/magnified.h"
#include "app/views/timeline/marks.h"
#include "app/views/timeline/mouse.h"
#include "app/views/timeline/navigation.h"
#include "app/views/timeline/pane.h"
#include "app/views/timeline/rows.h"
#include "app/views/timeline/side.h"
#include "app/views/timeline/state_bars.h"
#include "app/views/timeline/title.h"

namespace warplens::app {

namespace {

class ModelledTimeline : public TimelinePane {
  public:
    void draw(ViewFrame& frame, float taken) override {
        if (!has_schedule(frame)) return;
        taken_ = taken;
        follow_scene(*frame.scene);
        follow_baseline(frame);
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        TimelineOrders orders;
        Box all = room();
        // If height is scarce, only tooltips show rare states.
        std::vector<LegendEntry> entries;
        for (const double least_share : {0.0, 0.02, 0.05, 0.1, 0.2}) {
            if (least_share == 0 && all.height() < ink.px(300)) continue;
            entries = timeline_legend(*index_, theme, frame.selection.chosen, least_share);
            if (legend_fits(theme, ink, all, entries)) break;
        }
        draw_timeline_foot(frame, ink, all, entries, schedule_provenance(index_->schedule(), *frame.scene));
        const Box side = take_timeline_side(ink, all, taken_);
        draw_title(frame, ink, all, orders);
        const Box bars = take_bars(ink, all);
        draw_plot(frame, ink, all, side, bars, orders);
    }

    std::optional<WantedCycles> shown_cycles() const override { return navigation_.shown_cycles(); }

  private:
    static Box room() {
        const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
        return {at.x, at.y, at.x + std::max(size.x, 1.0f), at.y + std::max(size.y, 1.0f)};
    }

    static bool has_schedule(const ViewFrame& frame) {
        const Scene* scene = frame.scene;
        if (!scene->timing) {
            empty_state(frame.theme, "The timing model is running.", "The timeline appears when it is done.");
        } else if (!scene->timing->schedule) {
            empty_state(frame.theme, "There is no schedule to show.", absent_sentence(scene->timing->absent));
        } else if (scene->timing->schedule->spans.empty()) {
            empty_state(frame.theme, "The schedule contains no warps.",
                        "Record at least one block to model its warps.");
        } else {
            return true;
        }
        return false;
    }

    void follow_scene(const Scene& scene) {
        if (index_ && &index_->schedule() == scene.timing->schedule.get() &&
            &index_->trace() == scene.trace.get())
            return;
        index_ = std::make_unique<TimelineIndex>(scene.timing->schedule, scene.trace, scene.timing->sums,
                                                 scene.timing->density);
        density_ = std::make_unique<TimelineDensity>();
        dear_.reset();
        issues_ = {};
        controls_.forget_matches();
        end_ = 0;
        range_.reset();
        seen_ = {};
        point_ = {};
    }

    void draw_title(ViewFrame& frame, const Ink& ink, Box& all, TimelineOrders& orders) {
        const auto wordings = timeline_titles(*index_, *frame.scene);
        float room = all.width() - taken_;
        if (frame.interactive && room > ink.px(560)) {
            controls_.fit(room / frame.theme.fonts.scale);
            ImGui::SetCursorScreenPos({all.x0, all.y0 - ink.px(1)});
            controls_.draw(*index_, frame, all.x0 + room, navigation_.shows_all(), orders);
            room -= controls_.width(frame.theme) + ink.px(16);
        }
        draw_timeline_title(frame, all, wordings, room);
        if (headline_with_room(frame.theme, {cycles_in_words(frame), "cycles", launch_in_words(frame)}, room))
            all.y0 = ImGui::GetCursorScreenPos().y;
    }

    /// "14,817 → 9,174": of two runs on one GPU both.
    std::string cycles_in_words(const ViewFrame& frame) const {
        const std::string now = grouped(index_->schedule().totals.cycles);
        if (!before_ || frame.baseline->gpu != frame.scene->gpu) return now;
        const std::string was = grouped(before_->totals.cycles);
        return was == now ? now : fmt::format("{} → {}", was, now);
    }

    /// What the cycles are of, and those of the launch, which other views and the verdict of two runs give.
    std::string launch_in_words(const ViewFrame& frame) const {
        constexpr const char* of_one_sm = "of one SM, until its last warp ends";
        const auto cycles = [](const trace::Schedule& of) {
            return grouped(static_cast<std::uint64_t>(std::llround(of.launch.cycles)));
        };
        const trace::Schedule& now = index_->schedule();
        if (now.launch.cycles <= 0) return of_one_sm;
        if (before_ && frame.baseline->gpu == frame.scene->gpu && before_->launch.cycles > 0)
            return fmt::format("{} · the launch takes {} → {}", of_one_sm, cycles(*before_), cycles(now));
        return fmt::format("{} · the launch takes {}", of_one_sm, cycles(now));
    }

    /// The axis reaches to the end of the longer run.
    void follow_baseline(const ViewFrame& frame) {
        const auto& timing = frame.baseline ? frame.baseline->timing : nullptr;
        before_ = timing ? timing->schedule.get() : nullptr;
        const double own = index_->sums().cycles();
        const double end = before_ ? std::max(own, static_cast<double>(before_->totals.cycles)) : own;
        if (std::exchange(end_, end) != end) navigation_.follow(end);
    }

    /// Room for both runs as bars over the rows of this one; empty: there is none.
    Box take_bars(const Ink& ink, Box& all) const {
        if (!before_ || all.height() < state_bars_height(ink) + ink.px(80)) return {};
        return all.take_top(state_bars_height(ink));
    }

    void draw_plot(ViewFrame& frame, const Ink& ink, Box all, const Box& side, const Box& bars,
                   TimelineOrders& orders) {
        const Theme& theme = frame.theme;
        const auto [gutter, axis, blocks, plot, hovered, mouse] =
            begin_timeline_plot(frame, ink, all, navigation_);
        if (frame.interactive) controls_.take_keys(hovered || frame.focused, orders);
        follow_selection(frame);
        if (frame.play && frame.play->playing() && frame.selection.chosen.cycle != no_index)
            navigation_.reveal(frame.selection.chosen.cycle);
        if (const auto wanted = std::exchange(frame.selection.wanted_cycles, std::nullopt))
            navigation_.show({double(wanted->first), double(wanted->last)});
        obey(frame, orders, ink.px(12));

        const auto lines = navigation_.lay_out(index_->groups(), plot, theme.fonts.scale, frame.interactive);
        frame.selection.shown_cycles = cycles_in_sight();
        const TimelineCanvas canvas{{frame, ink, navigation_.view(), plot, gutter, lines}, *index_};
        const TimelinePoint under = hovered ? point_at(canvas, mouse) : TimelinePoint{};
        if (frame.interactive) take_mouse(canvas, axis, mouse, hovered, under);

        const bool single = draws_single_spans(canvas);
        density_->update(canvas, !single);
        draw_time_axis(canvas, axis, "cycle", cycle_tick_words);
        draw_line_names(canvas);
        ink.list->PushClipRect({gutter.x0, blocks.y0}, {plot.x1, plot.y1}, true);
        draw_blocks(canvas, blocks);
        ink.list->PopClipRect();
        ink.list->PushClipRect({plot.x0 - 2, plot.y0 - 2}, {plot.x1 + 2, plot.y1}, true);
        const bool points = under.warp != no_index && under != point_;
        const Box labels[] = {flight_label(canvas, point_, ArcWords::if_long),
                              points ? flight_label(canvas, under, ArcWords::always) : Box{}};
        if (single) draw_spans(canvas, labels);
        else density_->draw(canvas, frame.interactive && PixelTexture::available());
        draw_issue_slots(canvas, *density_);
        draw_barriers(canvas);
        issues_.follow(*index_, frame.selection.chosen);
        issues_.draw(canvas);
        draw_selection(canvas, point_, under.warp != no_index ? under : hovered_elsewhere(frame));
        draw_flight(canvas, point_, ArcWords::if_long);
        if (points) draw_flight(canvas, under, ArcWords::always);
        ink.list->PopClipRect();
        if (before_) {
            const StateBar before{frame.baseline_name, before_}, after{frame.scene_name, &index_->schedule()};
            const std::uint64_t was = before_->totals.cycles, is = index_->sums().cycles();
            const bool one_clock = frame.baseline->gpu == frame.scene->gpu, has_bars = bars.height() > 0;
            draw_finish_lines(canvas, axis, {before.name, double(was)}, {after.name, double(is)},
                              has_bars ? "" : counted(was > is ? was - is : is - was, "cycle"), one_clock);
            if (has_bars) draw_state_bars(ink, bars, plot.x0, plot.x1, before, after, one_clock);
        }
        if (range_)
            draw_measure(canvas, axis, {double(range_->begin), double(range_->end)},
                         counted(range_->end - range_->begin, "cycle"));
        if (frame.selection.chosen.cycle != no_index)
            draw_play_head(canvas, axis, frame.selection.chosen.cycle);
        draw_scroll_bar(canvas, navigation_);
        if (!frame.interactive && !before_ && !lines.empty()) draw_below(canvas);
        if (hovered && !ImGui::IsMouseDown(0)) explain(canvas, mouse, under);
        if (side.width() > 0)
            draw_timeline_side(canvas, *density_, side, frame.scene->timing->limiting, compared());
    }

    /// In the room that few rows leave in a picture: a stretch of them magnified, and the lines that they
    /// wait for.
    void draw_below(const TimelineCanvas& canvas) {
        const ViewFrame& frame = canvas.frame;
        if (!dear_) dear_ = dear_lines(*frame.scene, level_of_counts(*frame.scene));
        const float gap = canvas.ink.px(24), bottom = canvas.plot.y1;
        const float lines = dear_lines_height(canvas.ink, *dear_);
        const float least = std::min(lines + gap, canvas.ink.px(170));
        // With room for both, the lines have all that they can use; else the magnified rows are first.
        const float end = draw_magnified(canvas, point_.warp != no_index ? point_.cycle : 0, bottom - least,
                                         bottom - lines - gap);
        if (bottom - end < least) return;
        draw_dear_lines(canvas.ink, {canvas.gutter.x0, end + gap, canvas.plot.x1, bottom}, *dear_,
                        frame.selection.chosen.source_line,
                        frame.baseline ? frame.scene_name : std::string_view());
    }

    std::optional<WantedCycles> cycles_in_sight() const {
        if (navigation_.shows_all()) return std::nullopt;
        return WantedCycles{static_cast<std::uint32_t>(navigation_.view().first),
                            static_cast<std::uint32_t>(std::ceil(navigation_.view().last))};
    }

    /// The range that the side panel compares with the total.
    std::optional<TimelineRangeWords> compared() const {
        if (range_)
            return TimelineRangeWords{
                *range_, fmt::format("Range, {} to {}", grouped(range_->begin), grouped(range_->end))};
        if (const auto sight = cycles_in_sight())
            return TimelineRangeWords{{sight->first, sight->last}, "In sight"};
        return std::nullopt;
    }

    TimelinePoint hovered_elsewhere(const ViewFrame& frame) const {
        TimelinePoint point;
        point.warp = index_->warp_of_record(frame.selection.hover.warp_record);
        return point;
    }

    void explain(const TimelineCanvas& canvas, ImVec2 mouse, const TimelinePoint& under) {
        if (!canvas.plot.has(mouse)) return;
        if (under.warp != no_index) {
            canvas.frame.selection.next_hover = index_->spot_of(under);
            const TimelineWords words = words_of(*index_, under);
            if (!words.sentence.empty()) tooltip_card(canvas.frame.theme, words.sentence, words.lines);
            return;
        }
        const TimelineLine* line = canvas.line_at(mouse.y);
        if (!line || !line->head) return;
        const TimelineWords words = issue_slot_words(*index_, line->group, under.cycle);
        tooltip_card(canvas.frame.theme, words.sentence, words.lines);
    }

    void take_mouse(const TimelineCanvas& canvas, const Box& axis, ImVec2 mouse, bool hovered,
                    const TimelinePoint& under) {
        const auto done = drag_.take(canvas, axis, mouse, hovered, index_->sums().cycles(), navigation_);
        if (done.head) move_head_to(canvas.frame, *done.head);
        if (done.measure)
            range_ = analysis::CycleRange{static_cast<std::uint32_t>(std::floor(done.measure->first)),
                                          static_cast<std::uint32_t>(std::ceil(done.measure->last))};
        if (!done.clicked) return;
        range_.reset();
        if (under.warp != no_index) choose(canvas.frame, under);
    }

    void choose(ViewFrame& frame, const TimelinePoint& point) {
        const int lane = frame.selection.chosen.lane;
        frame.selection.chosen = index_->spot_of(point);
        frame.selection.chosen.lane = lane;
        seen_ = frame.selection.chosen;
        point_ = point;
    }

    /// The chosen warp's instruction in that cycle becomes the chosen spot, so that the other views follow.
    void move_head_to(ViewFrame& frame, double to) {
        const double last = std::max(1.0, static_cast<double>(index_->sums().cycles())) - 1;
        const auto cycle = static_cast<std::uint32_t>(std::clamp(to, 0.0, last));
        Spot& chosen = frame.selection.chosen;
        if (chosen.cycle == cycle) return;
        TimelinePoint point{point_.warp, cycle};
        const bool resident = point.warp != no_index &&
                              trace::span_at(index_->schedule(), index_->schedule().warps[point.warp], cycle);
        if (resident) {
            choose(frame, point);
        } else {
            chosen.cycle = cycle;
            seen_ = chosen;
        }
        navigation_.reveal(cycle);
    }

    void obey(ViewFrame& frame, const TimelineOrders& orders, float row) {
        if (orders.show_all) navigation_.show_all();
        if (orders.pan != 0) navigation_.pan(orders.pan);
        navigation_.scroll_by(orders.scroll * row);
        const std::uint32_t head = frame.selection.chosen.cycle;
        const double at = head != no_index          ? head
                          : point_.warp != no_index ? point_.cycle
                                                    : std::floor(navigation_.view().first);
        if (orders.head != 0) move_head_to(frame, at + orders.head);
        if (orders.change != 0 && point_.warp != no_index) {
            const trace::ScheduledWarp& warp = index_->schedule().warps[point_.warp];
            const trace::StateSpan* span =
                trace::span_at(index_->schedule(), warp, static_cast<std::uint32_t>(at));
            if (span && orders.change > 0)
                move_head_to(frame, trace::end_of(index_->schedule(), warp, *span));
            if (span && orders.change < 0) move_head_to(frame, static_cast<double>(span->begin) - 1);
        }
        if (orders.find == 0) return;
        const TimelinePoint from{point_.warp, static_cast<std::uint32_t>(at)};
        if (const auto match = find_match(index_->schedule(), controls_.query(), from, orders.find > 0)) {
            choose(frame, *match);
            navigation_.reveal(match->cycle);
            navigation_.reveal_row(index_->row_of_warp(match->warp));
        }
    }

    /// The selection may have been made in another view: scrolls its warp and cycle into sight.
    void follow_selection(ViewFrame& frame) {
        const Spot& chosen = frame.selection.chosen;
        if (chosen == seen_) return;
        const bool first = seen_ == Spot{};
        seen_ = chosen;
        point_ = index_->point_of(chosen);
        if (point_.warp == no_index) return;
        navigation_.reveal_row(index_->row_of_warp(point_.warp));
        if (!first && (chosen.step != no_index || chosen.access != no_access))
            navigation_.reveal(point_.cycle);
    }

    std::unique_ptr<TimelineIndex> index_;
    std::unique_ptr<TimelineDensity> density_;
    std::optional<DearLines> dear_;  // of a picture
    SiteIssues issues_;
    TimelineNavigation navigation_;
    TimelineControls controls_;
    Spot seen_;            // the selection as it was when this view last looked
    TimelinePoint point_;  // where the selection is
    std::optional<analysis::CycleRange> range_;
    const trace::Schedule* before_ = nullptr;  // the baseline's, in this frame
    double end_ = 0;                           // cycles of the longer run
    TimelineDrag drag_;
    float taken_ = 0;  // of the title's room, by the view's own control
};

}  // namespace

std::unique_ptr<TimelinePane> make_modelled_timeline() { return std::make_unique<ModelledTimeline>(); }

}  // namespace warplens::app
