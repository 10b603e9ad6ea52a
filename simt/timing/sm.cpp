#include "simt/timing/sm.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warplens::simt {

Sm::Sm(const trace::Trace& trace, const LaunchPlan& plan, const MachineProgram& code, const SmTiming& timing,
       const TimingOptions& options, const RequestTable& requests, MemorySystem& memory, PollingLoops& polls,
       ScheduleLog& log)
    : trace_(trace),
      plan_(plan),
      code_(code),
      timing_(timing),
      options_(options),
      requests_(requests),
      memory_(memory),
      constants_(timing, options.data_in_l2),
      indexed_constants_(timing, options.data_in_l2),
      polls_(polls),
      log_(log),
      recorded_sites_(trace.program) {
    for (int i = 0; i < plan.schedulers; ++i)
        schedulers_.push_back({{}, nullptr, 0, Pipes(timing), {}, 0, never});
    openings_.resize(static_cast<std::size_t>(plan.resident_blocks), 0);
}

Status Sm::run(const Limits& limits) {
    std::uint32_t rounds = 0;
    while (true) {
        admit_blocks();
        std::uint32_t next = never;
        for (Scheduler& scheduler : schedulers_) {
            if (scheduler.next <= now_) step(scheduler);
        }
        for (const Scheduler& scheduler : schedulers_) next = std::min(next, scheduler.next);
        if (next_block_ < plan_.blocks.size() && !openings_.empty())
            next = std::min(next, std::max({next_admission_, openings_.front(), now_ + 1}));
        if (next == never) {
            if (resident_blocks_ == 0) return {};
            if (!break_deadlock())
                return fail("{}: the timing model deadlocked at cycle {}", trace_.launch.kernel, now_);
            continue;
        }
        now_ = std::max(now_ + 1, next);
        if (now_ > limits.max_cycles)
            return fail(
                "{}: one SM would be busy for more than {} cycles, which is more than the timing model "
                "follows",
                trace_.launch.kernel, limits.max_cycles);
        if ((++rounds & 0xfff) == 0 && limits.cancelled && limits.cancelled())
            return fail("the run was cancelled");
    }
}

void Sm::admit_blocks() {
    while (next_block_ < plan_.blocks.size() && !openings_.empty() &&
           std::max(openings_.front(), next_admission_) <= now_) {
        openings_.pop_front();
        admit(plan_.blocks[next_block_++]);
        const double warps = plan_.warps_per_block;
        next_admission_ = now_ + std::max(static_cast<std::uint32_t>(timing_.block_launch_interval),
                                          whole_cycle(warps * timing_.block_launch_cycles_per_warp));
    }
}

void Sm::admit(const LaunchPlan::Block& planned) {
    auto block = std::make_unique<Block>();
    const std::uint32_t first = log_.arrive(planned.block, planned.first_warp, planned.warp_count, now_);
    block->number = log_.block_of(first);
    block->warps_left = block->resident = planned.warp_count;
    ++resident_blocks_;
    std::shared_ptr<const ThreadsByBasicBlock> full_warps;
    if (options_.full_warps)
        full_warps = std::make_shared<ThreadsByBasicBlock>(
            threads_by_basic_block(trace_, planned.first_warp, planned.warp_count));
    const auto block_index = static_cast<std::uint32_t>(blocks_.size());
    // Blocks that arrive meanwhile wait for the first one's code; those that replace others find it.
    const bool replaces = next_block_ > static_cast<std::size_t>(plan_.resident_blocks);
    const std::uint32_t fetched =
        now_ + (replaces ? 0 : static_cast<std::uint32_t>(timing_.instruction_fetch));
    if (next_block_ == 1)
        code_there_ = fetched + static_cast<std::uint32_t>(options_.data_in_l2 ? 0 : timing_.cold_fetch);
    blocks_.push_back(std::move(block));
    for (std::uint32_t i = 0; i < planned.warp_count; ++i) {
        Scheduler* const to = &scheduler_for_new_warp(block_index);
        auto slot = std::find(to->slots.begin(), to->slots.end(), nullptr);
        if (slot == to->slots.end()) slot = to->slots.insert(to->slots.end(), nullptr);

        const std::uint32_t record = planned.first_warp + i;
        auto warp = std::make_unique<WarpContext>(
            WarpContext{FrontEnd(trace_, recorded_sites_, code_, polls_, trace_.warps[record], full_warps)});
        warp->number = first + i;
        warp->record = record;
        warp->block = block_index;
        warp->arrival = now_;
        warp->scheduler = static_cast<int>(to - schedulers_.data());
        warp->registers.resize(code_.register_count);
        const auto in_turn = i * static_cast<std::uint32_t>(timing_.warp_start_interval);
        warp->hold = {std::max(fetched, code_there_) + in_turn, no_index, WarpState::no_instruction};
        warp->wake = warp->turn = now_;
        log_.place(warp->number, warp->scheduler, static_cast<int>(slot - to->slots.begin()));
        if (warp->front.op() == nullptr) end_of_code(*warp);
        *slot = warp.get();
        to->next = std::min(to->next, now_);
        warps_.push_back(std::move(warp));
    }
}

/// The one that has fewest warps. Of several the next one, counted for each block from another: the first
/// warp of a block goes one further than that of the block before (%warpid of the H200's recordings: 98 % of
/// 267,000 pairs of blocks).
Sm::Scheduler& Sm::scheduler_for_new_warp(std::uint32_t block_index) {
    const auto load = [](const Scheduler& each) {
        return std::ranges::count_if(each.slots, [](auto* warp) { return warp != nullptr; });
    };
    Scheduler* fewest = nullptr;
    for (std::size_t i = 0; i < schedulers_.size(); ++i) {
        Scheduler& next = schedulers_[(block_index + i) % schedulers_.size()];
        if (fewest == nullptr || load(next) < load(*fewest)) fewest = &next;
    }
    return *fewest;
}

template <class Wait>
void Sm::wait_for_operands(const WarpContext& warp, const MachineOp& op, Wait&& wait_for) const {
    if (code_.has_control_fields) {
        for (std::size_t i = 0; i < scoreboard_count; ++i) {
            if ((op.control.wait_mask >> i & 1u) == 0) continue;
            const PendingResult last = warp.scoreboards[i].wait(0);
            wait_for(last.ready, last.state, last.cause);
        }
        return;
    }
    const auto late =
        static_cast<std::uint32_t>(op.kind == MachineKind::branch ? timing_.branch_operand_latency : 0);
    for (const std::uint16_t source : code_.sources(op)) {
        const PendingResult& state = warp.registers[source];
        if (state.ready > 0) wait_for(state.ready + late, state.state, state.cause);
    }
    for (const std::uint16_t result : code_.results(op)) {
        const PendingResult& state = warp.registers[result];
        if (state.state != WarpState::wait) wait_for(state.ready, state.state, state.cause);
    }
}

Sm::Verdict Sm::judge(WarpContext& warp, const Scheduler& scheduler) {
    if (warp.draining) {
        // The profiler's samples behind EXIT: its stall count, then as long as after a branch, then the
        // writes.
        const auto ends = [&](std::uint32_t until, WarpState state) {
            return Verdict{until, {state, warp.last_site, warp.last_step, warp.last_step}};
        };
        if (warp.stalled_until > now_) return ends(warp.stalled_until, WarpState::wait);
        if (warp.hold.until > now_) return ends(warp.hold.until, WarpState::branch_resolving);
        const std::uint32_t left = std::max(warp.stores_left, now_);
        const std::uint32_t cause = warp.last_to_leave != no_index ? warp.last_to_leave : warp.last_step;
        return {left, {WarpState::drain, warp.last_site, warp.last_step, cause}};
    }
    const MachineOp& op = *warp.front.op();
    Verdict verdict{now_, {WarpState::not_selected, op.site, warp.front.step(), no_index}};
    const auto wait_for = [&](std::uint32_t until, WarpState state, std::uint32_t cause) {
        if (until <= verdict.until) return;
        verdict.until = until;
        verdict.condition.state = state;
        verdict.condition.cause = cause;
    };
    if (!warp.has_operands) {
        if (warp.at_barrier && !op.passes_barriers) {
            wait_for(never, WarpState::barrier, warp.barrier_step);
            return verdict;
        }
        if (!op.passes_barriers) wait_for(warp.barrier_opens, WarpState::barrier, warp.barrier_step);
        if (code_.has_control_fields && warp.stalled_until > now_) {
            // The profiler names the stall count before anything else that the warp may also wait for.
            wait_for(warp.stalled_until, WarpState::wait, warp.last_step);
            return verdict;
        }
        wait_for(warp.hold.until, warp.hold.state, warp.hold.cause);
        wait_for_operands(warp, op, wait_for);
        if (op.kind == MachineKind::copy_wait)
            wait_for(warp.copies_wait(op.groups_left), WarpState::long_scoreboard, no_index);
        if (op.kind == MachineKind::fence) wait_for(warp.writes_visible, WarpState::membar, no_index);
        if (verdict.until > now_) {
            if (code_.has_control_fields && verdict.until != never &&
                verdict.condition.state != WarpState::branch_resolving)
                warp.turn = now_;
            return verdict;
        }
        warp.has_operands = true;
    }
    if (op.constant != no_constant && op.kind == MachineKind::arithmetic)
        wait_for(constants_.fetch(op.constant, now_), WarpState::imc_miss, no_index);

    if (op.looks_up) {
        if (!op.thread_index)
            wait_for(whole_cycle(memory_.mio_room(warp.scheduler)), WarpState::mio_throttle, no_index);
    } else if (op.pipe == Pipe::mio) {
        wait_for(std::max(warp.mio_ready, whole_cycle(memory_.mio_room(warp.scheduler))),
                 WarpState::mio_throttle, op.kind == MachineKind::variable ? warp.last_shared : no_index);
    } else if (op.pipe == Pipe::lsu) {
        // Loads and stores leave the scheduler through the queue of the MIO, too.
        wait_for(whole_cycle(memory_.mio_room(warp.scheduler)), WarpState::mio_throttle, no_index);
        wait_for(std::max(warp.lsu_ready, whole_cycle(memory_.lsu_room(warp.scheduler))),
                 WarpState::lg_throttle, memory_.writes_hold(now_) ? warp.held_by() : no_index);
    } else if (op.pipe != Pipe::none) {
        // The profiler counts the XU among what is behind the MIO.
        const auto state = op.pipe == Pipe::xu ? WarpState::mio_throttle : WarpState::math_pipe_throttle;
        wait_for(scheduler.pipes.free_at(op.pipe), state, no_index);
    }
    if (verdict.until <= now_) wait_for(scheduler.dispatch, WarpState::no_instruction, no_index);
    return verdict;
}

void Sm::step(Scheduler& scheduler) {
    eligible_.clear();
    for (WarpContext*& slot : scheduler.slots) {
        if (slot == nullptr || slot->wake > now_) continue;
        const Verdict verdict = judge(*slot, scheduler);
        if (verdict.until > now_) {
            log_.enter(slot->number, now_, verdict.condition);
            slot->wake = verdict.until;
        } else if (slot->draining) {
            WarpContext& warp = *slot;
            slot = nullptr;
            depart(warp);
        } else {
            slot->wake = now_ + 1;
            eligible_.push_back(slot);
        }
    }
    if (!eligible_.empty()) {
        WarpContext* chosen = choose(scheduler, eligible_);
        // The instruction before still reads its registers, or this one's are late: the profiler names that
        // for every ready warp.
        bool held = std::max(scheduler.registers.free_at(), scheduler.kept) > now_;
        if (const MachineOp& op = *chosen->front.op(); !held) {
            scheduler.kept = now_ + chosen->products.keeps(op, now_);
            held = scheduler.kept > now_;
        }
        for (WarpContext* warp : eligible_) {
            const MachineOp& op = *warp->front.op();
            const WarpState state = held             ? WarpState::dispatch_stall
                                    : warp == chosen ? WarpState::selected
                                                     : WarpState::not_selected;
            log_.enter(warp->number, now_, {state, op.site, warp->front.step(), no_index});
        }
        if (!held) issue(*chosen, scheduler);
        scheduler.next = now_ + 1;  // each of them is checked again
        return;
    }
    scheduler.next = never;
    for (const WarpContext* warp : scheduler.slots) {
        if (warp != nullptr) scheduler.next = std::min(scheduler.next, std::max(warp->wake, now_ + 1));
    }
}

WarpContext* Sm::choose(Scheduler& scheduler, const std::vector<WarpContext*>& eligible) const {
    const auto oldest = [&] {
        return *std::min_element(
            eligible.begin(), eligible.end(),
            [](const WarpContext* a, const WarpContext* b) { return a->number < b->number; });
    };
    WarpContext* chosen = nullptr;
    const bool last_is_eligible =
        !scheduler.yields && std::find(eligible.begin(), eligible.end(), scheduler.last) != eligible.end();
    switch (options_.policy) {
        case SchedulerPolicy::oldest_block:
            // Blocks are numbered in the order of their arrival. A warp that has not yielded keeps its turn
            // while a short stall count lasts.
            chosen =
                last_is_eligible
                    ? scheduler.last
                    : *std::min_element(eligible.begin(), eligible.end(),
                                        [](const WarpContext* a, const WarpContext* b) {
                                            return std::tuple(a->block, a->turn, a->last_issue, b->number) <
                                                   std::tuple(b->block, b->turn, b->last_issue, a->number);
                                        });
            break;
        case SchedulerPolicy::greedy_then_oldest:
            chosen = last_is_eligible ? scheduler.last : oldest();
            break;
        case SchedulerPolicy::oldest_first:
            chosen = oldest();
            break;
        case SchedulerPolicy::round_robin: {
            const std::size_t slots = scheduler.slots.size();
            for (std::size_t i = 1; i <= slots && chosen == nullptr; ++i) {
                WarpContext* next = scheduler.slots[(scheduler.last_slot + i) % slots];
                if (std::find(eligible.begin(), eligible.end(), next) != eligible.end()) chosen = next;
            }
            scheduler.last_slot = static_cast<std::size_t>(
                std::find(scheduler.slots.begin(), scheduler.slots.end(), chosen) - scheduler.slots.begin());
            break;
        }
    }
    scheduler.last = chosen;
    return chosen;
}

void Sm::depart(WarpContext& warp) {
    log_.depart(warp.number, now_);
    for (Scheduler& scheduler : schedulers_) {
        if (scheduler.last == &warp) scheduler.last = nullptr;
    }
    Block& block = *blocks_[warp.block];
    if (--block.resident == 0) {
        --resident_blocks_;
        memory_.end_first_wave();
        // The GPU retires blocks of all SMs one by one, so the interval is multiplied by the SMs.
        retired_ = retirement_.take(now_, timing_.retire_interval * plan_.active_sms);
        openings_.push_back(whole_cycle(retired_ + timing_.block_replacement));
        blocks_[warp.block].reset();
    }
    const auto at =
        std::find_if(warps_.begin(), warps_.end(), [&](const auto& each) { return each.get() == &warp; });
    at->swap(warps_.back());
    warps_.pop_back();
}

bool Sm::break_deadlock() {
    bool any = false;
    for (auto& block : blocks_) {
        if (block == nullptr) continue;
        for (int barrier = 0; barrier < barriers_per_block; ++barrier) {
            const auto release = block->barriers.force(BarrierId::clamped(barrier), now_ + 1);
            if (!release.released) continue;
            any = true;
            ++forced_barriers_;
            open(release, *block);
        }
    }
    return any;
}

}  // namespace warplens::simt
