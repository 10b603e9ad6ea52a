// The effects of an issued operation on its warp and the SM.
#include <algorithm>
#include <cmath>

#include "analysis/memory/banks.h"
#include "simt/timing/sm.h"

namespace warplens::simt {
namespace {

/// The state of a warp that waits for data of this space.
WarpState waiting_for(Space space) {
    return space == Space::global || space == Space::local ? WarpState::long_scoreboard
                                                           : WarpState::short_scoreboard;
}

}  // namespace

void Sm::issue(WarpContext& warp, Scheduler& scheduler) {
    const MachineOp op = *warp.front.op();
    const std::uint32_t step = warp.front.step();
    warp.last_site = op.site;
    warp.last_step = step;
    warp.last_issue = now_;
    Pipes::Taken taken{op.pipe, now_, now_ + 1};
    leaves_queue_ = now_ + 1;
    if (op.pipe != Pipe::mio && op.pipe != Pipe::lsu && op.pipe != Pipe::none)
        taken = scheduler.pipes.take(op.pipe, now_);
    if (op.pipe == Pipe::mio && !op.looks_up)
        warp.mio_ready = now_ + static_cast<std::uint32_t>(timing_.mio_warp_interval);
    if (op.pipe == Pipe::lsu) warp.lsu_ready = now_ + static_cast<std::uint32_t>(timing_.lsu_warp_interval);
    scheduler.registers.read(op.reads, warp.number, now_);
    if (op.product.count > 0) warp.products.issued(op.product.first, op.product.count, now_);
    warp.wake = now_ + 1;
    warp.has_operands = false;
    if (op.kind == MachineKind::branch && warp.front.jumps())
        scheduler.dispatch = now_ + static_cast<std::uint32_t>(timing_.branch_dispatch);
    warp.stalled_until = now_ + op.control.stall;
    scheduler.yields = op.control.yield;
    if (op.control.yield || !code_.has_control_fields) warp.turn = now_;
    PendingResult result = perform(warp, op, step);
    result.ready += taken.begin - now_;
    write_results(warp, op, result);
    if (op.pipe == Pipe::mio || op.pipe == Pipe::lsu) taken.free = leaves_queue_;
    log_.issue(warp.number,
               {now_, trace::Issue::pack(op.site, taken.unit), taken.free, std::max(result.ready, now_ + 1)});
    warp.front.advance();
    if (warp.front.op() == nullptr) end_of_code(warp);
}

PendingResult Sm::exchange(WarpContext& warp, std::uint32_t step, int latency) {
    const Journey journey = memory_.exchange({warp.scheduler, warp.wavefronts}, now_, latency);
    leaves_queue_ = std::max(whole_cycle(journey.leaves_queue), now_ + 1);
    // If its queueing time exceeds its latency, the wait is for the operations ahead of it.
    const bool queued = journey.leaves_queue - now_ > latency && warp.last_shared != no_index;
    return {whole_cycle(journey.returns), queued ? warp.last_shared : step, WarpState::short_scoreboard};
}

PendingResult Sm::look_up(const WarpContext& warp, const MachineOp& op, std::uint32_t step,
                          std::uint32_t latency) {
    const bool constant = op.constant != no_constant;
    const double ready = constant ? indexed_constants_.fetch(op.constant, now_) : 0;
    const LookUps::Times times =
        op.thread_index ? memory_.thread_index(now_) : memory_.look_up(warp.scheduler, now_, ready);
    leaves_queue_ = std::max(whole_cycle(times.leaves_queue), now_ + 1);
    PendingResult result{whole_cycle(times.served + latency), step, WarpState::short_scoreboard};
    if (constant) serve_words(warp, result);
    return result;
}

void Sm::serve_words(const WarpContext& warp, PendingResult& result) {
    const trace::SiteRecords records = warp.front.records();
    for (std::uint32_t i = 0; i < records.access_count; ++i) {
        const RequestCost& cost = requests_.cost(warp.record, records.access + i);
        result.ready = std::max(result.ready, whole_cycle(memory_.constant(now_, cost).returns));
    }
}

PendingResult Sm::perform(WarpContext& warp, const MachineOp& op, std::uint32_t step) {
    const std::uint32_t latency = op.latency != 0 ? op.latency : timing_[op.pipe].latency;
    PendingResult result{now_ + latency, step, WarpState::wait};
    switch (op.kind) {
        case MachineKind::arithmetic:
        case MachineKind::fence:
        case MachineKind::copy_wait:
        case MachineKind::exit:
            break;
        case MachineKind::scoreboard_wait:
            // It issues, and what is behind it waits.
            if (op.awaited < scoreboard_count) {
                const PendingResult last = warp.scoreboards[op.awaited].wait(op.left_over);
                warp.hold = {last.ready, last.cause, last.state};
            }
            break;
        case MachineKind::variable:
            if (op.looks_up) return look_up(warp, op, step, latency);
            if (op.pipe == Pipe::mio) return exchange(warp, step, static_cast<int>(latency));
            result.state = WarpState::short_scoreboard;
            break;
        case MachineKind::load:
        case MachineKind::store:
        case MachineKind::atomic:
        case MachineKind::reduction:
        case MachineKind::copy:
            return access(warp, op, step);
        case MachineKind::branch:
            if (warp.front.jumps())
                warp.hold = {now_ + static_cast<std::uint32_t>(timing_.branch_latency), step,
                             WarpState::branch_resolving};
            break;
        case MachineKind::reconvergence:
            // As behind a branch, once the stall count has ended.
            warp.hold = {code_.has_control_fields
                             ? warp.stalled_until + static_cast<std::uint32_t>(timing_.branch_latency)
                             : now_ + latency,
                         step, WarpState::branch_resolving};
            break;
        case MachineKind::block_barrier:
            arrive_at_barrier(warp, op, step, !warp.front.others_follow());
            break;
        case MachineKind::barrier_arrive:
            arrive_at_barrier(warp, op, step, false);
            break;
        case MachineKind::copy_commit:
            warp.groups_done.push_back(warp.copies_done);
            result = {std::max(warp.copies_done, now_ + 1), step, WarpState::long_scoreboard};
            break;
        case MachineKind::sleep:
            warp.hold = {now_ + std::max<std::uint32_t>(latency, 1), step, WarpState::sleeping};
            break;
    }
    return result;
}

PendingResult Sm::access(WarpContext& warp, const MachineOp& op, std::uint32_t step) {
    const trace::SiteRecords records = warp.front.records();
    if (records.access == trace::no_access || records.access_count == 0) {
        if (op.pipe != Pipe::mio) return {now_ + 4u, step, WarpState::wait};
        // No lane takes part, but the instruction goes its way behind those before it.
        const Journey journey = memory_.shared_without_lanes(warp.scheduler, now_);
        leaves_queue_ = std::max(whole_cycle(journey.leaves_queue), now_ + 1);
        return {whole_cycle(journey.returns), step, WarpState::short_scoreboard};
    }
    const bool returns_value = op.kind == MachineKind::load || op.kind == MachineKind::atomic;
    Journey journey;
    Space space = Space::none;
    for (std::uint32_t i = 0; i < records.access_count; ++i) {
        const RequestCost& cost = requests_.cost(warp.record, records.access + i);
        Journey part;
        if (cost.space == Space::shared && op.merged > 0) {
            part = memory_.shared({warp.scheduler, warp.wavefronts}, now_,
                                  merged_wavefronts(warp, op, records.access));
        } else if (cost.space == Space::shared) {
            part = memory_.shared({warp.scheduler, warp.wavefronts}, now_, cost, op.counts_lanes);
        } else if (cost.space == Space::constant || cost.space == Space::param) {
            part = memory_.constant(now_, cost);
        } else {
            part = memory_.global(warp.scheduler, now_, cost, returns_value);
        }
        if (i == 0 || part.returns > journey.returns) {
            space = cost.space;
            journey.by = part.by;
        }
        leaves_queue_ = std::max(leaves_queue_, whole_cycle(part.leaves_queue));
        journey.returns = std::max(journey.returns, part.returns);
        journey.visible = std::max(journey.visible, part.visible);
        journey.behind_writes = std::max(journey.behind_writes, part.behind_writes);
        journey.repeated = part.repeated && (i == 0 || journey.repeated);
    }
    if (space == Space::shared) warp.last_shared = step;
    log_.flight(warp.number, {step, trace::Flight::pack(op.site, journey.by), now_,
                              std::max(whole_cycle(journey.returns), now_ + 1)});
    if (journey.repeated) log_.repeated_load(whole_cycle(journey.returns) - now_);
    switch (op.kind) {
        case MachineKind::load:
        case MachineKind::atomic:
            break;
        case MachineKind::copy:
            warp.copies_done = std::max(warp.copies_done, whole_cycle(journey.returns));
            break;
        default:
            if (whole_cycle(journey.returns) >= warp.stores_left) {
                warp.stores_left = whole_cycle(journey.returns);
                warp.last_to_leave = step;
            }
    }
    if (op.kind != MachineKind::load)
        warp.writes_visible = std::max(warp.writes_visible, whole_cycle(journey.visible));
    // If it stands behind writes for longer than its own way takes, the wait is for them.
    const bool held = journey.behind_writes > journey.returns - now_ - journey.behind_writes;
    const std::uint32_t write = held ? warp.held_by() : no_index;
    const std::uint32_t cause = write != no_index ? write : step;
    const bool writes =
        op.kind == MachineKind::store || op.kind == MachineKind::atomic || op.kind == MachineKind::reduction;
    if (writes && waiting_for(space) == WarpState::long_scoreboard) warp.last_write = step;
    return {whole_cycle(journey.returns), cause, waiting_for(space)};
}

int Sm::merged_wavefronts(const WarpContext& warp, const MachineOp& op, std::uint64_t first) const {
    const trace::AccessRecord& record = trace_.accesses[first];
    trace::Addresses addresses = trace::addresses_of(trace_, record);
    std::uint32_t bytes = trace_.program.sites[record.site].bytes_per_lane;
    for (std::uint32_t i = 0; i < op.merged; ++i) {
        const auto other = warp.front.records_of(code_.merged_records[op.merged_begin + i]);
        if (other.access == trace::no_access) continue;
        const trace::AccessRecord& next = trace_.accesses[other.access];
        const trace::Addresses theirs = trace::addresses_of(trace_, next);
        for_each_lane(record.mask & next.mask, [&](int lane) {
            auto& mine = addresses[static_cast<std::size_t>(lane)];
            mine = std::min(mine, theirs[static_cast<std::size_t>(lane)]);
        });
        bytes += trace_.program.sites[next.site].bytes_per_lane;
    }
    const trace::Access access{record.site, record.mask, record.space, trace::operation_of(trace_, record),
                               bytes,       &addresses};
    const auto count = analysis::count_wavefronts(access);
    return static_cast<int>(options_.no_bank_conflicts ? count.ideal_wavefronts : count.wavefronts);
}

void Sm::write_results(WarpContext& warp, const MachineOp& op, const PendingResult& result) {
    if (!code_.has_control_fields) {
        for (const std::uint16_t written : code_.results(op)) warp.registers[written] = result;
        return;
    }
    PendingResult released = result;
    if (released.state == WarpState::wait)
        released.state = op.pipe == Pipe::lsu ? WarpState::long_scoreboard : WarpState::short_scoreboard;
    if (op.control.write_scoreboard < scoreboard_count)
        warp.scoreboards[op.control.write_scoreboard].add(released, now_);
    // What waits in a queue reads its registers when it leaves.
    released.ready =
        std::max(leaves_queue_ - 1, now_) + static_cast<std::uint32_t>(timing_.operand_read_latency);
    if (op.control.read_scoreboard < scoreboard_count)
        warp.scoreboards[op.control.read_scoreboard].add(released, now_);
}

void Sm::arrive_at_barrier(WarpContext& warp, const MachineOp& op, std::uint32_t step, bool waits) {
    Block& block = *blocks_[warp.block];
    if (op.kind == MachineKind::block_barrier && !waits) return;  // the warp's other lanes have yet to arrive
    const std::uint32_t expected = op.barrier_warps != 0 ? op.barrier_warps : block.warps_left;
    if (waits) {
        warp.at_barrier = true;
        warp.barrier_step = step;
    }
    open(block.barriers.arrive(op.barrier, now_, warp.number, waits, expected, op.site,
                               timing_.barrier_cycles_per_warp, timing_.barrier_latency),
         block);
}

void Sm::open(const BlockBarriers::Release& release, Block& block) {
    if (!release.released) return;
    const std::uint32_t cycle = std::max(release.cycle, now_ + 1);
    log_.barrier(block.number, cycle, release.site);
    for (auto& warp : warps_) {
        if (!warp->at_barrier || blocks_[warp->block].get() != &block) continue;
        if (std::find(release.warps.begin(), release.warps.end(), warp->number) == release.warps.end())
            continue;
        warp->at_barrier = false;
        warp->barrier_opens = cycle;
        // The reason of the wait is known now; check again to report it from the next cycle on.
        warp->wake = std::min(warp->wake, now_ + 1);
        auto& scheduler = schedulers_[static_cast<std::size_t>(warp->scheduler)];
        scheduler.next = std::min(scheduler.next, now_ + 1);
    }
}

void Sm::end_of_code(WarpContext& warp) {
    warp.draining = true;
    warp.wake = now_ + 1;
    warp.hold.until = warp.stalled_until + static_cast<std::uint32_t>(timing_.branch_latency);
    Block& block = *blocks_[warp.block];
    --block.warps_left;
    for (int barrier = 0; barrier < barriers_per_block; ++barrier)
        open(block.barriers.recheck(BarrierId::clamped(barrier), std::max(block.warps_left, 1u),
                                    timing_.barrier_latency),
             block);
}

}  // namespace warplens::simt
