#include "tests/support/synthetic_schedule.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "trace/query.h"

namespace warplens::trace {

namespace {

/// The effect of a step on its scheduler's units and on the next step.
struct Rule {
    WarpState next_waits = WarpState::wait;
    std::uint32_t latency = 4;     // of the result, for the next step
    int unit = 0;                  // 0: arithmetic, 1: shared memory, 2: global memory, 3: takes none
    std::uint32_t unit_taken = 1;  // cycles
};

constexpr WarpState unit_busy[] = {WarpState::math_pipe_throttle, WarpState::mio_throttle,
                                   WarpState::lg_throttle};
constexpr int no_unit = 3;

std::pair<ServedBy, std::uint32_t> served(std::uint64_t number) {
    const std::uint64_t mixed = number * 0x9e3779b97f4a7c15u >> 61;
    if (mixed == 0) return {ServedBy::dram, 692};
    if (mixed < 4) return {ServedBy::l2, 288};
    return {ServedBy::l1, 40};
}

Rule rule_of(const Site& site, std::uint64_t number) {
    if (site.kind == SiteKind::branch) return {WarpState::branch_resolving, 9, no_unit, 0};
    if (site.kind == SiteKind::barrier) return {WarpState::barrier, 20, no_unit, 0};
    if (site.kind != SiteKind::memory || site.space == Space::param) return {WarpState::wait, 4, 0, 2};
    if (site.operation == Operation::store)
        return {WarpState::wait, 2, site.space == Space::shared ? 1 : 2, 4};
    if (site.space == Space::shared) return {WarpState::short_scoreboard, 29, 1, 4};
    return {WarpState::long_scoreboard, served(number).second, 2, 4};
}

struct Resident {
    std::uint32_t index = 0;  // into Schedule::warps
    std::vector<SiteId> sites;
    std::vector<StateSpan> spans;
    std::vector<Flight> flights;
    std::uint32_t next = 0;      // step
    std::uint32_t reached = 0;   // cycle up to which there are spans
    std::uint32_t writes = 0;    // cycle at which the last write leaves
    std::uint32_t waiting = 20;  // cycles the next step waits for the one before, or for its first fetch
    WarpState state = WarpState::no_instruction;
    std::uint32_t cause = no_index;

    void be(WarpState in, std::uint32_t until, std::uint32_t because) {
        if (until <= reached) return;
        const auto step =
            std::min(next, static_cast<std::uint32_t>(std::max<std::size_t>(sites.size(), 1) - 1));
        const SiteId site = step < sites.size() ? sites[step] : 0;
        const StateSpan span{reached, StateSpan::pack(site, in), step, because};
        if (spans.empty() || spans.back().packed != span.packed || spans.back().step != step ||
            spans.back().cause != because)
            spans.push_back(span);
        reached = until;
    }
};

class ExampleRun {
  public:
    ExampleRun(const Trace& trace, const ExampleSm& sm)
        : trace_(trace), sm_(sm), recorded_(trace.program), free_(static_cast<std::size_t>(sm.schedulers)) {
        made_.gpu = "synthetic";
        made_.notes = {"An example made for tests: no model of a GPU computed it."};
        made_.schedulers = sm.schedulers;
        made_.options.schedulers = sm.schedulers;
        units_.resize(free_.size());
        slots_.resize(free_.size());
        for (auto& slots : slots_) slots.assign(static_cast<std::size_t>(sm.slots_per_scheduler), false);
        for (std::size_t first = 0; first < trace.warps.size();) {
            std::size_t last = first;
            while (last < trace.warps.size() && trace.warps[last].block == trace.warps[first].block) ++last;
            made_.blocks.push_back({trace.warps[first].block, 0, 0, static_cast<std::uint32_t>(first),
                                    static_cast<std::uint32_t>(last - first)});
            first = last;
        }
        made_.warps.resize(trace.warps.size());
        residents_.resize(trace.warps.size());
    }

    Schedule run() && {
        admit(0);
        while (!events_.empty()) {
            const auto [cycle, order, warp] = events_.top();
            events_.pop();
            turn(residents_[warp], cycle);
        }
        gather();
        return std::move(made_);
    }

  private:
    using Event = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;  // cycle, order, warp

    void at(std::uint32_t cycle, const Resident& warp) { events_.emplace(cycle, order_++, warp.index); }

    /// As many of the waiting blocks as find slots.
    void admit(std::uint32_t cycle) {
        while (next_block_ < made_.blocks.size()) {
            ScheduledBlock& block = made_.blocks[next_block_];
            if (!take_slots(block)) return;
            block.arrival = std::max(cycle, next_arrival_);
            next_arrival_ = block.arrival + sm_.block_interval;
            arrived_.push_back(0);
            left_.push_back(block.warp_count);
            for (std::uint32_t w = block.first_warp; w < block.first_warp + block.warp_count; ++w) {
                ScheduledWarp& warp = made_.warps[w];
                warp.warp_record = w;
                warp.block = static_cast<std::uint32_t>(next_block_);
                warp.arrival = block.arrival;
                Resident& resident = residents_[w];
                resident.index = w;
                resident.reached = warp.arrival;
                const WarpSteps steps(trace_, recorded_, trace_.warps[w]);
                resident.sites.reserve(steps.size());
                steps.for_each(0, steps.size(),
                               [&](const Step& step) { resident.sites.push_back(step.site); });
                resident.be(WarpState::no_instruction, warp.arrival + resident.waiting, no_index);
                at(resident.reached, resident);
            }
            ++next_block_;
            ++resident_now_;
            made_.resident_blocks = std::max(made_.resident_blocks, resident_now_);
        }
    }

    bool take_slots(const ScheduledBlock& block) {
        auto slots = slots_;
        for (std::uint32_t w = 0; w < block.warp_count; ++w) {
            auto& mine = slots[w % slots.size()];
            auto slot = std::ranges::find(mine, false);
            if (slot == mine.end()) {
                if (resident_now_ > 0) return false;
                slot = mine.insert(mine.end(), false);
            }
            *slot = true;
            ScheduledWarp& warp = made_.warps[block.first_warp + w];
            warp.scheduler = static_cast<std::uint16_t>(w % slots.size());
            warp.slot = static_cast<std::uint16_t>(slot - mine.begin());
            made_.slots_per_scheduler = std::max(made_.slots_per_scheduler, warp.slot + 1);
        }
        slots_ = std::move(slots);
        return true;
    }

    /// `warp` waits for nothing of its own: it issues, or returns what else it waits for.
    void turn(Resident& warp, std::uint32_t cycle) {
        if (warp.next >= warp.sites.size()) return leave(warp, cycle);
        const std::uint16_t scheduler = made_.warps[warp.index].scheduler;
        const Site& site = trace_.program.sites[warp.sites[warp.next]];
        const Rule rule = rule_of(site, (std::uint64_t{warp.index} << 32) + warp.next);
        if (rule.unit != no_unit && units_[scheduler][rule.unit] > cycle) {
            warp.be(unit_busy[rule.unit], units_[scheduler][rule.unit], no_index);
            return at(warp.reached, warp);
        }
        if (free_[scheduler] > cycle) {
            warp.be(WarpState::not_selected, cycle + 1, no_index);
            return at(warp.reached, warp);
        }
        warp.be(WarpState::selected, cycle + 1, no_index);
        free_[scheduler] = cycle + 1;
        if (rule.unit != no_unit) units_[scheduler][rule.unit] = cycle + rule.unit_taken;
        const std::uint32_t step = warp.next++;
        if (site.kind == SiteKind::memory && site.space != Space::param) fly(warp, site, step, cycle, rule);
        if (site.kind == SiteKind::barrier) return arrive(warp, warp.sites[step], step, cycle, rule.latency);
        if (warp.next < warp.sites.size()) warp.be(rule.next_waits, cycle + rule.latency, step);
        at(warp.reached, warp);
    }

    void fly(Resident& warp, const Site& site, std::uint32_t step, std::uint32_t cycle, const Rule& rule) {
        const SiteId id = warp.sites[step];
        const bool store = site.operation == Operation::store;
        ServedBy by = ServedBy::shared;
        if (site.space != Space::shared)
            by = store ? ServedBy::l2 : served((std::uint64_t{warp.index} << 32) + step).first;
        const std::uint32_t returned = cycle + (store ? 30 : rule.latency);
        if (store) warp.writes = std::max(warp.writes, returned);
        warp.flights.push_back({step, Flight::pack(id, by), cycle, returned});
    }

    void arrive(Resident& warp, SiteId site, std::uint32_t step, std::uint32_t cycle, std::uint32_t latency) {
        const std::uint32_t block = made_.warps[warp.index].block;
        warp.cause = step;
        barrier_site_ = site;
        if (++arrived_[block] == left_[block]) release(block, cycle + latency);
    }

    /// All warps of the block that have not ended stand at its barrier.
    void release(std::uint32_t block, std::uint32_t cycle) {
        arrived_[block] = 0;
        made_.barriers.push_back({cycle, block, barrier_site_});
        const ScheduledBlock& of = made_.blocks[block];
        for (std::uint32_t w = of.first_warp; w < of.first_warp + of.warp_count; ++w) {
            Resident& waiting = residents_[w];
            if (waiting.cause == no_index) continue;
            waiting.be(WarpState::barrier, cycle, std::exchange(waiting.cause, no_index));
            at(waiting.reached, waiting);
        }
    }

    void leave(Resident& warp, std::uint32_t cycle) {
        if (warp.writes > cycle) {
            warp.be(WarpState::drain, warp.writes, no_index);
            return at(warp.reached, warp);
        }
        ScheduledWarp& scheduled = made_.warps[warp.index];
        scheduled.departure = cycle;
        slots_[scheduled.scheduler][scheduled.slot] = false;
        std::vector<SiteId>().swap(warp.sites);
        if (--left_[scheduled.block] > 0) {
            if (arrived_[scheduled.block] == left_[scheduled.block]) release(scheduled.block, cycle + 1);
            return;
        }
        made_.blocks[scheduled.block].departure = cycle;
        --resident_now_;
        admit(cycle);
    }

    void gather() {
        std::size_t spans = 0, flights = 0;
        for (const Resident& warp : residents_) {
            spans += warp.spans.size();
            flights += warp.flights.size();
        }
        made_.spans.reserve(spans);
        made_.flights.reserve(flights);
        ScheduleTotals& totals = made_.totals;
        for (std::size_t w = 0; w < residents_.size(); ++w) {
            Resident& from = residents_[w];
            ScheduledWarp& warp = made_.warps[w];
            warp.spans_begin = made_.spans.size();
            made_.spans.insert(made_.spans.end(), from.spans.begin(), from.spans.end());
            warp.spans_end = made_.spans.size();
            warp.flights_begin = made_.flights.size();
            made_.flights.insert(made_.flights.end(), from.flights.begin(), from.flights.end());
            warp.flights_end = made_.flights.size();
            from = {};
            totals.cycles = std::max<std::uint64_t>(totals.cycles, warp.departure);
            totals.warp_cycles += warp.departure - warp.arrival;
            for (const StateSpan& span : spans_of(made_, warp))
                totals.states[span.state()] += end_of(made_, warp, span) - span.begin;
        }
        std::ranges::sort(made_.barriers, {}, &BarrierRelease::cycle);
        totals.issue_slots = totals.cycles * static_cast<std::uint64_t>(made_.schedulers);
        totals.issued = totals.states[WarpState::selected];
        totals.eligible_cycles = totals.issued + totals.states[WarpState::not_selected];
        made_.launch.sm_cycles = made_.launch.cycles = static_cast<double>(totals.cycles);
        made_.launch.blocks_on_sm = made_.launch.blocks_modelled = made_.blocks.size();
    }

    const Trace& trace_;
    ExampleSm sm_;
    RecordedSites recorded_;
    Schedule made_;
    std::vector<Resident> residents_;                  // one per warp of the trace
    std::vector<std::uint32_t> free_;                  // cycle from which a scheduler may issue
    std::vector<std::array<std::uint32_t, 3>> units_;  // cycle from which a scheduler's units are free
    std::vector<std::vector<bool>> slots_;             // of each scheduler: taken
    std::vector<std::uint32_t> arrived_, left_;        // warps of each block: at its barrier, not yet gone
    SiteId barrier_site_ = 0;                          // of the last arrival
    std::size_t next_block_ = 0;
    std::uint32_t next_arrival_ = 0;
    int resident_now_ = 0;
    std::uint64_t order_ = 0;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace

Schedule make_example_schedule(const Trace& trace, const ExampleSm& sm) {
    return ExampleRun(trace, sm).run();
}

ExampleShape shape_for_spans(std::uint64_t spans) {
    constexpr std::uint64_t blocks = 128, warps = 8;
    // At least two spans per step, an issue and a wait; this many steps per round.
    constexpr std::uint64_t steps_per_round = 16;
    const std::uint64_t per_round = blocks * warps * steps_per_round * 2;
    return {blocks, warps * 32, static_cast<std::uint32_t>(spans / per_round + 1)};
}

}  // namespace warplens::trace
