// CoScheduledBlocks: runs blocks that may wait for each other, on one thread. The blocks of a cluster run
// together. Of several units (clusters or single blocks), the next begins when all running ones only wait, up
// to the number that is resident on the GPU. If no block can continue, the blocks are reported, so that no
// run hangs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "simt/functional/block/block_plan.h"
#include "simt/functional/block/block_runner.h"

namespace warplens::simt {

struct FinishedBlock {
    BlockOutcome outcome;
    std::unique_ptr<trace::BlockObserver> observer;
};

class CoScheduledBlocks {
  public:
    /// `done` gets each block's index in the plan as it ends, in any order; false stops the run.
    using Done = std::function<bool(std::size_t index, FinishedBlock)>;
    CoScheduledBlocks(const LaunchState& launch, const BlockPlan& plan, trace::Observer* observer);
    ~CoScheduledBlocks();

    /// Units first … end - 1. False when `done` stopped it or a block ended the run.
    bool run(std::size_t first, std::size_t end, const Done& done);

  private:
    struct Member;
    struct Unit;
    struct Round {
        u64 steps = 0;
        bool moved = false, impatient = false, wrote = false;
        bool stop = false;   // the run ends
        u64 turn = no_turn;  // the next one
    };

    void start(std::size_t unit);
    Round advance_all(const Done& done);
    bool finish(Unit& unit, Member& member, const Done& done);
    void retire();
    void hand_over_rest(const Done& done);
    void report_standstill(std::size_t not_begun);
    bool has_room_for_turns() const;
    std::unique_ptr<BlockRunner> take_runner();

    const LaunchState& launch_;
    const BlockPlan& plan_;
    trace::Observer* observer_;
    std::vector<std::unique_ptr<Unit>> running_;
    std::vector<std::unique_ptr<BlockRunner>> idle_;
    std::size_t running_blocks_ = 0;
    u64 now_ = 0;  // warps whose turn is before it take numbers from counters
};

}  // namespace warplens::simt
