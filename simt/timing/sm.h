// Sm: one streaming multiprocessor, cycle by cycle. Blocks arrive while there is room, their warps are
// distributed to the schedulers, each scheduler issues one machine operation per cycle from its eligible
// warps, and every warp that does not issue has a stall reason. Cycles without events are skipped.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "simt/timing/block_barriers.h"
#include "simt/timing/constant_cache.h"
#include "simt/timing/launch_plan.h"
#include "simt/timing/machine_code.h"
#include "simt/timing/memory_system.h"
#include "simt/timing/pipes.h"
#include "simt/timing/register_ports.h"
#include "simt/timing/schedule_log.h"
#include "simt/timing/warp_context.h"

namespace warplens::simt {

class Sm {
  public:
    struct Limits {
        std::uint64_t max_cycles = 0;
        std::function<bool()> cancelled;
    };
    Sm(const trace::Trace& trace, const LaunchPlan& plan, const MachineProgram& code, const SmTiming& timing,
       const TimingOptions& options, const RequestTable& requests, MemorySystem& memory, PollingLoops& polls,
       ScheduleLog& log);

    /// Runs all blocks of the plan. Fails with a message if cancelled or past the limit.
    Status run(const Limits& limits);

    /// Cycles from the last block's departure until the GPU, which retires blocks one by one, has retired it.
    double retirement_lag() const { return retired_ - double(now_) > 0 ? retired_ - double(now_) : 0; }

    /// Barriers that no warp could have opened and that were forced open.
    std::uint64_t forced_barriers() const { return forced_barriers_; }

  private:
    struct Block {
        std::uint32_t number = 0;      // in the ScheduleLog
        std::uint32_t warps_left = 0;  // warps that have not issued their last instruction
        std::uint32_t resident = 0;    // warps that have not departed
        BlockBarriers barriers;
    };
    struct Scheduler {
        std::vector<WarpContext*> slots;  // nullptr: free
        WarpContext* last = nullptr;      // the warp that issued last
        std::size_t last_slot = 0;        // likewise, of round_robin
        Pipes pipes;
        RegisterPorts registers{};
        std::uint32_t dispatch = 0;  // cycle from which it can issue again
        std::uint32_t next = never;  // cycle at which a warp must be checked again
        bool yields = false;         // what issued last asks for another warp
        std::uint32_t kept = 0;      // cycle until which it keeps an instruction, for a late product
    };
    struct Verdict {
        std::uint32_t until = 0;  // eligible if not in the future
        WarpCondition condition;
    };

    void admit_blocks();
    void admit(const LaunchPlan::Block& block);
    Scheduler& scheduler_for_new_warp(std::uint32_t block_index);
    void step(Scheduler& scheduler);
    Verdict judge(WarpContext& warp, const Scheduler& scheduler);
    template <class Wait>
    void wait_for_operands(const WarpContext& warp, const MachineOp& op, Wait&& wait_for) const;
    WarpContext* choose(Scheduler& scheduler, const std::vector<WarpContext*>& eligible) const;
    void issue(WarpContext& warp, Scheduler& scheduler);
    /// They return when the operation's results are there.
    PendingResult perform(WarpContext& warp, const MachineOp& op, std::uint32_t step);
    PendingResult exchange(WarpContext& warp, std::uint32_t step, int latency);
    PendingResult look_up(const WarpContext& warp, const MachineOp& op, std::uint32_t step,
                          std::uint32_t latency);
    /// A constant load's words, for as many accesses as were recorded: those with an index of each lane.
    void serve_words(const WarpContext& warp, PendingResult& result);
    PendingResult access(WarpContext& warp, const MachineOp& op, std::uint32_t step);
    int merged_wavefronts(const WarpContext& warp, const MachineOp& op, std::uint64_t first) const;
    void arrive_at_barrier(WarpContext& warp, const MachineOp& op, std::uint32_t step, bool waits);
    void open(const BlockBarriers::Release& release, Block& block);
    void end_of_code(WarpContext& warp);
    void depart(WarpContext& warp);
    void write_results(WarpContext& warp, const MachineOp& op, const PendingResult& result);
    bool break_deadlock();

    const trace::Trace& trace_;
    const LaunchPlan& plan_;
    const MachineProgram& code_;
    const SmTiming& timing_;
    const TimingOptions& options_;
    const RequestTable& requests_;
    MemorySystem& memory_;
    ConstantCache constants_, indexed_constants_;  // immediate ones; those of LDC
    PollingLoops& polls_;
    ScheduleLog& log_;
    trace::RecordedSites recorded_sites_;

    std::uint32_t now_ = 0;
    std::uint32_t leaves_queue_ = 0;  // when the operation that issued last leaves its scheduler's queue
    std::size_t next_block_ = 0;      // index in the plan
    int resident_blocks_ = 0;
    std::deque<std::uint32_t> openings_;  // cycles at which room for a block becomes free, ascending
    std::uint32_t code_there_ = 0;        // cycle at which the first block's code has been fetched
    Server retirement_;
    double retired_ = 0;                // cycle at which the last block was retired
    std::uint32_t next_admission_ = 0;  // no block arrives earlier
    std::uint64_t forced_barriers_ = 0;
    std::vector<Scheduler> schedulers_;
    std::vector<std::unique_ptr<WarpContext>> warps_;  // by resident index; null: departed
    std::vector<std::unique_ptr<Block>> blocks_;
    std::vector<WarpContext*> eligible_;  // of the current scheduler
};

}  // namespace warplens::simt
