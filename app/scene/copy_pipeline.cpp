#include "app/scene/copy_pipeline.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

#include "analysis/warps/operation_count.h"

namespace warplens::app {
namespace {

/// Work that pauses for fewer cycles goes on.
constexpr std::uint32_t short_pause = 6;

/// How many times less work than a batch's makes a phase a part of it.
constexpr std::uint32_t far_less = 8;

template <std::size_t n>
bool begins_with_one_of(std::string_view opcode, const std::array<std::string_view, n>& begins) {
    return std::ranges::any_of(begins, [&](std::string_view one) { return opcode.starts_with(one); });
}

/// Machine instructions are in capitals.
bool is_floating(const Site& site) {
    static constexpr std::array<std::string_view, 17> machine{
        "FFMA", "FADD", "FMUL", "FMNMX", "MUFU", "HFMA2", "HADD2", "HMUL2", "HMNMX2",
        "DFMA", "DADD", "DMUL", "HMMA",  "DMMA", "IMMA",  "HGMMA", "QGMMA"};
    static constexpr std::array<std::string_view, 12> ptx{"fma", "mul", "mad", "add", "sub",  "div",
                                                          "min", "max", "ex2", "rcp", "sqrt", "sin"};
    static constexpr std::array<std::string_view, 2> matrices{"mma", "wmma.mma"};
    return begins_with_one_of(site.opcode, machine) || begins_with_one_of(site.opcode, matrices) ||
           (begins_with_one_of(site.opcode, ptx) && site.opcode.find(".f") != std::string::npos);
}

/// The assembler loads constants with arithmetic on zero: "HFMA2.MMA R5, -RZ, RZ, 0, 0".
bool is_move(const Site& site) {
    return analysis::count_operations(site.opcode) != analysis::count_operations(site);
}

bool is_copy(const Site& site) {
    static constexpr std::array<std::string_view, 4> begins{"cp.", "LDGSTS", "UBLKCP", "UTMALDG"};
    return begins_with_one_of(site.opcode, begins);
}

bool commits_group(const Site& site) {
    static constexpr std::array<std::string_view, 2> begins{"cp.async.commit_group", "LDGDEPBAR"};
    return begins_with_one_of(site.opcode, begins);
}

bool is_arithmetic(const Site& site) {
    static constexpr std::array<std::string_view, 12> integer{
        "mul", "mad", "add", "sub", "div", "min", "max", "IMAD", "IADD", "IMUL", "IMNMX", "VIMNMX"};
    return is_floating(site) || begins_with_one_of(site.opcode, integer);
}

bool is_memory_wait(WarpState state) {
    return state == WarpState::long_scoreboard || state == WarpState::barrier || state == WarpState::membar ||
           state == WarpState::lg_throttle;
}

class Builder {
  public:
    Builder(const trace::Trace& trace, const trace::Schedule& schedule)
        : trace_(trace), schedule_(schedule), block_(schedule.blocks.front()) {
        pipeline_.block = block_.block;
        pipeline_.begin = block_.arrival;
        pipeline_.end = block_.departure;
        for (const trace::BarrierRelease& release : schedule.barriers)
            if (&schedule.blocks[release.block] == &block_) pipeline_.barriers.push_back(release.cycle);
        for (const Site& site : trace.program.sites) {
            pipeline_.floating = pipeline_.floating || (is_floating(site) && !is_move(site));
            pipeline_.groups = pipeline_.groups || commits_group(site);
        }
        for (const Site& site : trace.program.sites)
            does_.push_back(
                {commits_group(site),
                 !is_move(site) && (pipeline_.floating ? is_floating(site) : is_arithmetic(site))});
    }

    std::shared_ptr<const CopyPipeline> make() {
        for (std::uint32_t i = 0; i < block_.warp_count; ++i) {
            const trace::ScheduledWarp& warp = schedule_.warps[block_.first_warp + i];
            take_spans(warp);
            take_flights(warp);
        }
        if (pipeline_.load.empty()) return nullptr;
        for (auto* lane : {&pipeline_.load, &pipeline_.wait, &pipeline_.compute, &pipeline_.store})
            merge(*lane);
        count();
        return std::make_shared<const CopyPipeline>(std::move(pipeline_));
    }

  private:
    std::uint32_t phase(std::uint32_t cycle) const {
        const auto& barriers = pipeline_.barriers;
        return static_cast<std::uint32_t>(std::ranges::upper_bound(barriers, cycle) - barriers.begin());
    }

    /// Of a load: after how many groups of its warp, or after how many barriers.
    std::uint32_t load_phase(std::uint32_t cycle) const {
        if (!pipeline_.groups) return phase(cycle);
        return static_cast<std::uint32_t>(std::ranges::lower_bound(commits_, cycle) - commits_.begin());
    }

    void take_flights(const trace::ScheduledWarp& warp) {
        for (const trace::Flight& flight : trace::flights_of(schedule_, warp)) {
            if (flight.site() >= trace_.program.sites.size() || flight.returned <= flight.issued) continue;
            const Site& site = trace_.program.sites[flight.site()];
            if (site.kind != SiteKind::memory) continue;
            PipelineBar bar{flight.issued, flight.returned, phase(flight.issued)};
            const bool copies = is_copy(site);
            if (site.operation == Operation::store && !copies) {
                if (flight.served_by() != trace::ServedBy::shared) pipeline_.store.push_back(bar);
            } else if (flight.served_by() != trace::ServedBy::shared || copies) {
                bar.batch = load_phase(flight.issued);
                pipeline_.load.push_back(bar);
                ++pipeline_.loads;
                pipeline_.copies += copies ? 1 : 0;
            }
        }
    }

    void take_spans(const trace::ScheduledWarp& warp) {
        commits_.clear();
        for (const trace::StateSpan& span : trace::spans_of(schedule_, warp)) {
            if (span.site() >= trace_.program.sites.size()) continue;
            const bool selected = span.state() == WarpState::selected;
            const auto [commits, computes] = does_[span.site()];
            if (selected && commits) commits_.push_back(span.begin);
            auto* bars = is_memory_wait(span.state()) ? &pipeline_.wait
                         : selected && computes       ? &pipeline_.compute
                                                      : nullptr;
            if (bars) bars->push_back({span.begin, trace::end_of(schedule_, warp, span), phase(span.begin)});
        }
    }

    /// Bars of one batch that overlap, or nearly, become one.
    static void merge(std::vector<PipelineBar>& bars) {
        std::ranges::sort(bars, {},
                          [](const PipelineBar& bar) { return std::tuple(bar.batch, bar.begin, bar.end); });
        std::vector<PipelineBar> merged;
        for (const PipelineBar& bar : bars) {
            const bool joins = !merged.empty() && merged.back().batch == bar.batch &&
                               bar.begin <= merged.back().end + short_pause;
            if (joins) merged.back().end = std::max(merged.back().end, bar.end);
            else merged.push_back(bar);
        }
        number_batches(merged);
        bars = std::move(merged);
    }

    /// From phases to batches, which count in each lane by themselves: the first loads bring what is computed
    /// with first. An assembler moves the last arithmetic of a batch behind its barrier, and a wait for a
    /// barrier follows one for data: a phase with far less work than the batch beside it is a part of that.
    static void number_batches(std::vector<PipelineBar>& bars) {
        std::map<std::uint32_t, std::uint32_t> work;  // of each phase, in cycles
        for (const PipelineBar& bar : bars) work[bar.batch] += bar.end - bar.begin;
        std::map<std::uint32_t, std::uint32_t> batch_of;
        std::uint32_t batch = 0, of_batch = 0;
        for (const auto& [phase, cycles] : work) {
            const bool part = std::min(cycles, of_batch) * far_less < std::max(cycles, of_batch);
            if (!part) ++batch;
            of_batch = part ? std::max(of_batch, cycles) : cycles;
            batch_of[phase] = batch;
        }
        for (PipelineBar& bar : bars) bar.batch = batch_of[bar.batch];
    }

    void count() {
        const std::uint32_t length = pipeline_.end - pipeline_.begin;
        std::vector<std::uint8_t> busy(length);
        const auto mark = [&](const std::vector<PipelineBar>& bars, std::uint8_t bit) {
            for (const PipelineBar& bar : bars)
                for (std::uint32_t cycle = std::max(bar.begin, pipeline_.begin);
                     cycle < std::min(bar.end, pipeline_.end); ++cycle)
                    busy[cycle - pipeline_.begin] |= bit;
        };
        mark(pipeline_.load, 1);
        mark(pipeline_.compute, 2);
        for (const std::uint8_t cycle : busy) {
            pipeline_.load_cycles += cycle & 1u;
            pipeline_.compute_cycles += cycle >> 1u & 1u;
            pipeline_.overlapped_cycles += cycle == 3 ? 1 : 0;
        }
    }

    const trace::Trace& trace_;
    const trace::Schedule& schedule_;
    const trace::ScheduledBlock& block_;
    /// Of a site, once: its text is searched for words.
    struct Does {
        bool commits, computes;
    };
    std::vector<Does> does_;
    std::vector<std::uint32_t> commits_;  // of one warp: the cycles in which it commits a group
    CopyPipeline pipeline_;
};

}  // namespace

bool CopyPipeline::has_batches() const {
    for (const auto* lane : {&load, &wait, &compute, &store})
        for (const PipelineBar& bar : *lane)
            if (bar.batch > 0) return true;
    return false;
}

std::shared_ptr<const CopyPipeline> copy_pipeline(const trace::Trace& trace,
                                                  const trace::Schedule& schedule) {
    if (schedule.blocks.empty() || schedule.warps.empty()) return nullptr;
    return Builder(trace, schedule).make();
}

}  // namespace warplens::app
