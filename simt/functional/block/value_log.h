// ValueLog: reports every instruction of one block with the values that it reads and writes, while the engine
// executes the block again. Give it to run() as observer and as RunOptions::watch. The order is the engine's,
// as replay_block.h says.
#pragma once

#include <functional>
#include <memory>

#include "ptx/module.h"
#include "simt/functional/block/step_watch.h"
#include "simt/functional/engine.h"
#include "trace/value_event.h"

namespace warplens::simt {

class RegisterReader;

class ValueLog final : public trace::Observer, public StepWatch {
  public:
    using Use = std::function<void(const trace::ValueEvent&)>;
    /// `kernel` was loaded from `module`; both outlive the log. The run ends after `most` events.
    ValueLog(const Kernel& kernel, const ptx::Module& module, u64 block, u64 most, Use use);
    ~ValueLog() override;

    /// Whether the block had more than `most` instructions.
    bool cut() const { return cut_; }

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver>) override {}
    bool wants(u64 linear_block) override { return linear_block == block_; }
    void before(Warp& warp, u64 step, SiteId site) override;
    void after(Warp& warp, u64 step, SiteId site) override;

  private:
    class OfBlock;

    std::unique_ptr<RegisterReader> reader_;
    u64 block_, most_, count_ = 0;
    Use use_;
    trace::ValueEvent event_;  // of the instruction that is being executed
    bool cut_ = false;
};

}  // namespace warplens::simt
