#include "app/views/timeline/measured_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/scene/perturbation_words.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

namespace {

std::string place_words(const MeasuredIndex& index, std::uint32_t basic_block) {
    const Site* site = index.first_site(basic_block);
    if (site && site->line != 0) return fmt::format("basic block {}, line {}", basic_block, site->line);
    if (site && site->ptx_line != 0)
        return fmt::format("basic block {}, PTX line {}", basic_block, site->ptx_line);
    return fmt::format("basic block {}", basic_block);
}

/// Rows of words with a number at the right.
struct Rows {
    const MeasuredCanvas& canvas;
    Box left;
    void heading(const std::string& words) {
        const float height = canvas.ink.px(22);
        if (left.height() < height) return;
        Box box = left.take_top(height);
        box.y0 += canvas.ink.px(4);
        canvas.ink.text(box, words, canvas.frame.theme.fonts.small, canvas.frame.theme.text_dim);
    }
    void row(const std::string& words, const std::string& number, bool warn = false) {
        const Theme& theme = canvas.frame.theme;
        if (left.height() < canvas.ink.px(18)) return;
        Box box = left.take_top(canvas.ink.px(18));
        const float taken =
            canvas.ink.text(box, number, theme.fonts.small, warn ? theme.error : theme.text, Align::right);
        box.x1 -= taken + canvas.ink.px(8);
        canvas.ink.text(box, words, theme.fonts.small, theme.text_dim);
    }
};

}  // namespace

std::string microsecond_tick(double ns, double step) {
    const int decimals =
        std::clamp(static_cast<int>(std::ceil(3 - std::log10(std::max(step, 1.0)) - 1e-9)), 0, 3);
    const double microseconds = ns * 1e-3;
    if (decimals == 0) return grouped(static_cast<std::uint64_t>(std::llround(std::max(microseconds, 0.0))));
    return fmt::format("{:.{}f}", std::max(microseconds, 0.0), decimals);
}

std::vector<std::string> measured_titles(const MeasuredIndex& index) {
    if (const analysis::MeasuredSummary& timed = index.summary(); timed.sampled()) {
        const std::string clean = timed.clean_us > 0 ? nanoseconds_words(timed.clean_us * 1e3) : "";
        const std::string kernel = index.trace().launch.kernel;
        const std::string some =
            fmt::format("{} of {} blocks timed", grouped(timed.blocks), grouped(timed.blocks_in_grid));
        return {clean.empty() ? fmt::format("Measured: `{}`, {}", kernel, some)
                              : fmt::format("Measured: `{}` takes {}; {}", kernel, clean, some),
                fmt::format("Measured: {}", some), some};
    }
    const std::string length = fmt::format("Measured: the warps of `{}` ran for {}",
                                           index.trace().launch.kernel, nanoseconds_words(index.length_ns()));
    const std::string where = fmt::format("{}, {} on {}", length, counted(index.summary().blocks, "block"),
                                          counted(index.sms().size(), "SM"));
    const analysis::MeasuredSummary& summary = index.summary();
    std::string full = where;
    if (summary.barrier_share >= 0.005)
        full +=
            fmt::format("; a warp waits at a barrier for {} of its time", percent(summary.barrier_share, 0));
    else if (summary.imbalance >= 1.02)
        full +=
            fmt::format("; the busiest SM works {} longer than the mean", percent(summary.imbalance - 1, 0));
    return {full, where, length};
}

std::string measured_provenance(const MeasuredIndex& index) {
    const trace::Measured& measured = index.measured();
    std::string words = "measured · light recording · " + measured.device;
    if (const std::string cost = perturbation_words(measured); !cost.empty()) words += " · " + cost;
    return words;
}

std::vector<LegendEntry> measured_legend(const MeasuredIndex& index, const Theme& theme) {
    using Shape = LegendEntry::Shape;
    std::vector<LegendEntry> entries;
    const ImU32 block = block_colour(theme, 0);
    entries.push_back({block, "a warp, one color per block", Shape::filled});
    const bool waits = std::ranges::any_of(index.measured().visits, [](const trace::MeasuredVisit& visit) {
        return visit.arrived != trace::no_time;
    });
    if (waits)
        entries.push_back({block,
                           index.measured().openings_derived
                               ? "waits at a barrier (end derived from the last arrival)"
                               : "waits at a barrier",
                           Shape::hatched});
    entries.push_back({mix(theme.background, theme.category(7), 0.6), "many short warps", Shape::filled});
    entries.push_back({resident_colour(theme, 0.3), "few", Shape::filled});
    entries.push_back({resident_colour(theme, 1),
                       fmt::format("{} resident on an SM", counted(index.most_resident(), "warp")),
                       Shape::filled});
    return entries;
}

TimelineWords measured_words(const MeasuredIndex& index, std::uint32_t warp, double ns) {
    TimelineWords words;
    const auto& warps = index.measured().warps;
    if (warp >= warps.size()) return words;
    const trace::MeasuredWarp& about = warps[warp];
    const std::uint32_t sm = index.sm_of_warp(warp);
    const double cycle = index.cycle_of(sm, ns);
    const std::uint32_t visit = index.visit_at(warp, cycle);
    const auto visits = index.visits(warp);
    const std::string who = fmt::format("Warp {} of block {}", about.warp, grouped(about.block));
    if (visit == no_index) {
        words.sentence = fmt::format("{} has started and not yet entered a basic block.", who);
    } else {
        const std::uint32_t left = index.left(warp, visit);
        const bool last = visit + 1 >= visits.size();
        std::uint32_t next = visit + 1;  // the next with a time: the wait before it is its own
        while (next < visits.size() && visits[next].entered == trace::no_time) ++next;
        const bool waits =
            !last && cycle >= left && next < visits.size() && visits[next].arrived != trace::no_time;
        if (waits) {
            words.sentence = fmt::format("{} waits at a barrier, before {}.", who,
                                         place_words(index, visits[next].basic_block));
            words.lines.push_back(fmt::format("arrived {}, resumed {}: {}", grouped(visits[next].arrived),
                                              grouped(visits[next].entered),
                                              counted(visits[next].entered - visits[next].arrived, "cycle")));
            if (index.measured().openings_derived)
                words.lines.push_back("resumed: derived from the last arrival of the block's warps");
        } else {
            words.sentence = fmt::format("{} is in {}.", who, place_words(index, visits[visit].basic_block));
            const Site* site = index.first_site(visits[visit].basic_block);
            if (site) words.lines.push_back("starts with " + site->opcode);
            words.lines.push_back(fmt::format("cycles {} to {}: {}", grouped(visits[visit].entered),
                                              grouped(left), counted(left - visits[visit].entered, "cycle")));
            const int lanes = LaneMask{visits[visit].active}.count();
            words.lines.push_back(counted(static_cast<std::uint64_t>(lanes), "lane") + " on");
        }
    }
    words.lines.push_back(fmt::format("warp: {} to {}, {} = {}", grouped(about.begin), grouped(about.end),
                                      counted(about.end - about.begin, "cycle"),
                                      nanoseconds_words((about.end - about.begin) * index.ns_per_cycle())));
    words.lines.push_back(fmt::format("SM {} · slot {} · measured", about.sm, about.slot));
    return words;
}

TimelineWords measured_sm_words(const MeasuredIndex& index, std::uint32_t sm, double ns) {
    TimelineWords words;
    if (sm >= index.sms().size()) return words;
    const MeasuredIndex::Sm& about = index.sms()[sm];
    std::vector<float> resident(1);
    index.resident(sm, ns, ns + std::max(1.0, index.ns_per_cycle()), resident);
    words.sentence = fmt::format("SM {} holds {} of its maximum of {}.", about.sm,
                                 counted(static_cast<std::uint64_t>(std::lround(resident[0])), "warp"),
                                 grouped(about.most_resident));
    words.lines.push_back(fmt::format("{} µs ± {} relative to other SMs", decimal(ns * 1e-3, 3),
                                      nanoseconds_words(index.measured().timer_bound_ns)));
    words.lines.push_back("measured · click its name to fold its slots");
    return words;
}

void draw_measured_side(const MeasuredCanvas& canvas, const Box& box, std::uint32_t chosen) {
    const MeasuredIndex& index = canvas.index;
    const trace::Measured& measured = index.measured();
    const Theme& theme = canvas.frame.theme;
    hit_box("timeline side", box.min(), box.max());
    Rows rows{canvas, box};
    const auto warnings = perturbation_warnings(measured);
    for (const std::string& warning : warnings) {
        const TextRun run{warning, theme.fonts.small, theme.error};
        const float height = canvas.ink.paragraph(rows.left.min(), box.width(), std::span(&run, 1), 4, false);
        if (height > rows.left.height() / 2) break;
        rows.left.y0 +=
            canvas.ink.paragraph(rows.left.min(), box.width(), std::span(&run, 1), 4) + canvas.ink.px(4);
    }
    const auto describe_warp = [&] {
        if (chosen >= measured.warps.size()) return;
        const trace::MeasuredWarp& warp = measured.warps[chosen];
        const std::uint64_t waits = analysis::barrier_cycles(measured, warp);
        rows.heading(fmt::format("Warp {} of block {}, on SM {}, slot {}", warp.warp, grouped(warp.block),
                                 warp.sm, warp.slot));
        rows.row("Start to end",
                 fmt::format("{} = {}", counted(warp.end - warp.begin, "cycle"),
                             nanoseconds_words((warp.end - warp.begin) * index.ns_per_cycle())));
        rows.row("Waiting at barriers", warp.end > warp.begin
                                            ? percent(static_cast<double>(waits) / (warp.end - warp.begin))
                                            : "0 %");
        rows.row("Basic blocks entered", grouped(warp.visits_end - warp.visits_begin));
    };
    rows.heading("The launch, by the GPU's clocks");
    rows.row("First warp's start to last warp's end", nanoseconds_words(index.length_ns()));
    rows.row("Blocks, warps",
             fmt::format("{}, {}", grouped(index.summary().blocks), grouped(measured.warps.size())));
    rows.row("SM clock", scaled(measured.clock_hz, "Hz"));
    rows.row("Time alignment of SMs", "± " + nanoseconds_words(measured.timer_bound_ns));
    describe_warp();
    rows.heading("Recording overhead");
    for (const trace::Perturbation& one : measured.perturbations) {
        rows.row(fmt::format("{}: {} instead of {}", one.mode, microseconds_words(one.traced_us),
                             microseconds_words(one.clean_us)),
                 "× " + decimal(one.slowdown(), 2));
        rows.row(fmt::format("{}: registers per thread", one.mode),
                 fmt::format("{} instead of {}", one.traced_registers, one.clean_registers));
        rows.row(fmt::format("{}: blocks per SM", one.mode),
                 fmt::format("{} instead of {}", one.traced_blocks_per_sm, one.clean_blocks_per_sm),
                 one.traced_blocks_per_sm != one.clean_blocks_per_sm);
        rows.row(fmt::format("{}: records, dropped", one.mode),
                 fmt::format("{}, {}", grouped(one.records), grouped(one.dropped_records)),
                 one.dropped_records > 0);
    }
}

}  // namespace warplens::app
