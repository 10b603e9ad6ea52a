// Measured and modelled side by side: each warp of the modelled SM with the GPU's clocks above and the
// model's states below, every block from its own start, to show where the model is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/scene/paired_index.h"
#include "app/scene/perturbation_words.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/schedule_words.h"
#include "app/views/timeline/axis.h"
#include "app/views/timeline/both_rows.h"
#include "app/views/timeline/chrome.h"
#include "app/views/timeline/controls.h"
#include "app/views/timeline/measured_words.h"
#include "app/views/timeline/mouse.h"
#include "app/views/timeline/pane.h"
#include "app/views/timeline/title.h"

namespace warplens::app {

namespace {

constexpr std::size_t summed_a_frame = 20'000;  // visits

class PairedTimeline : public TimelinePane {
  public:
    void draw(ViewFrame& frame, float taken) override {
        if (!has_both(frame)) return;
        follow_scene(*frame.scene);
        if (pairs_->pairs().empty()) {
            empty_state(frame.theme, "No warp was both measured and modelled.",
                        "The model times blocks with known addresses. Record some of the same blocks.");
            return;
        }
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const bool more = pairs_->sum_on(frame.interactive ? summed_a_frame : ~std::size_t{0});
        frame.commands.redraw = frame.commands.redraw || more;
        TimelineOrders orders;
        const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
        Box all{at.x, at.y, at.x + std::max(size.x, 1.0f), at.y + std::max(size.y, 1.0f)};
        draw_timeline_foot(
            frame, ink, all, legend(frame),
            fmt::format("measured above, modelled below, {} · each block from its own start · ",
                        to_string(Level::ptx)) +
                trace::condition_words(pairs_->measured().measured()) + " · " +
                perturbation_words(pairs_->measured().measured()));
        const Box side = take_timeline_side(ink, all, taken);
        float room = all.width() - taken;
        if (frame.interactive && !navigation_.shows_all()) {
            const float width = text_button_width(theme, "Whole");
            ImGui::SetCursorScreenPos({all.x0 + room - width, all.y0 - ink.px(1)});
            if (text_button(theme, "timeline whole", "Whole", "Show all cycles (Home)"))
                orders.show_all = true;
            room -= width + ink.px(12);
        }
        draw_timeline_title(frame, all, paired_titles(*pairs_), room);
        draw_plot(frame, ink, all, side, orders);
    }

    std::optional<WantedCycles> shown_cycles() const override { return navigation_.shown_cycles(); }

  private:
    static bool has_both(const ViewFrame& frame) {
        const SceneTiming* timing = frame.scene->timing.get();
        if (!timing) {
            empty_state(frame.theme, "The timing model is running.",
                        "Its warps appear next to the measured ones when it is done.");
        } else if (!timing->as_measured || timing->as_measured->spans.empty()) {
            empty_state(frame.theme, "There is no modelled schedule to compare with the measured times.",
                        timing->absent.empty() ? "The trace contains no warps that can be modelled."
                                               : absent_sentence(timing->absent));
        } else {
            return true;
        }
        return false;
    }

    void follow_scene(const Scene& scene) {
        if (pairs_ && &pairs_->schedule() == scene.timing->as_measured.get() &&
            &pairs_->measured().trace() == scene.trace.get())
            return;
        auto measured = scene.measured && &scene.measured->trace() == scene.trace.get()
                            ? scene.measured
                            : index_measured(scene.trace);
        pairs_ = std::make_unique<PairedIndex>(scene.timing->as_measured, std::move(measured));
        rows_ = {};
        navigation_.follow(pairs_->cycles());
        measure_.reset();
        seen_ = {};
        chosen_ = no_index;
    }

    std::vector<LegendEntry> legend(const ViewFrame& frame) const {
        using Shape = LegendEntry::Shape;
        const ImU32 block = measured_colour(frame.theme);
        std::vector<LegendEntry> entries{
            {block, "measured", Shape::filled},
            {block, "waits at a barrier", Shape::hatched},
            {frame.theme.text_dim, "entry of the same basic block", Shape::upright}};
        const auto summary = analysis::summarise(pairs_->schedule().totals);
        for (const WarpStateInfo& state : warp_states)
            if (summary.states[state.state] > 0 &&
                (state.state == WarpState::selected || summary.share(state.state) >= 0.04))
                entries.push_back({frame.theme.state(state.state), std::string(state.title),
                                   is_hatched(state.state) ? Shape::filled_hatched : Shape::filled});
        return entries;
    }

    void draw_plot(ViewFrame& frame, const Ink& ink, const Box& all, const Box& side,
                   const TimelineOrders& given) {
        TimelineOrders orders = given;
        const TimelineArea area = begin_timeline_plot(frame, ink, all, navigation_);
        const Box& plot = area.plot;
        if (frame.interactive) take_timeline_keys(area.hovered || frame.focused, orders);
        follow_selection(frame);
        if (const auto wanted = std::exchange(frame.selection.wanted_cycles, std::nullopt))
            navigation_.show({double(wanted->first), double(wanted->last)});
        if (orders.show_all) navigation_.show_all();
        if (orders.pan != 0) navigation_.pan(orders.pan);
        navigation_.scroll_by(orders.scroll * ink.px(12));

        std::vector<TimelineGroup> groups;
        for (std::uint32_t i = 0; i < pairs_->blocks().size(); ++i)
            groups.push_back({i, 2 * pairs_->blocks()[i].first, 2 * pairs_->blocks()[i].count});
        const auto lines = navigation_.lay_out(groups, plot, frame.theme.fonts.scale, frame.interactive);
        const PairedCanvas canvas{{frame, ink, navigation_.view(), plot, area.gutter, lines}, *pairs_};
        const TimelineLine* line =
            area.hovered && plot.has(area.mouse) ? canvas.line_at(area.mouse.y) : nullptr;
        const std::uint32_t under =
            line && !line->head ? static_cast<std::uint32_t>(line->row / 2) : no_index;
        const double now = canvas.cycle_at(area.mouse.x);
        if (frame.interactive) {
            const auto done =
                drag_.take(canvas, area.axis, area.mouse, area.hovered, pairs_->cycles(), navigation_);
            if (done.measure) measure_ = done.measure;
            if (done.clicked) {
                measure_.reset();
                if (under != no_index) choose(frame, under, line->row % 2 != 0, now);
            }
        }
        draw_time_axis(canvas, area.axis, "cycle", cycle_tick_words);
        ink.text({area.gutter.x0, area.strip.y0, area.gutter.x1 - ink.px(6), area.strip.y1}, "of its block",
                 frame.theme.fonts.small, frame.theme.text_dim, Align::right);
        draw_paired_names(canvas, chosen_);
        ink.list->PushClipRect({plot.x0 - 2, plot.y0 - 2}, {plot.x1 + 2, plot.y1}, true);
        rows_.update(canvas);
        rows_.draw(canvas);
        const std::uint32_t elsewhere = pairs_->pair_of_record(frame.selection.hover.warp_record);
        draw_paired_selection(canvas, chosen_, under != no_index ? under : elsewhere);
        ink.list->PopClipRect();
        if (measure_)
            draw_measure(canvas, area.axis, *measure_,
                         counted(static_cast<std::uint64_t>(std::llround(measure_->size())), "cycle"));
        draw_scroll_bar(canvas, navigation_);
        if (under != no_index && !ImGui::IsMouseDown(0)) {
            frame.selection.next_hover.warp_record =
                pairs_->schedule().warps[pairs_->pairs()[under].scheduled].warp_record;
            const TimelineWords words = paired_words(*pairs_, under, line->row % 2 != 0, now);
            tooltip_card(frame.theme, words.sentence, words.lines);
        }
        if (side.width() > 0) draw_paired_side(canvas, side);
    }

    /// `modelled`: the lower row was clicked, so the time is a cycle of the schedule.
    void choose(ViewFrame& frame, std::uint32_t pair, bool modelled, double now) {
        const PairedIndex::Pair& of = pairs_->pairs()[pair];
        const PairedIndex::Block& block = pairs_->block_of(pair);
        const int lane = frame.selection.chosen.lane;
        Spot spot;
        spot.warp_record = pairs_->schedule().warps[of.scheduled].warp_record;
        const std::uint32_t visit =
            pairs_->measured().visit_at(of.measured, static_cast<double>(block.measured_begin) + now);
        if (modelled) {
            const auto cycle = static_cast<std::uint32_t>(block.modelled_begin + std::max(now, 0.0));
            if (const trace::StateSpan* span =
                    trace::span_at(pairs_->schedule(), pairs_->schedule().warps[of.scheduled], cycle)) {
                spot.cycle = cycle;
                spot.step = span->step;
                spot.site = span->site();
            }
        } else if (visit != no_index) {
            const std::uint32_t entered = pairs_->measured().visits(of.measured)[visit].basic_block;
            if (pairs_->measured().first_site(entered))
                spot.site = pairs_->measured().trace().program.basic_blocks[entered].first_site;
        }
        if (spot.site < pairs_->measured().trace().program.sites.size())
            spot.source_line = pairs_->measured().trace().program.sites[spot.site].line;
        spot.lane = lane;
        frame.selection.chosen = seen_ = spot;
        chosen_ = pair;
    }

    void follow_selection(const ViewFrame& frame) {
        if (frame.selection.chosen == seen_) return;
        seen_ = frame.selection.chosen;
        chosen_ = pairs_->pair_of_record(seen_.warp_record);
        if (chosen_ != no_index) navigation_.reveal_row(2 * std::size_t{chosen_});
    }

    std::unique_ptr<PairedIndex> pairs_;
    PairedRows rows_;
    TimelineNavigation navigation_{10};
    TimelineDrag drag_;
    std::optional<CycleView> measure_;
    Spot seen_;
    std::uint32_t chosen_ = no_index;  // into PairedIndex::pairs
};

}  // namespace

std::unique_ptr<TimelinePane> make_paired_timeline() { return std::make_unique<PairedTimeline>(); }

}  // namespace warplens::app
