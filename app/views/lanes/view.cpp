// Lanes: which of a warp's 32 lanes were active, step by step; where paths diverge and where they reconverge.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/warps/lane_timeline.h"
#include "analysis/warps/warp_divergence.h"
#include "app/pipeline/values/value_words.h"
#include "app/scene/default_selection.h"
#include "app/scene/level_of_time.h"
#include "app/scene/play_head.h"
#include "app/session/values_task.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/lanes/drawing.h"
#include "app/views/lanes/lane_names.h"
#include "app/views/lanes/lane_words.h"
#include "app/views/lanes/sides.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

constexpr std::size_t most_thumbnails = 24;

class LanesView : public View {
  private:
    ViewNeeds needs() const override { return {.warps = true, .counts = true}; }

    void draw_scene(ViewFrame& frame) override {
        if (!(run_ == RunIdentity(*frame.scene))) rank_warps(*frame.scene);
        follow_selection(frame);
        ask_values(frame);
        follow_baseline(frame);
        draw_title(frame);
        draw_headline(frame);
        draw_thumbnails(frame);
        draw_walk(frame);
        draw_legend(frame);
        provenance_line(frame.theme, *frame.scene, provenance_of_masks(*frame.scene));
    }

    void rank_warps(const Scene& scene) {
        run_ = scene;
        ranking_ = analysis::warps_by_divergence(*scene.trace);
        thumbnails_.clear();
        asked_for_ = {};
        for (std::size_t i = 0; i < std::min(ranking_.size(), most_thumbnails); ++i) {
            thumbnails_.push_back(analysis::lane_timeline(*scene.trace, ranking_[i].warp_record));
        }
        warp_ = no_index;
    }

    /// Shows the warp chosen anywhere, else keeps its own, else the most divergent one.
    void follow_selection(ViewFrame& frame) {
        const trace::Trace& trace = *frame.scene->trace;
        const std::uint32_t chosen = frame.selection.chosen.warp_record;
        std::uint32_t wanted = chosen < trace.warps.size() ? chosen : warp_;
        if (wanted == no_index) wanted = ranking_.front().warp_record;
        if (wanted == warp_ && timeline_) return;
        warp_ = wanted;
        timeline_ = analysis::lane_timeline(trace, warp_);
        range_ = {0, whole_steps()};
    }

    /// The same warp of the baseline, or the nearest; none without a baseline.
    void follow_baseline(const ViewFrame& frame) {
        const bool has_one = frame.baseline && frame.baseline->trace && !frame.baseline->trace->warps.empty();
        const Scene* baseline = has_one ? frame.baseline : nullptr;
        if (baseline == baseline_ && before_of_ == warp_ && before_.has_value() == has_one) return;
        baseline_ = baseline;
        before_of_ = warp_;
        before_.reset();
        if (baseline) {
            Spot spot;
            spot.warp_record = warp_;
            const Spot& old = counterpart_.of(frame, "lanes", spot);
            before_ = analysis::lane_timeline(
                *baseline->trace, old.warp_record < baseline->trace->warps.size() ? old.warp_record : 0);
        }
        range_ = {0, whole_steps()};
    }

    /// Of the longer run.
    double whole_steps() const {
        const std::uint64_t steps = std::max(timeline_->steps, before_ ? before_->steps : 0);
        return std::max(static_cast<double>(steps), 1.0);
    }

    /// Of the selected step, which Values, Exchange or the timeline selects.
    void ask_values(ViewFrame& frame) {
        const Spot& chosen = frame.selection.chosen;
        values_ = nullptr;
        if (chosen.warp_record != warp_ || (chosen.step == no_index && chosen.access == no_access)) return;
        if (!(chosen == asked_for_)) {
            asked_for_ = chosen;
            question_ = question_of_spot(*frame.scene->trace, chosen);
        }
        if (frame.interactive) frame.commands.ask_values = question_;
        const ValuesState* state = frame.values;
        if (state && state->found && state->generation == frame.scene->generation &&
            state->found->state.at == question_.at)
            values_ = state->found.get();
    }

    /// What the step computes, lane by lane, beside the lanes.
    void draw_values(const Ink& ink, const Box& column, float row, int every) const {
        const RegisterValue* value = main_register(*values_);
        if (value == nullptr) return;
        const Theme& theme = ink.theme;
        const float line = text_height(theme.fonts.small);
        ink.text({column.x0, column.y0 - line - ink.px(3), column.x1, column.y0},
                 value->cuda.empty() ? value->name : value->cuda, theme.fonts.small, theme.text,
                 Align::right);
        for (int lane = 0; lane < warp_size; lane += every) {
            const float y = column.y0 + row * static_cast<float>(lane);
            ink.text({column.x0, y, column.x1, y + std::max(row, line)}, register_text(*value, lane, true),
                     theme.fonts.small, values_->state.executed.has(lane) ? theme.text : theme.text_dim,
                     Align::right);
        }
    }

    void draw_title(ViewFrame& frame) {
        const trace::WarpRecord& warp = frame.scene->trace->warps[warp_];
        const std::string where = fmt::format("Warp {} of block {}", warp.warp, grouped(warp.block));
        if (before_) {
            title_line(frame.theme, fmt::format("{}: {}", where, lane_change_words(*before_, *timeline_)));
            return;
        }
        title_line(frame.theme, lane_title(*timeline_, where));
    }

    void draw_headline(const ViewFrame& frame) const {
        const auto mean = [](const analysis::LaneTimeline& of) { return decimal(of.mean_active_lanes()); };
        headline_with_room(frame.theme,
                           {mean(*timeline_), "of 32 lanes active on average",
                            before_ ? fmt::format("{}: {}", frame.baseline_name, mean(*before_)) : ""});
    }

    /// All warps that are kept, most divergent first, as a row of small pictures.
    void draw_thumbnails(ViewFrame& frame) {
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        text_item(frame.theme.fonts.small, frame.theme.text_dim,
                  "Warps, most divergent first: block:warp, mean active lanes");
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const bool compact = is_compact(frame.theme, ImGui::GetWindowHeight());
        const float tile = ink.px(92), gap = ink.px(8), picture = ink.px(compact ? 24 : 40);
        const float label = text_height(frame.theme.fonts.small) + ink.px(4);
        Box row{at.x, at.y, at.x + width, at.y + picture + label};
        std::size_t drawn = 0;
        for (; drawn < thumbnails_.size(); ++drawn) {
            Box box{row.x0 + static_cast<float>(drawn) * (tile + gap), row.y0, 0, row.y1};
            box.x1 = box.x0 + tile;
            const bool last_that_fits = box.x1 + tile + gap > row.x1;
            if (box.x1 > row.x1) break;
            if (last_that_fits && drawn + 1 < ranking_.size()) {
                ink.text(box, fmt::format("+ {} more", grouped(ranking_.size() - drawn)),
                         frame.theme.fonts.small, frame.theme.text_dim);
                break;
            }
            draw_thumbnail(frame, ink, box, drawn, label);
        }
        ImGui::Dummy({width, picture + label + ink.px(6)});
    }

    void draw_thumbnail(ViewFrame& frame, const Ink& ink, Box box, std::size_t rank, float label) {
        const std::uint32_t record = ranking_[rank].warp_record;
        const trace::WarpRecord& warp = frame.scene->trace->warps[record];
        const Box whole = box;
        const Box words = box.take_bottom(label);
        ink.fill(box, frame.theme.raised);
        draw_lane_thumbnail(ink, box, thumbnails_[rank]);
        const bool hovered = frame.interactive && ImGui::IsWindowHovered() && whole.has(ImGui::GetMousePos());
        if (hovered) ink.fill(box, frame.theme.hovered);
        if (record == warp_) ink.outline(box, frame.theme.selected, 2);
        ink.text(
            words,
            fmt::format("{}:{}  {}", warp.block, warp.warp, decimal(ranking_[rank].mean_active_lanes(), 1)),
            frame.theme.fonts.small, frame.theme.text_dim);
        hit_box(fmt::format("lanes warp {}", record), whole.min(), whole.max());
        if (hovered && ImGui::IsMouseClicked(0)) {
            frame.selection.chosen = {};
            frame.selection.chosen.warp_record = record;
        }
    }

    void draw_walk(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        room.y -= provenance_line_height(theme) + legend_height(theme, room.x);
        Box all{at.x, at.y, at.x + room.x, at.y + std::max(room.y, ink.px(140))};
        const Box cursor_room = all;
        if (before_) {
            draw_two_walks(frame, ink, all);
            ImGui::Dummy({cursor_room.width(), cursor_room.height()});
            return;
        }
        const float small = text_height(theme.fonts.small) + ink.px(6);
        const trace::Trace& trace = *frame.scene->trace;
        const LaneNames names(trace.launch.geometry, trace.warps[warp_].warp);
        const Box labels = all.take_left(names.width(theme) + ink.px(10));
        // While it plays, answers come and go; the lanes keep their place.
        const bool playing = frame.play && frame.play->playing();
        const Box values = values_ || playing ? all.take_right(ink.px(76)) : Box{};
        const Box marks = all.take_top(small);
        const Box axis = all.take_bottom(small);
        const Box lines = all.take_bottom(small);
        const Box grid = all;
        const float row = grid.height() / warp_size;
        const int every = row >= text_height(theme.fonts.small)       ? 1
                          : row * 4 >= text_height(theme.fonts.small) ? 4
                                                                      : 8;
        names.draw(ink, {labels.x0, grid.y0, labels.x1 - ink.px(6), grid.y1}, grid, every);
        ink.text({labels.x0, lines.y0, labels.x1 - ink.px(6), lines.y1}, "line", theme.fonts.small,
                 theme.text_dim, Align::right);
        ink.text({labels.x0, axis.y0, labels.x1 - ink.px(6), axis.y1}, "step", theme.fonts.small,
                 theme.text_dim, Align::right);
        draw_step_axis(ink, axis);
        if (values_) draw_values(ink, {values.x0 + ink.px(6), grid.y0, values.x1, grid.y1}, row, every);

        if (frame.interactive) pan_and_zoom(grid);
        const Spot& spot = frame.selection.chosen;
        draw_lane_grid(ink, grid, *timeline_, range_, spot.warp_record == warp_ ? spot.lane : -1,
                       chosen_stretch(spot));
        draw_step_cursor(ink, {grid.x0, marks.y0, grid.x1, lines.y1}, spot);
        draw_lane_events(ink, marks, grid, *timeline_, range_);
        draw_lane_lines(ink, lines, *timeline_, range_, frame.scene->trace->program);
        if (frame.interactive) point_at(frame, grid);
        hit_box("lanes grid", grid.min(), grid.max());
        ImGui::Dummy({cursor_room.width(), cursor_room.height()});
    }

    /// The baseline above, this run below, on one axis.
    void draw_two_walks(ViewFrame& frame, const Ink& ink, Box all) {
        const Theme& theme = frame.theme;
        Box axis = all.take_bottom(text_height(theme.fonts.small) + ink.px(6));
        const Box name = axis.take_left(lane_side_gutter(ink));
        all.take_left(name.width());
        ink.text(name, "step", theme.fonts.small, theme.text_dim);
        draw_step_axis(ink, axis);
        const Box upper = all.take_top(all.height() / 2 - ink.px(4));
        all.take_top(ink.px(8));
        if (frame.interactive) pan_and_zoom(all);
        const Spot& spot = frame.selection.chosen;
        const bool is_shown = spot.warp_record == warp_;
        draw_lane_side(ink, upper,
                       {std::string(frame.baseline_name), *before_, frame.baseline->trace->program}, range_,
                       is_shown ? spot.lane : -1, no_index);
        const Box grid =
            draw_lane_side(ink, all, {std::string(frame.scene_name), *timeline_, frame.scene->trace->program},
                           range_, is_shown ? spot.lane : -1, chosen_stretch(spot));
        if (frame.interactive) point_at(frame, grid);
        hit_box("lanes grid", grid.min(), grid.max());
    }

    /// Where in the warp's steps the selection is.
    void draw_step_cursor(const Ink& ink, const Box& box, const Spot& spot) const {
        if (spot.warp_record != warp_ || spot.step == no_index) return;
        const float x = x_of_step(box, range_, spot.step + 0.5);
        if (x < box.x0 || x > box.x1) return;
        ink.line({x, box.y0}, {x, box.y1}, ink.theme.selected, ink.px(1.5f));
        hit_box("lanes step", {x - 1, box.y0}, {x + 1, box.y1});
    }

    std::uint32_t chosen_stretch(const Spot& spot) const {
        if (spot.warp_record != warp_ || spot.visit == no_index) return no_index;
        return static_cast<std::uint32_t>(analysis::stretch_of(*timeline_, spot.visit));
    }

    void draw_step_axis(const Ink& ink, const Box& axis) const {
        const double rough = range_.size() / std::max(axis.width() / ink.px(90), 1.0f);
        const double power = std::pow(10, std::floor(std::log10(std::max(rough, 1.0))));
        double step = power;
        for (double factor : {1.0, 2.0, 5.0, 10.0}) {
            step = power * factor;
            if (step >= rough) break;
        }
        for (double at = std::ceil(range_.first / step) * step; at <= range_.last; at += step) {
            const float x = x_of_step(axis, range_, at);
            ink.line({x, axis.y0}, {x, axis.y0 + ink.px(4)}, ink.theme.hairline);
            const std::string words = grouped(static_cast<std::uint64_t>(at));
            ink.text_if_fits({x + ink.px(3), axis.y0, axis.x1, axis.y1}, words, ink.theme.fonts.small,
                             ink.theme.text_dim, Align::left);
        }
    }

    void pan_and_zoom(const Box& grid) {
        if (!ImGui::IsWindowHovered() || !grid.has(ImGui::GetMousePos())) return;
        const ImGuiIO& io = ImGui::GetIO();
        const double whole = whole_steps();
        if (io.MouseWheel != 0 && io.KeyCtrl) {
            const double at = range_.first + range_.size() * (io.MousePos.x - grid.x0) / grid.width();
            const double size =
                std::clamp(range_.size() * std::pow(0.8, io.MouseWheel), std::min(8.0, whole), whole);
            const double share = (at - range_.first) / range_.size();
            range_.first = at - size * share;
            range_.last = range_.first + size;
        } else if (ImGui::IsMouseDragging(0)) {
            const double shift = -io.MouseDelta.x / grid.width() * range_.size();
            range_ = {range_.first + shift, range_.last + shift};
        }
        const double size = range_.size();
        range_.first = std::clamp(range_.first, 0.0, whole - size);
        range_.last = range_.first + size;
    }

    void point_at(ViewFrame& frame, const Box& grid) {
        const ImVec2 mouse = ImGui::GetMousePos();
        if (!ImGui::IsWindowHovered() || !grid.has(mouse)) return;
        const double step = range_.first + range_.size() * (mouse.x - grid.x0) / grid.width();
        const std::uint32_t index = stretch_at(*timeline_, step);
        if (index == no_index) return;
        const analysis::LaneStretch& part = timeline_->stretches[index];
        const int lane =
            std::clamp(static_cast<int>((mouse.y - grid.y0) / grid.height() * warp_size), 0, warp_size - 1);
        Spot spot;
        spot.warp_record = warp_;
        spot.visit = part.first_visit;
        spot.site = part.first_site;
        spot.lane = lane;
        spot.source_line = part.min_line;
        frame.selection.next_hover = spot;
        const ImGuiIO& io = ImGui::GetIO();
        const bool dragged = io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
        if (ImGui::IsMouseReleased(0) && !dragged) frame.selection.chosen = spot;
        tooltip_card(frame.theme, lane_state_words(*timeline_, part, static_cast<std::uint64_t>(step), lane),
                     fmt::format("steps {} to {}: {} of 32 lanes active", grouped(part.first_step),
                                 grouped(part.first_step + part.steps - 1), part.active.count()));
    }

    /// The legend wraps where the view is narrow.
    static float legend_height(const Theme& theme, float width) {
        const float line = std::round(20 * theme.fonts.scale);
        return (width > 620 * theme.fonts.scale ? 1 : 2) * line + 2 * ImGui::GetStyle().ItemSpacing.y;
    }

    void draw_legend(ViewFrame& frame) const {
        std::vector<LegendEntry> entries;
        entries.push_back({colour_of_path(frame.theme, 0), "all lanes of the warp together"});
        const auto paths = std::max(timeline_->paths, before_ ? before_->paths : 0);
        if (paths > 1) {
            entries.push_back(
                {colour_of_path(frame.theme, 1),
                 paths > path_colours + 1
                     ? fmt::format("other colors: lanes that run together ({} colors repeat)", path_colours)
                     : "other colors: lanes that run together"});
        }
        if (!timeline_->predicated.empty() || (before_ && !before_->predicated.empty()))
            entries.push_back({colour_of_predicated(frame.theme), "predicate off: goes along, does nothing"});
        entries.push_back({frame.theme.inactive, "inactive lane", LegendEntry::Shape::hatched});
        legend(frame.theme, entries);
    }

    RunIdentity run_;
    std::vector<analysis::WarpDivergence> ranking_;
    std::vector<analysis::LaneTimeline> thumbnails_;  // of the first of `ranking_`
    std::uint32_t warp_ = no_index;
    std::optional<analysis::LaneTimeline> timeline_;
    SceneIdentity baseline_;  // what `before_` is of
    std::uint32_t before_of_ = no_index;
    Counterpart counterpart_;
    std::optional<analysis::LaneTimeline> before_;
    StepRange range_;
    Spot asked_for_;
    ValuesQuestion question_;
    const StepValues* values_ = nullptr;  // of the selected step; null: not known
};

}  // namespace

std::unique_ptr<View> make_lanes_view() { return std::make_unique<LanesView>(); }

}  // namespace warplens::app
