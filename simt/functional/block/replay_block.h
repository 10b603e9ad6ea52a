// StepReplay: reads the state of a warp at one step while the engine executes its block again. The engine is
// deterministic, so nothing has to be recorded: give the same blocks to run() in the same calls, with the
// replay as observer and as RunOptions::watch. The run ends after the step. memory_history.h reads
// what a location held before and after, and who wrote it.
//
// The state is that of the engine's order: a warp runs until it waits, then the next. In a kernel without
// races, a thread's registers and the words that it may read are the same in every order; other words and
// other lanes' registers may be ahead or behind on a GPU.
#pragma once

#include <memory>

#include "ptx/module.h"
#include "simt/functional/block/step_state.h"
#include "simt/functional/block/step_watch.h"
#include "simt/functional/engine.h"
#include "trace/observer.h"

namespace warplens::simt {

class StepReplay final : public trace::Observer, public StepWatch {
  public:
    /// `kernel` was loaded from `module`: machine code has no PTX registers. Both outlive the replay.
    StepReplay(const Kernel& kernel, const ptx::Module& module, const LaunchGeometry& geometry, StepAt at);
    ~StepReplay() override;

    const StepState& state() const { return state_; }
    StepState take() { return std::move(state_); }

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver>) override {}
    bool wants(u64 linear_block) override { return linear_block == state_.at.block; }
    void before(Warp& warp, u64 step, SiteId site) override;
    void after(Warp& warp, u64 step, SiteId site) override;

  private:
    class OfBlock;
    struct Decoded;
    void begin_exchange(Warp& warp, u64 step, SiteId site, LaneMask lanes);

    std::unique_ptr<Decoded> decoded_;
    LaunchGeometry geometry_;
    StepState state_;
    bool at_step_ = false, done_ = false;
};

}  // namespace warplens::simt
