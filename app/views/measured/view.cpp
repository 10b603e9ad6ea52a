// Measured: a GPU's measurements of the launch next to exact and modelled values; and, above them, the
// recording overhead.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/warps/waves.h"
#include "app/scene/level_of_time.h"
#include "app/scene/own_source.h"
#include "app/scene/perturbation_words.h"
#include "app/scene/what_if.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/measured/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {

namespace {

/// Nanoseconds of the launch: of the original kernel where it was timed.
double launch_ns(const MeasuredIndex& index) {
    const double clean_us = index.summary().clean_us;
    return clean_us > 0 ? clean_us * 1e3 : static_cast<double>(index.length_ns());
}

/// For a shell it is one word.
std::string shell_quoted(const std::string& file) {
    std::string quoted = "'";
    for (const char c : file) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// How a command names the kernel: one of the catalogue by its name, another by its file.
std::string target_of(const trace::Trace& trace) {
    const std::uint32_t source = own_source(trace.program);
    if (source == no_index) return trace.launch.kernel;
    const std::string& file = trace.program.sources[source].name;
    if (file.starts_with("kernels/")) return trace.launch.kernel;
    return file.find_first_of(" '()&;$") == std::string::npos ? file : shell_quoted(file);
}

class MeasuredView : public View {
  private:
    ViewNeeds needs() const override { return {.of_two_levels = TwoLevels::either}; }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& baseline = *frame.baseline;
        if (!frame.scene->trace->measured) return {};  // the view says how to measure
        if (!baseline.trace || !baseline.trace->measured || !baseline.measured)
            return fmt::format("{} was not measured on a GPU, so there is nothing to compare with.",
                               frame.baseline_name);
        if (!baseline.timing) return fmt::format("{} has not been timed yet.", frame.baseline_name);
        return {};
    }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (!scene->trace->measured) {
            empty_state(
                frame.theme, "No measured data: these numbers come from the CPU engine and the timing model.",
                fmt::format("Choose the engine “recording” above (`--engine recorded`) for data that an "
                            "H200 measured for the kernels of the catalogue. With an NVIDIA "
                            "GPU, `warplens {} --engine cuda` measures this launch; `warplens record … "
                            "-o x.wltrace` on another machine creates a recording that you can open here.",
                            target_of(*scene->trace)));
            return;
        }
        follow_scene(*scene, frame.level);
        before_ = frame.baseline ? frame.baseline->measured.get() : nullptr;
        draw_title(frame);
        const float foot = provenance_line_height(frame.theme) + ImGui::GetStyle().ItemSpacing.y;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        compat::begin_child("measured body", {room.x, std::max(room.y - foot, 40.0f)},
                            frame.interactive
                                ? ImGuiWindowFlags_None
                                : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        draw_body(frame);
        ImGui::EndChild();
        provenance_line(frame.theme, *scene,
                        "measured · " + device_words(index_->measured()) +
                            (timed_.timing && timed_.timing->as_measured
                                 ? fmt::format(" · modelled from {}: one SM, {}", code_of_level(timed_.level),
                                               trace::condition_words(index_->measured()))
                                 : ""));
    }

    void follow_scene(const Scene& scene, Level wanted) {
        if (!index_ || &index_->trace() != scene.trace.get()) {
            index_ = scene.measured && &scene.measured->trace() == scene.trace.get()
                         ? scene.measured
                         : index_measured(scene.trace);
            timing_ = nullptr;
            machine_ = nullptr;
            timed_ = {};  // of the two
            compared_.clear();
        }
        if (timing_ == scene.timing && machine_ == scene.machine && wanted_ == wanted) return;
        timing_ = scene.timing;
        machine_ = scene.machine;
        wanted_ = wanted;
        timed_ = timing_at(scene, wanted);
        if (!timed_.timing) return compared_.clear();
        compared_ = timed_.timing->compared;
        if (compared_.empty() && scene.gpu)
            compared_ = analysis::measured_against_modelled(*scene.trace, scene.report.get(),
                                                            timed_.timing->as_measured.get(), *scene.gpu);
    }

    void draw_title(const ViewFrame& frame) const {
        const Theme& theme = frame.theme;
        const analysis::MeasuredSummary& summary = index_->summary();
        const std::string& kernel = index_->trace().launch.kernel;
        std::string words =
            fmt::format("Measured: `{}` takes {}", kernel, nanoseconds_words(launch_ns(*index_)));
        if (before_) {
            const double was = launch_ns(*before_);
            title_line(theme, fmt::format("{}; {} takes {} ({})", words, frame.baseline_name,
                                          nanoseconds_words(was), effect_words(was, launch_ns(*index_))));
            return;
        }
        if (summary.slowdown() > 0)
            words += fmt::format(", {} while recording (× {})", nanoseconds_words(summary.traced_us * 1e3),
                                 decimal(summary.slowdown(), 2));
        const auto launch = std::ranges::find(compared_, "launch_us", &analysis::ComparedMetric::key);
        if (launch != compared_.end())
            if (const auto off = launch->difference_percent())
                words += fmt::format("; modelled {} ({})", nanoseconds_words(*launch->modelled * 1e3),
                                     effect_words(*launch->measured, *launch->modelled));
        title_line(theme, words);
        const std::string time = nanoseconds_words(launch_ns(*index_));
        const std::size_t blank = time.rfind(' ');
        if (blank != std::string::npos)
            headline_with_room(
                theme, {time.substr(0, blank), time.substr(blank + 1),
                        summary.clean_us > 0 ? "original kernel, measured" : "while recording, measured"});
    }

    void draw_body(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const trace::Measured& measured = index_->measured();
        for (const std::string& warning : perturbation_warnings(measured))
            text_wrapped(theme.fonts.words, theme.error, "Warning: " + warning);
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const ImVec2 mouse =
            frame.interactive && ImGui::IsWindowHovered() ? ImGui::GetMousePos() : ImVec2{-1, -1};
        const bool two = room.x > ink.px(1040);  // columns
        const float gap = ink.px(28), width = two ? (room.x - gap) / 2 : room.x;
        const float bottom = at.y + room.y;
        const bool scrolls = frame.interactive;  // an image shows only complete parts
        // Side by side; in one column what differs comes first.
        float y = at.y;
        const float end = scrolls ? at.y + ink.px(1e5f) : bottom;  // a low pane scrolls
        if (two) {
            const float left_end = draw_overhead(ink, {at.x, y, at.x + width, end}, true);
            const float x = at.x + width + gap;
            y = std::max(left_end, draw_differences(frame, ink, {x, y, x + width, end}, mouse));
        } else {
            y = draw_differences(frame, ink, {at.x, y, at.x + width, end}, mouse);
            y = draw_overhead(ink, {at.x, y, at.x + width, end}, scrolls);
        }
        const float left = std::max(bottom - y, scrolls ? block_chart_height(ink) + ink.px(46) : 0);
        // One SM is not a distribution.
        if (index_->sms().size() < 2) y = draw_reasons(ink, {at.x, y, at.x + room.x, end});
        else if (left >= ink.px(130))
            y = draw_chart(ink,
                           {at.x, y, at.x + room.x,
                            scrolls ? y + block_chart_height(ink) + ink.px(46) : bottom - ink.px(4)},
                           mouse);
        ImGui::Dummy({room.x, y - at.y});
    }

    /// The cost of each recording; returns where it ends. In a picture only where all of it has room.
    float draw_overhead(const Ink& ink, Box box, bool always) const {
        const trace::Measured& measured = index_->measured();
        std::vector<std::string> sentences{address_words(measured)};
        if (!index_->summary().sampled())
            sentences.push_back(repeat_words(measured, static_cast<double>(index_->length_ns())));
        if (index_->summary().every_pass) sentences.push_back(analysis::every_pass_words());
        if (timing_) sentences.push_back(analysis::events_words());
        std::erase(sentences, "");
        const float table = cost_table_height(ink, measured);
        ImFont* const font = ink.theme.fonts.small;
        const auto sentence_height = [&](const std::string& words) {
            return text_size(font, in_lines(font, words, box.width())).y + ink.px(3);
        };
        float height = ink.px(26) + table + ink.px(4);
        for (const std::string& words : sentences) height += sentence_height(words);
        if (!always && height > box.height()) return box.y0;
        heading(ink, box.take_top(ink.px(26)), "Recording overhead");
        draw_cost_table(ink, {box.x0, box.y0, box.x1, box.y0 + table}, measured);
        box.y0 += table + ink.px(4);
        for (const std::string& words : sentences) {
            ImGui::SetCursorScreenPos(box.min());
            text_wrapped(font, ink.theme.text_dim, words, box.width());
            box.y0 += sentence_height(words);
        }
        return box.y0 + ink.px(10);
    }

    /// Of the two runs, else of the exact, measured and modelled numbers; returns where it ends.
    float draw_differences(ViewFrame& frame, const Ink& ink, Box box, ImVec2 mouse) const {
        const Theme& theme = frame.theme;
        const auto changes = before_ ? measured_changes(frame.baseline->timing->compared, compared_)
                                     : std::vector<MeasuredChange>();
        const float rows = comparison_height(ink, before_ ? changes.size() : compared_.size());
        const bool fits = frame.interactive || rows + ink.px(26) <= box.height();
        if (before_ && fits) {
            heading(ink, box.take_top(ink.px(26)),
                    fmt::format("Measured in both runs; outlined: {}", frame.baseline_name));
            const Box table{box.x0, box.y0, box.x1, box.y0 + rows};
            if (const int under =
                    draw_measured_changes(ink, table, changes, frame.baseline_name, frame.scene_name, mouse);
                under >= 0)
                explain(theme, *changes[static_cast<std::size_t>(under)].after);
            return table.y1 + ink.px(12);
        }
        if (!compared_.empty() && fits) {
            heading(ink, box.take_top(ink.px(26)), "Exact, measured, modelled");
            const Box table{box.x0, box.y0, box.x1, box.y0 + rows};
            if (const int under = draw_comparison(ink, table, compared_, mouse); under >= 0)
                explain(theme, compared_[static_cast<std::size_t>(under)]);
            return table.y1 + ink.px(12);
        }
        if (timing_) return box.y0;
        ink.text(box.take_top(ink.px(26)), "The timing model is running.", theme.fonts.words, theme.text_dim);
        return box.y0 + ink.px(8);
    }

    /// Why the sides of each row that differs may differ; returns where it ends.
    float draw_reasons(const Ink& ink, Box box) const {
        bool first = true;
        for (const analysis::ComparedMetric& metric : compared_) {
            const auto off = metric.difference_percent();
            if (!off || (!metric.slowed && std::abs(*off) < 0.5) || metric.note.empty() ||
                box.height() < ink.px(90))
                continue;
            if (std::exchange(first, false)) heading(ink, box.take_top(ink.px(26)), "Why they may differ");
            ImGui::SetCursorScreenPos({box.x0, box.y0});
            text_wrapped(ink.theme.fonts.words, ink.theme.text,
                         fmt::format("{}: {}", metric.name, metric.note), box.width());
            box.y0 = ImGui::GetCursorScreenPos().y;
        }
        return box.y0;
    }

    static void heading(const Ink& ink, const Box& box, std::string_view words) {
        ink.text(box, words, ink.theme.fonts.words, ink.theme.text_dim);
    }

    /// As What if says it, with the blocks that fit while it was recorded.
    static std::string waves_words(const analysis::MeasuredSummary& summary) {
        const auto fit = static_cast<int>(summary.blocks_that_fit);
        const auto sms = static_cast<int>(summary.sm_count);
        return analysis::waves_in_words(analysis::waves_of(summary.blocks, fit, sms), fit, sms);
    }

    float draw_chart(const Ink& ink, Box box, ImVec2 mouse) const {
        const analysis::MeasuredSummary& summary = index_->summary();
        const auto cycles = [](double value) {
            return grouped(static_cast<std::uint64_t>(std::llround(value)));
        };
        std::string whole =
            fmt::format("Cycles per block, by SM: {} to {}, median {}", cycles(summary.block_cycles.min),
                        cycles(summary.block_cycles.max), cycles(summary.block_cycles.median));
        if (before_)
            whole += fmt::format("; the baseline: median {}", cycles(before_->summary().block_cycles.median));
        ink.heading(box.take_top(ink.px(24)), {whole, "Cycles per block, by SM"});
        std::string context =
            summary.sampled() ? fmt::format("{} of {} blocks were timed, so the total work per SM is unknown",
                                            grouped(summary.blocks), grouped(summary.blocks_in_grid))
                              : waves_words(summary);
        if (summary.imbalance > 0)
            context += fmt::format(" · the busiest SM works {} longer than the mean",
                                   percent(summary.imbalance - 1, 1));
        std::string key = "dash: median of the SM, bar: minimum to maximum, line: median of all";
        if (before_) key += "; outlined and dashed: the baseline";
        ImFont* small = ink.theme.fonts.small;
        const std::string both = context + " · " + key;
        const Box line = box.take_top(ink.px(20));
        const bool one_line = text_width(small, both) <= line.width();
        ink.text(line, one_line ? both : context, small, ink.theme.text_dim);
        if (!one_line) ink.text(box.take_top(ink.px(20)), key, small, ink.theme.text_dim);
        const float end = box.y1;
        if (const int under = draw_block_chart(ink, box, *index_, before_, mouse); under >= 0) {
            const MeasuredIndex::Sm& sm = index_->sms()[static_cast<std::size_t>(under)];
            const auto found = std::ranges::find(summary.sms, sm.sm, &analysis::MeasuredSummary::Sm::sm);
            std::vector<std::string> lines{
                fmt::format("minimum {}, median {}, maximum {} cycles", cycles(sm.block_cycles.min),
                            cycles(sm.block_cycles.median), cycles(sm.block_cycles.max))};
            if (found != summary.sms.end() && !summary.sampled()) {
                lines.push_back(fmt::format("{} warps resident on average", decimal(found->busy, 1)));
                lines.push_back(
                    fmt::format("{} cycles from its first warp to its last", grouped(found->cycles())));
            }
            tooltip_card(ink.theme,
                         fmt::format("SM {} ran {}.", sm.sm,
                                     counted(found != summary.sms.end() ? found->blocks : 0, "block")),
                         lines);
        }
        return end;
    }

    static void explain(const Theme& theme, const analysis::ComparedMetric& metric) {
        std::vector<std::string> lines;
        const auto line = [&](const char* name, const std::optional<double>& value) {
            if (value)
                lines.push_back(
                    fmt::format("{}: {} {}", name, value_words(*value, metric.unit), metric.unit));
        };
        line("exact", metric.exact);
        line("measured", metric.measured);
        line("modelled", metric.modelled);
        tooltip_card(theme, metric.note.empty() ? metric.help : metric.help + " " + metric.note, lines);
    }

    std::shared_ptr<const MeasuredIndex> index_;
    const MeasuredIndex* before_ = nullptr;  // the baseline's, of this frame
    std::shared_ptr<const SceneTiming> timing_;
    std::shared_ptr<const MachineCode> machine_;
    Level wanted_ = Level::machine;
    LeveledTiming timed_;  // what `compared_` is made with, of `timing_` or `machine_`
    std::vector<analysis::ComparedMetric> compared_;
};

}  // namespace

std::unique_ptr<View> make_measured_view() { return std::make_unique<MeasuredView>(); }

}  // namespace warplens::app
