// MemoryHistory: who wrote a location in memory, and what it held before and after each write, read while the
// engine executes the launch again, as replay_block.h does; and the contents of other locations around one
// step. Ask done() as RunOptions::cancelled: the run may stop once the block has ended.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "simt/functional/block/step_state.h"
#include "simt/functional/block/step_watch.h"
#include "simt/functional/engine.h"
#include "trace/observer.h"

namespace warplens::simt {

inline constexpr std::uint32_t most_place_bytes = 16;
using PlaceBytes = std::array<std::byte, most_place_bytes>;

/// At most 16 bytes as a block sees them: global, its own shared memory (offsets in it), or a thread's local
/// memory.
struct MemoryPlace {
    Space space = Space::none;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    std::uint64_t block = 0;  // whose shared or local memory
    std::uint32_t warp = 0;   // whose local memory
    int lane = 0;             // likewise
};

struct MemoryWrite {
    StepAt at;
    SiteId site = no_index;
    Operation operation = Operation::store;
    LaneMask lanes;                // of the request, those that wrote here
    PlaceBytes before{}, after{};  // of the place's bytes
    bool asynchronous = false;     // a copy, whose data arrive later than the step
};

class MemoryHistory final : public trace::Observer, public StepWatch {
  public:
    /// Follows `place`, if there is one, until block `at.block` ends, and reads `around` before and after
    /// step `at`.
    MemoryHistory(const Kernel& kernel, const LaunchGeometry& geometry, StepAt at,
                  std::optional<MemoryPlace> place, std::vector<MemoryPlace> around);
    ~MemoryHistory() override;

    bool done() const { return done_; }
    /// In the engine's order, blocks before the step's included if they were executed again.
    const std::vector<MemoryWrite>& writes() const { return writes_; }
    /// The writes before the step; the step's own write, if it has one, follows them.
    std::size_t writes_before_step() const { return before_step_; }
    /// What the place held when the step's block began (of another block's shared memory: zeros).
    const PlaceBytes& initial() const { return initial_; }
    struct Around {
        PlaceBytes before{}, after{};
    };
    const std::vector<Around>& around() const { return around_values_; }

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t linear_block, std::unique_ptr<trace::BlockObserver>) override;
    bool wants(u64 linear_block) override;
    void before(Warp& warp, u64 step, SiteId site) override;
    void after(Warp& warp, u64 step, SiteId site) override;

  private:
    class OfBlock;
    bool reaches(std::uint64_t block, int warp, const trace::Access& access, int lane) const;
    void note(const StepAt& at, const trace::Access& access);
    PlaceBytes read(Warp& warp, const MemoryPlace& place) const;
    void refresh(Warp& warp);

    const Program& program_;
    LaunchGeometry geometry_;
    StepAt at_;
    std::optional<MemoryPlace> place_;
    std::vector<MemoryPlace> around_;
    std::vector<Around> around_values_;
    std::vector<MemoryWrite> writes_;
    std::size_t before_step_ = 0;
    std::size_t open_ = 0;  // writes from here on wait for their value
    PlaceBytes initial_{}, current_{};
    bool begun_ = false, done_ = false;
};

}  // namespace warplens::simt
