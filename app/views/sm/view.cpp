// SM: the block diagram of one SM at the play head — warp slots, schedulers, pipes, queues, scoreboards, and
// what its blocks take of registers and shared memory. Modelled; of a GPU's recording what the clocks say.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/scene/step_spot.h"
#include "app/ui/empty_state.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/machine_level.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/schedule_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/sm/cursor.h"
#include "app/views/sm/drawing.h"
#include "app/views/sm/recorded.h"
#include "app/views/sm/words.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

const std::array<Segment, 2> sm_sources{
    {{"sm measured", "measured", "What a GPU's clocks recorded of its SM."},
     {"sm modelled", "modelled", "The timing model's SM, with pipes and queues."}}};

/// A run's units in any cycle, and where they were looked at last.
class SmOfRun {
  public:
    /// `scene` has a schedule with spans.
    void follow(const Scene& scene) {
        if (states_ && &states_->schedule() == scene.timing->schedule.get()) return;
        states_ = scene.timing->sm;
        if (!states_ || &states_->schedule() != scene.timing->schedule.get()) {
            const GpuSpec& gpu = scene.gpu ? *scene.gpu : default_gpu();
            auto sums = scene.timing->sums && &scene.timing->sums->schedule() == scene.timing->schedule.get()
                            ? scene.timing->sums
                            : std::make_shared<const analysis::ScheduleSums>(scene.timing->schedule);
            states_ = std::make_shared<const analysis::SmStates>(std::move(sums), sm_timing(gpu));
        }
        state_.reset();
        first_.reset();
    }
    const analysis::SmStates& states() const { return *states_; }
    const analysis::SmState& at(std::uint32_t cycle) {
        if (!state_ || state_->cycle != cycle) state_ = states_->at(cycle);
        return *state_;
    }
    std::uint32_t first_cycle() {
        if (!first_) first_ = states_->liveliest_cycle();
        return *first_;
    }
    std::uint32_t last_cycle() const {
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(states_->schedule().totals.cycles, 1) - 1);
    }
    std::uint32_t warp_of_record(std::uint32_t record) const {
        const auto& warps = states_->schedule().warps;
        const auto found = std::ranges::find(warps, record, &trace::ScheduledWarp::warp_record);
        return found == warps.end() || record == no_index ? no_index
                                                          : static_cast<std::uint32_t>(found - warps.begin());
    }
    /// When the warp of the spot issued the spot's step, else its site.
    std::optional<std::uint32_t> issue_cycle(const Spot& spot) const {
        const std::uint32_t warp = warp_of_record(spot.warp_record);
        if (warp == no_index || (spot.step == no_index && spot.site == no_index)) return std::nullopt;
        const trace::Schedule& schedule = states_->schedule();
        for (const trace::StateSpan& span : trace::spans_of(schedule, schedule.warps[warp]))
            if (span.state() == WarpState::selected &&
                (spot.step != no_index ? span.step == spot.step : span.site() == spot.site))
                return span.begin;
        return std::nullopt;
    }

  private:
    std::shared_ptr<const analysis::SmStates> states_;
    std::optional<analysis::SmState> state_;
    std::optional<std::uint32_t> first_;
};

/// Height of a diagram in which slots, pipes and queues each have rows: unscaled pixels. A lower pane
/// scrolls.
constexpr float lowest_sm = 290;

bool has_spans(const Scene* scene) {
    return scene && scene->timing && scene->timing->schedule && !scene->timing->schedule->spans.empty();
}

class SmView : public View {
  private:
    ViewNeeds needs() const override { return {.gpu = true}; }

    std::string cannot_compare(const ViewFrame& frame) override {
        if (!has_spans(frame.baseline)) return "The baseline has no modelled schedule to compare with.";
        return {};
    }

    void draw_scene(ViewFrame& frame) override {
        if (!frame.scene->trace->measured || !frame.scene->measured) return draw_modelled(frame);
        if (frame.selection.wanted_timeline)
            recorded_chosen_ = *frame.selection.wanted_timeline == TimelineSource::measured;
        if (frame.interactive) {
            const ImVec2 start = ImGui::GetCursorScreenPos();
            recorded_chosen_ = segments(frame.theme, sm_sources, recorded_chosen_ ? 0 : 1) == 0;
            ImGui::SetCursorScreenPos({start.x, ImGui::GetCursorScreenPos().y});
        }
        if (recorded_chosen_) recorded_.draw(frame, frame.scene->measured);
        else draw_modelled(frame);
    }

    /// As in the timeline, the play head moves through the PTX's schedule; without one, times are those of
    /// the machine code where they are known.
    void draw_modelled(ViewFrame& frame) {
        const Scene* machine = frame.level == Level::machine ? machine_.follow(*frame.scene) : nullptr;
        const bool at_ptx = !machine || frame.selection.chosen.cycle != no_index;
        if (at_ptx) return draw_level(frame, Level::ptx, machine != nullptr);
        const Scene* const baseline = frame.baseline ? machine_baseline_.follow(*frame.baseline) : nullptr;
        ViewFrame inner = frame.at_machine(*machine, baseline, machine_.selection(frame.selection));
        draw_level(inner, Level::machine, true);
        machine_.give_back(frame.selection);
        if (play_head_) {
            frame.selection.chosen.cycle = *play_head_;
            play_head_.reset();
        }
    }

    void draw_level(ViewFrame& frame, Level level, bool can_choose) {
        const Scene& scene = *frame.scene;
        if (!has_spans(&scene)) return draw_absent(frame);
        run_.follow(scene);
        const bool both = has_spans(frame.baseline);
        if (both) baseline_.follow(*frame.baseline);
        const std::uint32_t cycle = moment(frame, level);
        const SmDiagram diagram{scene,
                                run_.states(),
                                run_.at(cycle),
                                run_.warp_of_record(frame.selection.chosen.warp_record),
                                run_.warp_of_record(frame.selection.hover.warp_record),
                                frame.interactive};
        const Theme& theme = frame.theme;
        title_line(theme, both ? sm_title_of_both(diagram, before_in(frame, cycle), frame.baseline_name)
                               : sm_title(diagram));
        headline(theme,
                 fmt::format("{} of {}", diagram.state.issuing_schedulers(), diagram.state.schedulers.size()),
                 "schedulers issue", sm_facts(diagram));
        const SmMomentOrders orders =
            draw_sm_moment(frame, {double(cycle), double(run_.last_cycle()), "cycle",
                                   can_choose && frame.interactive, level, frame.interactive});
        const SmHit hit = both ? draw_both(frame, diagram, cycle) : draw_one(frame, diagram);
        if (frame.interactive) obey(frame, level, cycle, orders, hit);
    }

    static void draw_absent(ViewFrame& frame) {
        const auto& timing = frame.scene->timing;
        if (!timing)
            empty_state(frame.theme, "The timing model is running.", "The SM appears when it is done.");
        else if (!timing->schedule)
            empty_state(frame.theme, "There is no schedule to show.", absent_sentence(timing->absent));
        else
            empty_state(frame.theme, "The schedule contains no warps.",
                        "Record at least one block to model its warps.");
    }

    /// The cycle to show: the play head, else the one that was chosen here, else a lively one.
    std::uint32_t moment(const ViewFrame& frame, Level level) {
        const Spot& chosen = frame.selection.chosen;
        std::optional<std::uint32_t>& own = own_[level == Level::machine ? 1 : 0];
        if (schedule_ != &run_.states().schedule()) {
            if (shown_generation_ != frame.scene->generation) own_ = {};
            schedule_ = &run_.states().schedule();
            shown_generation_ = frame.scene->generation;
            seen_ = chosen;
        }
        if (!frame.interactive && frame.selection.wanted_cycles) own = frame.selection.wanted_cycles->first;
        if (!(seen_ == chosen)) {
            seen_ = chosen;
            if (const auto issued = run_.issue_cycle(chosen)) own = issued;
        }
        if (!own) own = lively_cycle(frame);
        const std::uint32_t cycle = chosen.cycle != no_index && level == Level::ptx ? chosen.cycle : *own;
        return std::min(cycle, run_.last_cycle());
    }

    /// Of two runs one in which both have work.
    std::uint32_t lively_cycle(const ViewFrame& frame) {
        const std::uint32_t cycle = run_.first_cycle();
        const bool has_ended = has_spans(frame.baseline) && cycle > baseline_.last_cycle();
        return has_ended ? baseline_.first_cycle() : cycle;
    }

    SmHit draw_one(ViewFrame& frame, const SmDiagram& diagram) {
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        auto entries = sm_legend(frame.theme, {&diagram}, SmDetail::whole);
        const PictureArea area = picture_area(ink, entries, 2000, frame.interactive ? lowest_sm : 0);
        const SmDetail detail = sm_detail(ink, diagram, area.box);
        SmHit hit = draw_sm(ink, diagram, area.box);
        entries = sm_legend(frame.theme, {&diagram}, detail, hit.scoreboards);
        finish(frame, diagram, area, entries, detail);
        return hit;
    }

    /// "4 of 4 schedulers issue"
    static std::string issue_words(const SmDiagram& one) {
        const std::uint64_t cycles = one.states.schedule().totals.cycles;
        if (one.state.cycle >= cycles) return fmt::format("has ended, after {}", counted(cycles, "cycle"));
        return fmt::format("{} of {} schedulers issue", one.state.issuing_schedulers(),
                           one.state.schedulers.size());
    }
    static std::string run_figures(const SmDiagram& one) {
        const std::uint32_t resident = one.state.resident_warps();
        return issue_words(one) + (resident == 0 ? "" : ", " + counted(resident, "resident warp"));
    }

    /// The baseline in the cycle; `baseline_` follows it already.
    SmDiagram before_in(const ViewFrame& frame, std::uint32_t cycle) {
        return {*frame.baseline, baseline_.states(), baseline_.at(cycle),
                no_index,        no_index,           frame.interactive};
    }

    /// Both runs in the same cycle.
    SmHit draw_both(ViewFrame& frame, const SmDiagram& diagram, std::uint32_t cycle) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const SmDiagram before = before_in(frame, cycle);
        auto entries = sm_legend(theme, {&before, &diagram}, SmDetail::whole);
        const float heading = ink.px(30), wide = ink.px(560), narrow = ink.px(300);
        const bool above_each_other = ImGui::GetContentRegionAvail().x < 2 * wide + ink.px(24);
        const float rows = above_each_other ? 2 : 1;
        const PictureArea area =
            picture_area(ink, entries, 2000, frame.interactive ? rows * (lowest_sm + 30) : 0);
        RunBoxes boxes = boxes_of_runs(ink, area.box, wide);
        // A low picture has both side by side: above each other not even their slots would have words.
        if (Box below = boxes.after; above_each_other) {
            below.take_top(heading);
            if (sm_detail(ink, diagram, below) == SmDetail::slots)
                boxes = boxes_of_runs(ink, area.box, narrow);
        }
        run_heading(ink, boxes.before, frame.baseline_name, {run_figures(before), issue_words(before)},
                    theme.text_dim);
        run_heading(ink, boxes.after, frame.scene_name, {run_figures(diagram), issue_words(diagram)},
                    theme.text_dim);
        const SmDetail detail = sm_detail(ink, diagram, boxes.after);
        const SmHit old = draw_sm(ink, before, boxes.before);
        SmHit hit = draw_sm(ink, diagram, boxes.after);
        entries = sm_legend(theme, {&before, &diagram}, detail, old.scoreboards || hit.scoreboards);
        if (hit.sentence.empty()) {
            hit.sentence = old.sentence;
            hit.lines = old.lines;
        }
        finish(frame, diagram, area, entries, detail);
        return hit;
    }

    static void finish(ViewFrame& frame, const SmDiagram& diagram, const PictureArea& area,
                       const std::vector<LegendEntry>& entries, SmDetail detail) {
        ImGui::Dummy({area.width, area.height});
        legend(frame.theme, entries);
        std::string words = schedule_provenance(diagram.states.schedule(), diagram.scene);
        const bool wide = area.width > 900 * frame.theme.fonts.scale;
        if (wide && diagram.states.schedule().site_scoreboards.empty())
            words += " · scoreboards: at the machine level only";
        if (wide && detail == SmDetail::slots) words += " · pipes, queues and memory: in a larger view";
        if (has_spans(frame.baseline)) words += " · both runs in the same cycle";
        provenance_line(frame.theme, diagram.scene, words);
    }

    void obey(ViewFrame& frame, Level level, std::uint32_t cycle, const SmMomentOrders& orders,
              const SmHit& hit) {
        Selection& selection = frame.selection;
        if (orders.level && *orders.level != level) {
            if (level == Level::machine) play_head_ = std::min(cycle, run_.last_cycle());
            else selection.chosen.cycle = no_index;
            return;
        }
        if (orders.move_to) {
            const auto to =
                static_cast<std::uint32_t>(std::clamp(*orders.move_to, 0.0, double(run_.last_cycle())));
            if (level == Level::machine) own_[1] = to;
            else selection.chosen = spot_in(frame, run_.warp_of_record(selection.chosen.warp_record), to);
            seen_ = selection.chosen;
            return;
        }
        if (hit.sentence.empty() || !ImGui::IsWindowHovered()) return;
        tooltip_card(frame.theme, hit.sentence, hit.lines);
        if (hit.warp == no_index) return;
        const Spot spot = spot_in(frame, hit.warp, cycle);
        selection.next_hover = spot;
        if (!ImGui::IsMouseClicked(0)) return;
        selection.chosen = spot;
        if (level == Level::machine) selection.chosen.cycle = no_index;
        seen_ = selection.chosen;
    }

    /// The warp's instruction in the cycle, as the spot that all views follow.
    Spot spot_in(const ViewFrame& frame, std::uint32_t warp, std::uint32_t cycle) const {
        Spot spot = frame.selection.chosen;
        const trace::Schedule& schedule = run_.states().schedule();
        if (warp < schedule.warps.size()) {
            const trace::ScheduledWarp& of = schedule.warps[warp];
            if (const trace::StateSpan* span = trace::span_at(schedule, of, cycle))
                if (const auto found = spot_of_step(*frame.scene->trace, of.warp_record, span->step)) {
                    const int lane = spot.lane;
                    spot = *found;
                    spot.lane = lane;
                }
        }
        spot.cycle = cycle;
        return spot;
    }

    SmOfRun run_, baseline_;
    MachineLevel machine_, machine_baseline_;
    RecordedSm recorded_;
    bool recorded_chosen_ = true;
    std::array<std::optional<std::uint32_t>, 2> own_;  // the cycle shown, by level: PTX, machine
    const trace::Schedule* schedule_ = nullptr;
    std::uint64_t shown_generation_ = 0;
    Spot seen_;
    std::optional<std::uint32_t> play_head_;
};

}  // namespace

std::unique_ptr<View> make_sm_view() { return std::make_unique<SmView>(); }

}  // namespace warplens::app
