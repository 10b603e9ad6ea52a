// Timeline: what each warp of one SM did in each cycle, which issue slots were used, and what limited the
// kernel.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/hit_boxes.h"
#include "app/views/timeline_controls.h"
#include "app/views/timeline_hover.h"
#include "app/views/timeline_marks.h"
#include "app/views/timeline_navigation.h"
#include "app/views/timeline_rows.h"
#include "app/views/timeline_side.h"
#include "app/views/timeline_title.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/legend.h"
#include "app/widgets/number.h"
#include "app/widgets/text.h"
#include "app/widgets/title_line.h"
#include "app/widgets/tooltip.h"

namespace warplens::app {

namespace {

constexpr float wheel_step = 40;  // pixels of rows

class TimelineView : public View {
  public:
    void draw(ViewFrame& frame) override {
        if (!has_schedule(frame)) return;
        follow_scene(*frame.scene);
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        TimelineOrders orders;
        Box all = room();
        // Where height is dear, rare states are left to the tooltips.
        const double least_share = all.height() < ink.px(300) ? 0.02 : 0;
        const auto entries = timeline_legend(*index_, theme, frame.selection.chosen, least_share);
        draw_foot(frame, ink, all, entries);
        const Box side = take_side(ink, all);
        draw_title(frame, ink, all, orders);
        draw_plot(frame, ink, all, side, orders);
    }

  private:
    static Box room() {
        const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
        return {at.x, at.y, at.x + std::max(size.x, 1.0f), at.y + std::max(size.y, 1.0f)};
    }

    static bool has_schedule(const ViewFrame& frame) {
        const Scene* scene = frame.scene;
        if (!scene || !scene->trace) {
            empty_state(frame.theme, "No kernel has run yet.", "Choose a kernel on the left.");
        } else if (!scene->timing) {
            empty_state(frame.theme, "The timing model has not answered yet.",
                        "The timeline appears as soon as it has.");
        } else if (!scene->timing->schedule) {
            empty_state(frame.theme, "There is no schedule to show.", scene->timing->absent);
        } else if (scene->timing->schedule->spans.empty()) {
            empty_state(frame.theme, "The schedule tells of no warp.",
                        "Record at least one block, and its warps' cycles are modelled.");
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
        issues_ = {};
        controls_.forget_matches();
        navigation_.follow(index_->sums().cycles());
        measured_.reset();
        seen_ = {};
        point_ = {};
    }

    /// The legend and where the numbers come from, on one line where both fit.
    void draw_foot(const ViewFrame& frame, const Ink& ink, Box& all,
                   const std::vector<LegendEntry>& entries) const {
        const Theme& theme = frame.theme;
        const std::string words = timeline_provenance(index_->schedule(), *frame.scene);
        const float provenance =
            text_width(theme.fonts.small, words + " · " + sampled_words(*frame.scene)) + ink.px(4);
        const ImVec2 size = legend_size(theme, entries, all.width());
        const bool legend_fits = all.height() > size.y + ink.px(150);
        const bool one_line = legend_fits && size.x + provenance + ink.px(32) < all.width();
        Box last = all.take_bottom(provenance_line_height(theme));
        if (one_line) last.x0 = last.x1 - provenance;
        if (legend_fits) {
            const Box box = one_line ? Box{all.x0, last.y0, all.x1, last.y1} : all.take_bottom(size.y);
            ImGui::SetCursorScreenPos(box.min());
            legend(theme, entries, box.width());
        }
        all.take_bottom(ink.px(4));
        ImGui::SetCursorScreenPos(last.min());
        provenance_line(theme, *frame.scene, words);
        ImGui::SetCursorScreenPos(all.min());
    }

    static Box take_side(const Ink& ink, Box& all) {
        if (all.width() < ink.px(880)) return {};
        const Box side = all.take_right(std::round(std::min(ink.px(300), all.width() * 0.26f)));
        all.take_right(ink.px(24));
        return side;
    }

    void draw_title(ViewFrame& frame, const Ink& ink, Box& all, TimelineOrders& orders) {
        const auto wordings = timeline_titles(*index_, *frame.scene);
        float room = all.width();
        if (frame.interactive && room > ink.px(560)) {
            ImGui::SetCursorScreenPos({all.x0, all.y0 - ink.px(1)});
            controls_.draw(*index_, frame, all.x1, navigation_.shows_all(), orders);
            room -= controls_.width(frame.theme) + ink.px(16);
        }
        // The longest wording that stays on one line, where height is dear.
        std::string chosen = wordings.back();
        for (const std::string& wording : wordings) {
            const float width = text_width(frame.theme.fonts.title, wording);
            if (width <= room || (all.height() > ink.px(520) && width < 2 * room)) {
                chosen = wording;
                break;
            }
        }
        ImGui::SetCursorScreenPos(all.min());
        rich_text(frame.theme, frame.theme.fonts.title, frame.theme.fonts.code_title, frame.theme.text,
                  chosen, room);
        all.y0 = ImGui::GetCursorScreenPos().y;
    }

    void draw_plot(ViewFrame& frame, const Ink& ink, Box all, const Box& side, TimelineOrders& orders) {
        const Theme& theme = frame.theme;
        const Box body = all;
        const Box gutter = all.take_left(
            std::min(text_width(theme.fonts.small, "block 1,000 warp 31") + ink.px(8), all.width() * 0.25f));
        Box plot = all;
        const Box axis = plot.take_top(ink.px(20));
        const Box blocks = plot.take_top(ink.px(16));
        plot.take_top(ink.px(3));
        hit_box("timeline plot", plot.min(), plot.max());
        hit_box("timeline axis", axis.min(), axis.max());

        bool hovered = false;
        ImVec2 mouse{-1, -1};
        if (frame.interactive && body.width() > 1 && body.height() > 1) {
            ImGui::SetCursorScreenPos(body.min());
            ImGui::InvisibleButton("timeline body", {body.width(), body.height()});
            hovered = ImGui::IsItemHovered();
            mouse = ImGui::GetMousePos();
            controls_.take_keys(hovered, orders);
            frame.commands.takes_arrow_keys = frame.commands.takes_arrow_keys || hovered;
            if (hovered) take_wheel(plot, mouse, theme.fonts.scale);
        }
        follow_selection(frame);
        if (const auto wanted = std::exchange(frame.selection.wanted_cycles, std::nullopt))
            navigation_.show({double(wanted->first), double(wanted->last)});
        obey(frame, orders, ink.px(12));

        const auto lines = navigation_.lay_out(index_->sums(), plot, theme.fonts.scale, frame.interactive);
        const TimelineCanvas canvas{
            frame, ink, *index_, navigation_.view(), plot, {gutter.x0, plot.y0, gutter.x1, plot.y1}, lines};
        const TimelinePoint under = hovered ? point_at(canvas, mouse) : TimelinePoint{};
        if (frame.interactive) take_mouse(canvas, axis, mouse, hovered, under);

        const bool single = draws_single_spans(canvas);
        density_->update(canvas, !single);
        draw_cycle_axis(canvas, axis);
        draw_line_names(canvas);
        ink.list->PushClipRect({gutter.x0, blocks.y0}, {plot.x1, plot.y1}, true);
        draw_blocks(canvas, blocks);
        ink.list->PopClipRect();
        ink.list->PushClipRect({plot.x0 - 2, plot.y0 - 2}, {plot.x1 + 2, plot.y1}, true);
        if (single) draw_spans(canvas);
        else density_->draw(canvas, frame.interactive && PixelTexture::available());
        draw_issue_slots(canvas, *density_);
        draw_barriers(canvas);
        issues_.follow(*index_, frame.selection.chosen);
        issues_.draw(canvas);
        draw_selection(canvas, point_, under.warp != no_index ? under : hovered_elsewhere(frame));
        draw_flight(canvas, point_, ArcWords::if_long);
        if (under.warp != no_index && under != point_) draw_flight(canvas, under, ArcWords::always);
        ink.list->PopClipRect();
        if (measured_) draw_measure(canvas, axis, *measured_);
        if (frame.selection.chosen.cycle != no_index)
            draw_play_head(canvas, axis, frame.selection.chosen.cycle);
        draw_scroll_bar(canvas);
        if (hovered && !ImGui::IsMouseDown(0)) explain(canvas, mouse, under);
        if (side.width() > 0)
            draw_timeline_side(canvas, *density_, side, frame.scene->timing->limiting, compared());
    }

    /// What the side panel sets beside the whole.
    std::optional<TimelineRangeWords> compared() const {
        if (measured_)
            return TimelineRangeWords{*measured_, fmt::format("Measured, {} to {}", grouped(measured_->begin),
                                                              grouped(measured_->end))};
        if (navigation_.shows_all()) return std::nullopt;
        return TimelineRangeWords{{static_cast<std::uint32_t>(navigation_.view().first),
                                   static_cast<std::uint32_t>(std::ceil(navigation_.view().last))},
                                  "In sight"};
    }

    void draw_scroll_bar(const TimelineCanvas& canvas) const {
        const Box& plot = canvas.plot;
        if (!canvas.frame.interactive || navigation_.content() <= plot.height()) return;
        const float share = plot.height() / navigation_.content();
        const float top = plot.y0 + navigation_.scrolled() * share, width = canvas.ink.px(4);
        canvas.ink.fill({plot.x1 + canvas.ink.px(4), top, plot.x1 + canvas.ink.px(4) + width,
                         top + plot.height() * share},
                        with_alpha(canvas.frame.theme.text_dim, 0.5), width / 2);
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
        const TimelineLine* line = line_at(canvas, mouse.y);
        if (!line || !line->issue_slots) return;
        const TimelineWords words = issue_slot_words(*index_, line->scheduler, under.cycle);
        tooltip_card(canvas.frame.theme, words.sentence, words.lines);
    }

    void take_wheel(const Box& plot, ImVec2 mouse, float scale) {
        const ImGuiIO& io = ImGui::GetIO();
        if (io.MouseWheel == 0) return;
        if (io.KeyCtrl) {
            const double share = std::clamp((mouse.x - plot.x0) / plot.width(), 0.0f, 1.0f);
            navigation_.zoom(navigation_.view().first + share * navigation_.view().size(),
                             std::pow(0.75, io.MouseWheel));
            navigation_.hold(mouse.y - plot.y0);
        } else if (io.KeyShift) {
            navigation_.pan(-0.1 * static_cast<double>(io.MouseWheel));
        } else {
            navigation_.scroll_by(-io.MouseWheel * wheel_step * scale);
        }
    }

    /// A drag over the axis moves the play head, over the plot it measures; a click selects.
    void take_mouse(const TimelineCanvas& canvas, const Box& axis, ImVec2 mouse, bool hovered,
                    const TimelinePoint& under) {
        const ImGuiIO& io = ImGui::GetIO();
        const auto cycle_at = [&](float x) {
            return std::clamp(canvas.cycle_at(x), 0.0, static_cast<double>(index_->sums().cycles()));
        };
        if (hovered && (ImGui::IsMouseDragging(2) || ImGui::IsMouseDragging(1)))
            navigation_.pan(-static_cast<double>(io.MouseDelta.x / canvas.plot.width()));
        if (hovered && ImGui::IsMouseClicked(0)) {
            scrubbing_ = axis.has(mouse);
            pressed_ = !scrubbing_ && canvas.plot.has(mouse);
            pressed_at_ = cycle_at(mouse.x);
        }
        const bool dragged = io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
        if (scrubbing_ && ImGui::IsMouseDown(0)) move_head_to(canvas.frame, cycle_at(mouse.x));
        if (pressed_ && dragged && ImGui::IsMouseDown(0)) {
            const double a = std::min(pressed_at_, cycle_at(mouse.x)),
                         b = std::max(pressed_at_, cycle_at(mouse.x));
            measured_ = analysis::CycleRange{static_cast<std::uint32_t>(std::floor(a)),
                                             static_cast<std::uint32_t>(std::ceil(b))};
        }
        if (!ImGui::IsMouseReleased(0)) return;
        if (pressed_ && !dragged) {
            measured_.reset();
            if (under.warp != no_index) choose(canvas.frame, under);
        }
        pressed_ = scrubbing_ = false;
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

    /// The selection may have been made in another view: its warp and moment come into sight.
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
    SiteIssues issues_;
    TimelineNavigation navigation_;
    TimelineControls controls_;
    Spot seen_;            // the selection as it was when this view last looked
    TimelinePoint point_;  // where the selection is
    std::optional<analysis::CycleRange> measured_;
    double pressed_at_ = 0;
    bool pressed_ = false, scrubbing_ = false;
};

}  // namespace

std::unique_ptr<View> make_timeline_view() { return std::make_unique<TimelineView>(); }

}  // namespace warplens::app
