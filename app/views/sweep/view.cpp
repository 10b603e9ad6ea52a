// Sweep: metrics of the kernel over one or two of its parameters, run on the CPU engine in the background. A
// click on a point sets the knobs to its values.
#include "app/session/sweep_task.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/sweep/drawing.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

using instrumentation::KernelFile;

const char* const no_second = "nothing else";

class SweepView : public View {
  private:
    ViewNeeds needs() const override { return {.run = false, .of_two_levels = TwoLevels::either}; }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& baseline = *frame.baseline;
        const Sweep* sweep = frame.sweep ? frame.sweep->sweep.get() : nullptr;
        if (!sweep || !frame.scene || !frame.scene->kernel || sweep->kernel != frame.scene->kernel->name)
            return {};  // no curve to compare with
        if (!baseline.kernel)
            return fmt::format("{} is a recording, which cannot be swept.", frame.baseline_name);
        if (on_one_sweep(baseline, *frame.scene, sweep->plan)) return {};
        for (const SweepAxis& axis : sweep->plan.axes)
            if (std::ranges::none_of(baseline.kernel->parameters,
                                     [&](const auto& one) { return one.name == axis.name; }))
                return fmt::format("`{}` has no parameter `{}`, so this sweep has no points of it.",
                                   baseline.kernel->name, axis.name);
        if (!before_of(frame))
            return fmt::format("This sweep has no points of {}: run it again for both.", frame.baseline_name);
        return {};
    }

    /// The sweep of the baseline, over the same values.
    static const Sweep* before_of(const ViewFrame& frame) {
        const SweepState& state = *frame.sweep;
        if (!state.before || !frame.baseline || state.before_kernel != frame.baseline->kernel ||
            !(state.before->plan == state.sweep->plan))
            return nullptr;
        for (const auto& [name, value] : state.before->fixed) {
            const auto now = frame.baseline->parameters.find(name);
            if (now != frame.baseline->parameters.end() && instrumentation::to_string(now->second) != value)
                return nullptr;
        }
        return state.before.get();
    }

    void draw_scene(ViewFrame& frame) override {
        const Theme& theme = frame.theme;
        const SweepState none;
        const SweepState& state = frame.sweep != nullptr ? *frame.sweep : none;
        const KernelFile* kernel = frame.scene != nullptr ? frame.scene->kernel.get() : nullptr;
        if (kernel == nullptr && state.sweep == nullptr) {
            if (frame.scene == nullptr) no_run_yet(theme, frame.running, frame.asks_for_launch);
            else empty_state(theme, "A recorded trace holds one launch.", "Choose a kernel to sweep it.");
            return;
        }
        if (kernel != nullptr) follow(*kernel);
        const bool shown =
            state.sweep != nullptr && (kernel == nullptr || state.sweep->kernel == kernel->name);
        // The controls do not move when the curve arrives: the mouse may be on them.
        if (frame.interactive && kernel != nullptr && state.possible) draw_controls(frame, *kernel, state);
        if (shown) {
            title_line(theme, title(*state.sweep));
            headline_with_room(theme, headline_of(*state.sweep));
        }
        if (!shown) {
            draw_empty(theme, state);
            return;
        }
        for (const std::string& remark : state.sweep->remarks)
            rich_text(theme, theme.fonts.words, theme.fonts.code, theme.text_dim, remark);
        draw_charts(frame, *state.sweep);
    }

    void follow(const KernelFile& kernel) {
        if (kernel.name == kernel_) return;
        kernel_ = kernel.name;
        plan_ = first_sweep(kernel);
    }

    /// Where no run is the best: from which value to which.
    static std::string range_words(const Sweep& sweep) {
        for (std::size_t i = 0; i < sweep.plan.metrics.size(); ++i) {
            const auto range = sweep.range(i);
            if (!range || range->first == range->second) continue;
            return fmt::format(": from {} to {}", sweep_number(*sweep.plan.metrics[i], range->first),
                               sweep_words(*sweep.plan.metrics[i], range->second));
        }
        return ": all values give the same numbers";
    }

    /// The first metric that has a best value; their number: none.
    static std::size_t decisive_metric(const Sweep& sweep) {
        std::size_t shown = 0;
        while (shown < sweep.plan.metrics.size() && sweep.best[shown].empty()) ++shown;
        return shown;
    }

    /// "PAD 1", "PAD 1 and PAD 3", "PAD 1, PAD 3, PAD 5 and 12 others".
    static std::string best_settings(const Sweep& sweep, std::size_t metric, std::string_view quote) {
        constexpr std::size_t most_named = 3;
        std::vector<std::string> names;
        const std::vector<std::size_t>& best = sweep.best[metric];
        for (const std::size_t row : best)
            names.push_back(setting_words(sweep.plan, sweep.rows[row].at, quote));
        if (names.size() > most_named + 1) {
            names.resize(most_named);
            names.push_back(counted(best.size() - most_named, "other"));
        }
        std::string words = names.front();
        for (std::size_t i = 1; i < names.size(); ++i)
            words += (i + 1 == names.size() ? " and " : ", ") + names[i];
        return words;
    }

    /// "8,376 cycles", "8,376 to 8,401 cycles": of runs that are equally good, the best first.
    static std::string values_in_words(const Sweep& sweep, std::size_t metric,
                                       const std::vector<std::size_t>& rows) {
        const analysis::Metric& what = *sweep.plan.metrics[metric];
        const double best = *sweep.rows[rows.front()].values[metric];
        const double last = *sweep.rows[rows.back()].values[metric];
        const std::string number = sweep_number(what, best);
        if (number == sweep_number(what, last)) return sweep_words(what, best);
        return fmt::format("{} to {}", number, sweep_words(what, last));
    }

    static Headline headline_of(const Sweep& sweep) {
        const std::size_t shown = decisive_metric(sweep);
        if (shown == sweep.plan.metrics.size()) return {};
        const double value = *sweep.rows[sweep.best[shown].front()].values[shown];
        const std::string number = sweep_number(*sweep.plan.metrics[shown], value);
        const std::string all = sweep_words(*sweep.plan.metrics[shown], value);
        // A share has no unit that would say of what it is.
        const analysis::Metric& metric = *sweep.plan.metrics[shown];
        return {number, all.substr(std::min(number.size() + 1, all.size())),
                (metric.is_share() ? metric.meaning + " · the best: " : "the best: ") +
                    best_settings(sweep, shown, "")};
    }

    static std::string title(const Sweep& sweep) {
        std::string words = fmt::format("`{}` over `{}`", sweep.kernel, sweep.plan.axes.front().name);
        if (sweep.plan.axes.size() > 1) {
            const SweepAxis& second = sweep.plan.axes[1];
            words += second.values.size() > 1
                         ? fmt::format(" and `{}`", second.name)
                         : fmt::format(" at `{} {}`", second.name, swept_words(second.values.front()));
        }
        const std::size_t shown = decisive_metric(sweep);
        if (shown == sweep.plan.metrics.size()) return words + range_words(sweep);
        const auto& best = sweep.best[shown];
        words += fmt::format(": {} {}", best.size() > 1 ? "equally good are" : "the best is",
                             best_settings(sweep, shown, "`"));
        const analysis::Metric& metric = *sweep.plan.metrics[shown];
        words += ", " + values_in_words(sweep, shown, best);
        if (analysis::is_modelled_time(metric)) return words + ", " + sweep.source(shown);
        return words + faster_words(sweep, best);
    }

    /// "; faster: `PER_ROW 32`, 7,067 cycles, modelled from machine code", where none of the best is among
    /// the fastest.
    static std::string faster_words(const Sweep& sweep, const std::vector<std::size_t>& best) {
        for (std::size_t i = 0; i < sweep.plan.metrics.size(); ++i) {
            const std::vector<std::size_t>& fastest = sweep.best[i];
            if (!analysis::is_modelled_time(*sweep.plan.metrics[i]) || fastest.empty()) continue;
            if (std::ranges::find_first_of(fastest, best) != fastest.end()) continue;
            return fmt::format("; faster: {}, {}, {}", best_settings(sweep, i, "`"),
                               values_in_words(sweep, i, fastest), sweep.source(i));
        }
        return {};
    }

    static void draw_empty(const Theme& theme, const SweepState& state) {
        if (!state.failure.empty())
            empty_state(theme, "The sweep has no results: " + state.failure, "Choose other values above.");
        else if (state.running)
            empty_state(theme,
                        fmt::format("The sweep is running: {} of {} points.", state.done, state.points),
                        "The curve appears when all points are done.");
        else if (state.possible)
            empty_state(theme, "No sweep has run yet.",
                        "Choose a parameter and a metric above, then press `run the sweep`.");
        else
            empty_state(theme, "No sweep has run yet.",
                        "`warplens sweep KERNEL --over NAME=A..B --metric NAME -o curve.png` draws a curve.");
    }

    /// The axes, the metrics, and the button that runs or cancels the sweep.
    void draw_controls(ViewFrame& frame, const KernelFile& kernel, const SweepState& state) {
        const Theme& theme = frame.theme;
        choose_axis(theme, kernel, 0);
        same_row(theme);
        choose_axis(theme, kernel, 1);
        for (std::size_t i = 0; i < 2; ++i) {
            same_row(theme);
            choose_metric(theme, frame.scene, i);
        }
        same_row(theme);
        if (state.running) {
            if (text_button(theme, "sweep cancel", fmt::format("stop ({} of {})", state.done, state.points),
                            "Cancel and keep the previous sweep."))
                frame.commands.cancel_sweep = true;
        } else if (text_button(theme, "sweep run", "run the sweep",
                               "Runs the entire launch once per value on the CPU engine.")) {
            SweepPlan plan = plan_;
            std::erase(plan.metrics, nullptr);
            if (!plan.axes.empty() && !plan.metrics.empty()) frame.commands.start_sweep = std::move(plan);
        }
        if (!state.failure.empty()) text_wrapped(theme.fonts.words, theme.error, state.failure);
        ImGui::Dummy({1, 8 * theme.fonts.scale});
    }

    static void same_row(const Theme& theme) {
        ImGui::SameLine(0, 12 * theme.fonts.scale);
        if (ImGui::GetContentRegionAvail().x < 180 * theme.fonts.scale) ImGui::NewLine();
    }

    void choose_axis(const Theme& theme, const KernelFile& kernel, std::size_t which) {
        const bool has = plan_.axes.size() > which;
        const std::string value = has ? plan_.axes[which].name : no_second;
        if (!begin_chooser(theme, fmt::format("sweep over {}", which), which == 0 ? "over" : "and", value,
                           "The parameter to sweep, over the values that its header allows."))
            return;
        if (which == 1 && chooser_item(theme, "sweep alone", no_second, "", !has)) plan_.axes.resize(1);
        for (const auto& parameter : kernel.parameters) {
            const bool other = plan_.axes.size() > 1 - which && plan_.axes[1 - which].name == parameter.name;
            const auto values = sweep_values(parameter, which == 0 ? 17 : 9);
            if (other || values.size() < 2) continue;
            const std::string detail =
                fmt::format("{} values, {} to {}", values.size(), values.front(), values.back());
            if (!chooser_item(theme, fmt::format("sweep axis {}", parameter.name), parameter.name, detail,
                              has && value == parameter.name))
                continue;
            if (plan_.axes.size() <= which) plan_.axes.resize(which + 1);
            plan_.axes[which] = {parameter.name, values};
        }
        end_chooser();
    }

    void choose_metric(const Theme& theme, const Scene* scene, std::size_t which) {
        plan_.metrics.resize(2, nullptr);
        const analysis::Metric*& chosen = plan_.metrics[which];
        const std::string value = chosen != nullptr ? chosen->name : no_second;
        if (!begin_chooser(theme, fmt::format("sweep metric {}", which), which == 0 ? "show" : "and", value,
                           "Metric to plot; docs/metrics.md lists all."))
            return;
        if (which == 1 && chooser_item(theme, "sweep no metric", no_second, "", chosen == nullptr))
            chosen = nullptr;
        for (const analysis::Metric& metric : analysis::metrics()) {
            // A metric that this kernel does not have, or that only a GPU measures, would be an empty chart.
            const bool shown = scene == nullptr || scene->report == nullptr || metric.needs_timing ||
                               metric.read(analysis::whole_launch(*scene->report)).value_or(0) != 0;
            if (!shown && &metric != chosen) continue;
            if (chooser_item(theme, "sweep show " + metric.name, metric.name, metric.meaning,
                             chosen == &metric))
                chosen = &metric;
        }
        end_chooser();
    }

    static std::vector<std::string> values_of(const Scene* scene, const Sweep& sweep) {
        std::vector<std::string> values;
        if (scene == nullptr || scene->kernel == nullptr) return values;
        for (const SweepAxis& axis : sweep.plan.axes) {
            const auto value = scene->parameters.find(axis.name);
            values.push_back(value == scene->parameters.end() ? ""
                                                              : instrumentation::to_string(value->second));
        }
        return values;
    }

    static SweepMarks marks_of(const ViewFrame& frame, const Sweep& sweep) {
        SweepMarks marks{values_of(frame.scene, sweep), frame.scene_name, std::nullopt};
        if (frame.baseline)
            marks.ghost = SweepGhost{frame.baseline_name, values_of(frame.baseline, sweep), before_of(frame)};
        return marks;
    }

    static std::string provenance(const Sweep& sweep) {
        std::string words;
        for (const auto& [name, value] : sweep.fixed)
            words += fmt::format("{} {} · ", name, grouped_text(value));
        if (!sweep.gpu.empty()) words += sweep.gpu + " · ";
        words += sweep.sampled ? "a sample of the blocks" : "the entire launch at every point";
        const std::size_t failed = sweep.rows.size() - sweep.measured();
        if (failed > 0) words += fmt::format(" · {} of {} values failed (×)", failed, sweep.rows.size());
        words += fmt::format(" · {}", to_string(sweep.level));
        if (sweep.level_of_times && sweep.level_of_times != sweep.level)
            words += fmt::format(", times {}", to_string(*sweep.level_of_times));
        return words;
    }

    static void draw_charts(ViewFrame& frame, const Sweep& sweep) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        room.y = std::max(room.y - text_height(theme.fonts.small) - ink.px(12), ink.px(140));
        std::optional<ImVec2> mouse;
        if (frame.interactive && ImGui::IsWindowHovered()) mouse = ImGui::GetIO().MousePos;
        const auto hit = draw_sweep_charts(ink, {at.x, at.y, at.x + room.x, at.y + room.y}, sweep,
                                           marks_of(frame, sweep), mouse);
        ImGui::Dummy(room);
        std::string words = provenance(sweep);
        if (is_heatmap(sweep) && frame.baseline && before_of(frame))
            words = fmt::format("outlined cells differ from {} · ", frame.baseline_name) + words;
        text_item(theme.fonts.small, theme.text_dim,
                  fit_text(theme.fonts.small, words, ImGui::GetContentRegionAvail().x));
        if (!hit) return;
        auto lines = sweep_row_words(sweep, hit->row);
        if (const Sweep* before = frame.baseline ? before_of(frame) : nullptr) {
            const auto was = sweep_row_words(*before, hit->row);
            lines.push_back(fmt::format("{}:", frame.baseline_name));
            lines.insert(lines.end(), was.begin() + 1, was.end());
        }
        tooltip_card(theme, "Click to set the knobs to this point.", lines);
        if (ImGui::IsMouseClicked(0) && sweep.rows[hit->row].failed.empty())
            for (std::size_t i = 0; i < sweep.plan.axes.size(); ++i)
                frame.commands.set_parameters.push_back(
                    {sweep.plan.axes[i].name, sweep.rows[hit->row].at[i]});
    }

    std::string kernel_;
    SweepPlan plan_;
};

}  // namespace

std::unique_ptr<View> make_sweep_view() { return std::make_unique<SweepView>(); }

}  // namespace warplens::app
