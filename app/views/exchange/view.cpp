// Exchange: the values that lanes of a warp exchange in registers: shuffles as arrows from lane to lane,
// votes and reductions as all to one, matches as groups. One sum or scan at a time, its steps one below the
// other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/warps/collectives.h"
#include "app/scene/level_of_time.h"
#include "app/scene/play_head.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/exchange/drawing.h"
#include "app/views/exchange/exchange_values.h"
#include "app/views/exchange/legend.h"
#include "app/views/exchange/warp_exchanges.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

using analysis::Collective;
using analysis::CollectiveKind;

class ExchangeView : public View {
  private:
    ViewNeeds needs() const override { return {.warps = true}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        follow_selection(frame);
        if (shown_.series.empty()) {
            empty_state(frame.theme, "This warp has no shuffles, votes or matches.",
                        next_step_of_two(frame, "exchange",
                                         "This view shows shuffles, votes and matches, lane by lane. "
                                         "`warp_reduce` has some."));
            return;
        }
        const std::span<const Collective> bands = shown_.bands();
        read_values(frame, bands);
        title_line(frame.theme, title(*scene->trace, bands) + change_words(frame, bands));
        const auto lanes = static_cast<std::uint64_t>(bands.front().mask.count());
        headline_with_room(frame.theme,
                           {grouped(bands.size()), bands.size() == 1 ? "step" : "steps",
                            fmt::format("{} active · {} exchanged in registers", counted(lanes, "lane"),
                                        bands.size() == 1 ? "a value" : "partial values")});
        draw_bar(frame, bands);
        draw_bands(frame, bands);
        legend(frame.theme, exchange_legend(frame.theme, bands, frame.baseline != nullptr));
        const std::string_view level = to_string(level_of_counts(*scene));
        provenance_line(frame.theme, *scene,
                        says_values_
                            ? fmt::format("source lanes: exact; values of one lane: executed again on "
                                          "the CPU · {} · all lanes: in a wider view",
                                          level)
                        : shows_values_ && knows_values()
                            ? fmt::format("source lanes: exact; values: executed again on the CPU · {}{}",
                                          level, shows_all_values_ ? "" : " · wider values: in a wider view")
                            : fmt::format("source lanes: exact · {}{}", level,
                                          knows_values() ? " · values: in a wider view" : ""));
    }

    /// The warp chosen anywhere, else the one shown, else the first that has a collective; of it the series
    /// that holds the chosen step or site.
    void follow_selection(ViewFrame& frame) {
        const trace::Trace& trace = *frame.scene->trace;
        const Spot& chosen = frame.selection.chosen;
        const bool other_scene = frame.scene->generation != generation_;
        if (other_scene) {
            generation_ = frame.scene->generation;
            shown_.warp = no_index;
        }
        const bool moved = other_scene || !(chosen == followed_);
        const std::uint32_t wanted =
            chosen.warp_record < trace.warps.size() ? chosen.warp_record : shown_.warp;
        if (wanted != shown_.warp || shown_.warp == no_index) shown_.take(trace, wanted);
        if (!moved) return;
        followed_ = chosen;
        const bool playing = frame.play && frame.play->playing() && chosen.step != no_index;
        if (!shown_.follow(chosen) && playing) shown_.follow_play(chosen.step);
    }

    /// The corresponding exchange of the baseline.
    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& baseline = *frame.baseline;
        if (!baseline.trace || baseline.trace->warps.empty())
            return fmt::format("{} has no trace.", frame.baseline_name);
        const Spot& spot = counterpart_.of(frame, "exchange", frame.selection.chosen);
        if (before_of_ != frame.baseline || !(spot == before_at_)) {
            before_of_ = frame.baseline;
            before_at_ = spot;
            const bool known = spot.warp_record < baseline.trace->warps.size();
            before_.take(*baseline.trace, known ? spot.warp_record : no_index);
            if (before_.series.empty()) before_.take(*baseline.trace, no_index);
            before_.follow(spot);
        }
        if (!before_.series.empty()) return {};
        return fmt::format("{} has no shuffles, votes or matches to compare with.", frame.baseline_name);
    }

    /// Of this run and of the baseline.
    void read_values(ViewFrame& frame, std::span<const Collective> bands) {
        values_.read(*frame.scene, shown_.warp, bands, frame.values);
        if (frame.interactive) frame.commands.ask_values = values_.question();
        before_values_.clear();
        if (!frame.baseline) return;
        before_values_.read(*frame.baseline, before_.warp, before_.bands(), frame.baseline_values);
        if (frame.interactive) frame.commands.ask_baseline_values = before_values_.question();
    }

    bool knows_values() const { return !values_.rows().empty() || !before_values_.rows().empty(); }

    static std::string title(const trace::Trace& trace, std::span<const Collective> bands) {
        const Collective& first = bands.front();
        const Site& site = trace.program.sites[first.site];
        const std::string where = site.line == 0 ? std::string() : fmt::format(", line {}", site.line);
        const std::string name = analysis::collective_name(first, site);
        if (bands.size() == 1) return fmt::format("{}{}: {}", name, where, analysis::collective_rule(first));
        std::string distances;
        for (std::size_t i = 1; i < bands.size(); ++i)
            distances += fmt::format("{}{}",
                                     i == 1                  ? ""
                                     : i + 1 == bands.size() ? " and "
                                                             : ", ",
                                     bands[i].distance);
        return fmt::format("{}{}: {}; with {} after it, {} steps combine {} lanes", name, where,
                           analysis::collective_rule(first), distances, bands.size(),
                           std::min(1 << bands.size(), warp_size));
    }

    /// "; first run: Shuffle down by 16, 5 steps": of the corresponding exchange of a run beside this one.
    std::string change_words(const ViewFrame& frame, std::span<const Collective> bands) const {
        if (!frame.baseline) return {};
        const auto before = before_.bands();
        const Collective& first = before.front();
        const bool same = before.size() == bands.size() &&
                          analysis::collective_rule(first) == analysis::collective_rule(bands.front());
        if (same) return fmt::format("; the same in {}", frame.baseline_name);
        const Site& site = frame.baseline->trace->program.sites[first.site];
        return fmt::format("; {}: {}, {}", frame.baseline_name, analysis::collective_name(first, site),
                           counted(before.size(), "step"));
    }

    void draw_bar(ViewFrame& frame, std::span<const Collective> bands) {
        const Theme& theme = frame.theme;
        const trace::WarpRecord& warp = frame.scene->trace->warps[shown_.warp];
        const auto turn = [&](int by) {
            const int last = static_cast<int>(shown_.series.size()) - 1;
            shown_.current =
                static_cast<std::size_t>(std::clamp(static_cast<int>(shown_.current) + by, 0, last));
            const Collective& first = shown_.bands().front();
            followed_ = spot(*frame.scene->trace, first, -1);
            frame.selection.chosen = followed_;
        };
        if (frame.interactive && shown_.series.size() > 1) {
            if (text_button(theme, "exchange previous", "◂", "Previous sum, scan or vote of the warp"))
                turn(-1);
            ImGui::SameLine(0, 4 * theme.fonts.scale);
            if (text_button(theme, "exchange next", "▸", "Next sum, scan or vote of the warp")) turn(1);
            ImGui::SameLine(0, 10 * theme.fonts.scale);
        }
        std::string words = fmt::format("Warp {} of block {}", warp.warp, grouped(warp.block));
        if (shown_.series.size() > 1)
            words += fmt::format(" · {} of {}", grouped(shown_.current + 1),
                                 counted(shown_.series.size(), "exchange"));
        const int lane = frame.baseline ? hit_.lane : focus(frame, bands);
        if (lane >= 0) words += " · " + arithmetic(frame, bands, lane);
        words += end_words();
        text_item(theme.fonts.small, theme.text_dim, words);
    }

    /// The lane followed back: under the mouse, chosen, or the one that ends with the complete sum.
    int focus(const ViewFrame& frame, std::span<const Collective> bands) const {
        if (hit_.lane >= 0) return hit_.lane;
        if (frame.selection.chosen.lane >= 0 && frame.selection.chosen.warp_record == shown_.warp)
            return frame.selection.chosen.lane;
        if (bands.size() < 2) return -1;
        // All lanes end with the same value: no path is more important than another.
        if (bands.front().kind == CollectiveKind::shuffle_butterfly) return -1;
        if (bands.front().kind == CollectiveKind::shuffle_up) return bands.back().mask.empty() ? -1 : 31;
        return 0;
    }

    /// The lane under the mouse, else the first that ends with another value in the other run, else -1.
    int compared_lane() const {
        const auto &was = before_values_.rows(), &now = values_.rows();
        if (hit_.lane >= 0 || was.empty() || now.empty()) return hit_.lane;
        for (int i = 0; i < warp_size; ++i)
            if (was.back()[static_cast<std::size_t>(i)] != now.back()[static_cast<std::size_t>(i)]) return i;
        return -1;
    }

    /// What that lane ends with in both runs.
    std::string end_words() const {
        const auto &was = before_values_.rows(), &now = values_.rows();
        if (was.empty() || now.empty()) return {};
        const int lane = compared_lane();
        const auto at = static_cast<std::size_t>(std::max(lane, 0));
        const std::string &before = was.back()[at], &after = now.back()[at];
        if (before.empty() || after.empty()) return {};
        if (lane < 0) return fmt::format(" · each lane receives the same in both runs, lane 0: {}", after);
        return fmt::format(" · lane {} receives {} → {} in the last step", lane, before, after);
    }

    std::string arithmetic(const ViewFrame& frame, std::span<const Collective> bands, int lane) const {
        const trace::Trace& trace = *frame.scene->trace;
        if (hit_.band >= 0 && static_cast<std::size_t>(hit_.band) < bands.size()) {
            const Collective& c = bands[static_cast<std::size_t>(hit_.band)];
            return analysis::collective_arithmetic(c, trace.program.sites[c.site], lane);
        }
        if (bands.size() == 1)
            return analysis::collective_arithmetic(bands[0], trace.program.sites[bands[0].site], lane);
        const int joined = lanes_behind(bands, lane).front().count();
        return fmt::format("traced back: lane {} ends with the value of {}", lane,
                           joined == 1 ? "1 lane" : fmt::format("{} lanes", joined));
    }

    void draw_bands(ViewFrame& frame, std::span<const Collective> bands) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        ImGui::Dummy({0, ink.px(2)});
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        const auto entries = exchange_legend(frame.theme, bands, frame.baseline != nullptr);
        room.y -= provenance_line_height(theme) + legend_size(theme, entries, room.x).y + ink.px(10) +
                  2 * ImGui::GetStyle().ItemSpacing.y;
        Box box{at.x, at.y, at.x + room.x, at.y + std::max(room.y, ink.px(120))};
        const float whole = box.height();
        box.y1 = box.y0 + std::min(whole, std::max(comfortable_exchange_height(ink, bands.size()) * 1.6f,
                                                   ink.px(520)));
        std::optional<ImVec2> mouse;
        if (frame.interactive && ImGui::IsWindowHovered()) mouse = ImGui::GetIO().MousePos;
        const Spot& chosen = frame.selection.chosen;
        const int lane = focus(frame, bands);
        ExchangePart part{ink,
                          bands,
                          frame.scene->trace->program,
                          lane,
                          chosen.warp_record == shown_.warp ? chosen.lane : -1,
                          mouse};
        says_values_ = false;
        if (frame.baseline) {
            box = draw_before(frame, part, {at.x, at.y, box.x1, at.y + whole});
        } else {
            // A row that does not fit, such as a match's masks, leaves the others theirs.
            const std::vector<bool> fit = exchange_rows_that_fit(ink, values_.rows(), box);
            shows_values_ = std::ranges::find(fit, true) != fit.end();
            shows_all_values_ = std::ranges::find(fit, false) == fit.end();
            if (shows_values_) part.values = values_.rows();
        }
        hit_ = draw_exchange(part, box);
        hit_box("exchange bands", box.min(), box.max());
        if (hit_.band >= 0) point_at(frame, bands[static_cast<std::size_t>(hit_.band)]);
        ImGui::Dummy({room.x, whole});
    }

    bool both_values_fit(const Ink& ink, const RunBoxes& boxes) const {
        const auto fit = [&](const ExchangeValues& values, const Box& box) {
            const std::vector<bool> rows = exchange_rows_that_fit(ink, values.rows(), box);
            return std::ranges::find(rows, false) == rows.end();
        };
        return fit(before_values_, boxes.before) && fit(values_, boxes.after);
    }

    /// Side by side, or above each other where only that leaves room for the values of both.
    RunBoxes place_both(const Ink& ink, const Box& box) {
        RunBoxes boxes = boxes_of_runs(ink, box, ink.px(320));
        shows_all_values_ = true;
        shows_values_ = knows_values() && both_values_fit(ink, boxes);
        if (shows_values_ || !knows_values()) return boxes;
        const RunBoxes stacked = boxes_of_runs(ink, box, box.width());
        const auto bands = std::max(shown_.bands().size(), before_.bands().size());
        const bool high = stacked.after.height() >= comfortable_exchange_height(ink, bands) * 0.5f;
        shows_values_ = high && both_values_fit(ink, stacked);
        return shows_values_ ? stacked : boxes;
    }

    /// The baseline's exchange, and the headings of both; returns the box for this run's.
    Box draw_before(const ViewFrame& frame, ExchangePart& part, const Box& box) {
        const auto before = before_.bands();
        RunBoxes boxes = place_both(part.ink, box);
        const auto heading = [&](Box& of, std::string_view name, std::span<const Collective> bands,
                                 const trace::WarpRecord& warp) {
            const std::string steps = counted(bands.size(), "step");
            const std::string lanes = counted(static_cast<std::uint64_t>(bands.front().mask.count()), "lane");
            run_heading(part.ink, of, name,
                        {fmt::format("warp {} of block {}: {}, {} active", warp.warp, grouped(warp.block),
                                     steps, lanes),
                         fmt::format("{}, {} active", steps, lanes), steps},
                        frame.theme.text_dim);
        };
        const trace::Trace& trace = *frame.baseline->trace;
        heading(boxes.before, frame.baseline_name, before, trace.warps[before_.warp]);
        heading(boxes.after, frame.scene_name, part.shown, frame.scene->trace->warps[shown_.warp]);
        ExchangePart was{part.ink, before, trace.program, -1, -1, std::nullopt, {}, part.shown};
        was.named = false;
        part.lane = -1;  // traced in one of the two it would look like a difference
        part.other = before;
        if (shows_values_) {
            part.values = was.other_values = values_.rows();
            part.other_values = was.values = before_values_.rows();
        } else if (knows_values()) {
            says_values_ = true;
            part.said = values_.rows();
            was.said = before_values_.rows();
            part.said_lane = was.said_lane = std::max(compared_lane(), 0);
        }
        draw_exchange(was, boxes.before);
        return boxes.after;
    }

    void point_at(ViewFrame& frame, const Collective& collective) {
        const Site& site = frame.scene->trace->program.sites[collective.site];
        const Spot here = spot(*frame.scene->trace, collective, hit_.lane);
        frame.selection.next_hover = here;
        if (ImGui::IsMouseClicked(0)) {
            followed_ = here;
            frame.selection.chosen = here;
        }
        tooltip_card(frame.theme,
                     fmt::format("{}{}", analysis::collective_name(collective, site),
                                 site.line == 0 ? "." : fmt::format(", line {}.", site.line)),
                     arithmetic_with_value(collective, site));
    }

    std::vector<std::string> arithmetic_with_value(const Collective& collective, const Site& site) const {
        std::vector<std::string> lines{analysis::collective_arithmetic(collective, site, hit_.lane)};
        const auto value = [this](const ExchangeValues& of) {
            const auto band = static_cast<std::size_t>(hit_.band);
            return band < of.rows().size() ? of.rows()[band][static_cast<std::size_t>(hit_.lane)]
                                           : std::string();
        };
        const std::string now = value(values_), was = value(before_values_);
        if (!was.empty() && was != now)
            lines.push_back(fmt::format("value given: {} → {}", was, now.empty() ? "not known" : now));
        else if (!now.empty()) lines.push_back(fmt::format("value given: {}", now));
        return lines;
    }

    Spot spot(const trace::Trace& trace, const Collective& collective, int lane) const {
        Spot spot;
        spot.warp_record = shown_.warp;
        spot.site = collective.site;
        spot.step = static_cast<std::uint32_t>(std::min<std::uint64_t>(collective.step, no_index - 1));
        spot.lane = lane;
        spot.source_line = trace.program.sites[collective.site].line;
        return spot;
    }

    std::uint64_t generation_ = 0;
    WarpExchanges shown_, before_;  // of this run, and of the baseline
    Counterpart counterpart_;
    SceneIdentity before_of_;
    Spot before_at_;
    Spot followed_;
    ExchangeHit hit_;
    ExchangeValues values_, before_values_;  // of this run, and of the baseline
    bool shows_values_ = false;              // there is room for them
    bool says_values_ = false;               // there is not: one lane's are beside the rows
    bool shows_all_values_ = true;           // in every row
};

}  // namespace

std::unique_ptr<View> make_exchange_view() { return std::make_unique<ExchangeView>(); }

}  // namespace warplens::app
