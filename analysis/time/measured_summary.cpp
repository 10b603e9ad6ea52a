#include "analysis/time/measured_summary.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace warplens::analysis {

namespace {

using trace::Measured;
using trace::MeasuredVisit;
using trace::MeasuredWarp;

/// Arrivals and departures on an SM, by cycle; in one cycle departures come first.
class Changes {
  public:
    void add(std::uint32_t begin, std::uint32_t end, int blocks, int warps) {
        if (begin == end) return;
        changes_.push_back({end, -1, blocks, warps});
        changes_.push_back({begin, 1, blocks, warps});
    }
    std::vector<Residency> take() {
        std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
            return std::tie(a.cycle, a.sign) < std::tie(b.cycle, b.sign);
        });
        std::vector<Residency> steps;
        int blocks = 0, warps = 0;
        for (const Change& change : changes_) {
            blocks += change.sign * change.blocks;
            warps += change.sign * change.warps;
            if (steps.empty() || steps.back().cycle != change.cycle) steps.push_back({change.cycle, 0, 0});
            steps.back().blocks = static_cast<std::uint32_t>(blocks);
            steps.back().warps = static_cast<std::uint32_t>(warps);
        }
        return steps;
    }

  private:
    struct Change {
        std::uint32_t cycle;
        int sign, blocks, warps;
    };
    std::vector<Change> changes_;
};

double offset_ns(const Measured& measured, std::uint16_t sm) {
    const auto found =
        std::lower_bound(measured.sms.begin(), measured.sms.end(), sm,
                         [](const trace::MeasuredSm& one, std::uint16_t id) { return one.sm < id; });
    return found != measured.sms.end() && found->sm == sm ? found->offset_ns : 0;
}

std::uint64_t count_waits(const Measured& measured) {
    return static_cast<std::uint64_t>(
        std::count_if(measured.visits.begin(), measured.visits.end(),
                      [](const MeasuredVisit& visit) { return visit.arrived != trace::no_time; }));
}

/// The passes of a warp's loops: how often it enters a basic block again, and whether it read a clock each
/// time since it had entered it before.
struct Passes {
    std::uint64_t count = 0;
    bool clocked = true;
};
Passes passes_of(std::span<const MeasuredVisit> visits) {
    std::map<std::uint32_t, std::uint64_t>
        clocks_before;  // by basic block: clocks read before its last entry
    std::uint64_t clocks = 0;
    Passes passes;
    for (const MeasuredVisit& visit : visits) {
        clocks += visit.entered != trace::no_time;
        const auto [last, first] = clocks_before.try_emplace(visit.basic_block, clocks);
        if (first) continue;
        ++passes.count;
        passes.clocked = passes.clocked && clocks > last->second;
        last->second = clocks;
    }
    return passes;
}

/// Of MeasuredSummary::every_pass.
bool has_every_pass(const Measured& measured) {
    if (measured.openings_derived) return false;
    std::uint64_t count = 0;
    for (const MeasuredWarp& warp : measured.warps) {
        const Passes passes = passes_of(visits_of(measured, warp));
        if (!passes.clocked) return false;
        count += passes.count;
    }
    return count > 0;
}

}  // namespace

std::vector<MeasuredBlock> measured_blocks(const Measured& measured) {
    std::vector<MeasuredBlock> blocks;
    for (const MeasuredWarp& warp : measured.warps) {
        if (!blocks.empty() && blocks.back().block == warp.block) {
            blocks.back().begin = std::min(blocks.back().begin, warp.begin);
            blocks.back().end = std::max(blocks.back().end, warp.end);
        } else {
            blocks.push_back({warp.block, warp.sm, warp.begin, warp.end});
        }
    }
    return blocks;
}

const MeasuredBlock* find_block(const std::vector<MeasuredBlock>& blocks, std::uint64_t block) {
    const auto found = std::ranges::lower_bound(blocks, block, {}, &MeasuredBlock::block);
    return found == blocks.end() || found->block != block ? nullptr : &*found;
}

Spread spread_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {values.front(), median, values.back()};
}

std::span<const MeasuredVisit> visits_of(const Measured& measured, const MeasuredWarp& warp) {
    return {measured.visits.data() + warp.visits_begin, measured.visits.data() + warp.visits_end};
}

const MeasuredWarp* find_measured(const Measured& measured, std::uint64_t block, std::uint32_t warp) {
    const auto found = std::lower_bound(
        measured.warps.begin(), measured.warps.end(), std::tie(block, warp),
        [](const MeasuredWarp& one, const auto& key) { return std::tie(one.block, one.warp) < key; });
    if (found == measured.warps.end() || found->block != block || found->warp != warp) return nullptr;
    return &*found;
}

const trace::Perturbation* perturbation_of(const Measured& measured, std::string_view mode) {
    for (const trace::Perturbation& perturbation : measured.perturbations)
        if (perturbation.mode == mode) return &perturbation;
    return nullptr;
}

const trace::Perturbation* timed_perturbation(const Measured& measured) {
    if (const trace::Perturbation* light = perturbation_of(measured, "light")) return light;
    if (const trace::Perturbation* proof = perturbation_of(measured, "proof")) return proof;
    return measured.perturbations.empty() ? nullptr : &measured.perturbations.front();
}

double launch_ns(const Measured& measured, std::uint16_t sm, std::uint32_t cycle) {
    if (measured.clock_hz <= 0) return 0;
    return offset_ns(measured, sm) + cycle / measured.clock_hz * 1e9;
}

std::uint64_t barrier_cycles(const Measured& measured, const MeasuredWarp& warp) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waits;
    for (const MeasuredVisit& visit : visits_of(measured, warp))
        if (visit.arrived != trace::no_time) waits.emplace_back(visit.arrived, visit.entered);
    std::sort(waits.begin(), waits.end());
    std::uint64_t cycles = 0;
    std::uint32_t until = 0;
    for (const auto& [arrived, entered] : waits) {
        if (entered <= until) continue;
        cycles += entered - std::max(arrived, until);
        until = entered;
    }
    return cycles;
}

std::vector<Residency> residency(const Measured& measured, std::uint16_t sm) {
    Changes changes;
    for (const MeasuredBlock& stay : measured_blocks(measured))
        if (stay.sm == sm) changes.add(stay.begin, stay.end, 1, 0);
    for (const MeasuredWarp& warp : measured.warps)
        if (warp.sm == sm) changes.add(warp.begin, warp.end, 0, 1);
    return changes.take();
}

namespace {

/// Sums up a launch: blocks and warps by SM first, then the SMs.
class Summary {
  public:
    Summary(const Measured& measured, std::uint64_t blocks_in_grid) : measured_(measured) {
        made_.clock_hz = measured.clock_hz;
        made_.timer_bound_us = measured.timer_bound_ns / 1e3;
        if (const trace::Perturbation* timed = timed_perturbation(measured)) {
            made_.clean_us = timed->clean_us;
            made_.traced_us = timed->traced_us;
        }
        made_.clean_cycles = made_.clean_us * 1e-6 * made_.clock_hz;
        made_.warps = measured.warps.size();
        made_.blocks_in_grid = blocks_in_grid;
        made_.every_pass = has_every_pass(measured);
    }

    MeasuredSummary take() {
        add_blocks();
        add_warps();
        add_sms();
        if (!made_.sms.empty()) add_launch();
        return std::move(made_);
    }

  private:
    MeasuredSummary::Sm& sm_at(std::uint16_t id, std::uint32_t begin, std::uint32_t end) {
        const auto [found, fresh] = sms_.try_emplace(id);
        MeasuredSummary::Sm& sm = found->second;
        sm.sm = id;
        sm.begin = fresh ? begin : std::min(sm.begin, begin);
        sm.end = std::max(sm.end, end);
        return sm;
    }

    void add_blocks() {
        std::vector<double> durations;
        for (const MeasuredBlock& stay : measured_blocks(measured_)) {
            ++sm_at(stay.sm, stay.begin, stay.end).blocks;
            changes_[stay.sm].add(stay.begin, stay.end, 1, 0);
            durations.push_back(stay.cycles());
        }
        made_.blocks = durations.size();
        made_.block_cycles = spread_of(std::move(durations));
    }

    void add_warps() {
        // Barriers are only known of warps whose visits are.
        std::uint64_t visited_cycles = 0;
        for (const MeasuredWarp& warp : measured_.warps) {
            MeasuredSummary::Sm& sm = sm_at(warp.sm, warp.begin, warp.end);
            ++sm.warps;
            sm.busy += warp.end - warp.begin;
            changes_[warp.sm].add(warp.begin, warp.end, 0, 1);
            made_.warp_cycles += warp.end - warp.begin;
            if (warp.visits_end > warp.visits_begin) visited_cycles += warp.end - warp.begin;
            made_.barrier_cycles += barrier_cycles(measured_, warp);
        }
        made_.barrier_waits = count_waits(measured_);
        if (visited_cycles > 0) made_.barrier_share = double(made_.barrier_cycles) / double(visited_cycles);
    }

    void add_sms() {
        for (auto& [id, sm] : sms_) {
            if (sm.cycles() > 0) sm.busy /= sm.cycles();
            sm.begin_us = launch_ns(measured_, id, sm.begin) / 1e3;
            sm.end_us = launch_ns(measured_, id, sm.end) / 1e3;
            first_ns_ = std::min(first_ns_, launch_ns(measured_, id, sm.begin));
            last_ns_ = std::max(last_ns_, launch_ns(measured_, id, sm.end));
            if (made_.sampled()) {
                sm.busy = 0;
                made_.sms.push_back(sm);
                continue;
            }
            for (const Residency& step : changes_[id].take()) {
                sm.most_blocks = std::max(sm.most_blocks, step.blocks);
                sm.most_warps = std::max(sm.most_warps, step.warps);
            }
            made_.most_blocks = std::max(made_.most_blocks, sm.most_blocks);
            made_.most_warps = std::max(made_.most_warps, sm.most_warps);
            cycles_ += sm.cycles();
            longest_ = std::max<double>(longest_, sm.cycles());
            made_.sms.push_back(sm);
        }
    }

    void add_launch() {
        const bool whole = !made_.sampled();
        if (whole) made_.launch_cycles = longest_;
        if (whole && cycles_ > 0) made_.imbalance = longest_ / (cycles_ / double(made_.sms.size()));
        const trace::Perturbation* timed = timed_perturbation(measured_);
        const int fit = timed ? timed->traced_blocks_per_sm : 0;
        made_.blocks_that_fit = std::max(made_.most_blocks, static_cast<std::uint32_t>(std::max(fit, 0)));
        made_.sm_count = std::max(static_cast<std::uint32_t>(made_.sms.size()),
                                  static_cast<std::uint32_t>(std::max(measured_.sm_count, 0)));
        if (made_.most_blocks > 0)
            made_.waves = double(made_.blocks) / (double(made_.sm_count) * made_.blocks_that_fit);
        if (made_.clock_hz <= 0) return;
        if (whole) {
            made_.launch_us = (last_ns_ - first_ns_) / 1e3;
            made_.launch_cycles = made_.launch_us * 1e-6 * made_.clock_hz;
        }
        const double us = 1e6 / made_.clock_hz;
        made_.block_us_min = made_.block_cycles.min * us;
        made_.block_us_median = made_.block_cycles.median * us;
        made_.block_us_max = made_.block_cycles.max * us;
    }

    const Measured& measured_;
    MeasuredSummary made_;
    std::map<std::uint16_t, MeasuredSummary::Sm> sms_;
    std::map<std::uint16_t, Changes> changes_;
    // Over the SMs.
    double first_ns_ = std::numeric_limits<double>::max(), last_ns_ = 0, cycles_ = 0, longest_ = 0;
};

}  // namespace

MeasuredSummary summarise(const Measured& measured, std::uint64_t blocks_in_grid) {
    return Summary(measured, blocks_in_grid).take();
}

}  // namespace warplens::analysis
