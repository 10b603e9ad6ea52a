// Replay: executes RecordingPlan::replay along the visits of a warp, for all of its lanes: what the kernel
// computes from its launch alone is not recorded.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/lane_mask.h"
#include "core/launch.h"
#include "core/result.h"
#include "instrumentation/decode/decode.h"
#include "instrumentation/decode/space_reader.h"

namespace warplens::instrumentation {

/// The slots of one warp.
using ReplayedLanes = std::array<std::uint64_t, warp_size>;
using ReplayedWarp = std::vector<ReplayedLanes>;

/// The lanes whose predicate is so.
std::uint32_t lanes_with(const ReplayedLanes& predicate, bool wanted);

class Replay {
  public:
    /// Errors when the launch's arguments are needed and missing, or the plan names slots that it does not
    /// have.
    static Result<Replay> make(const RecordingPlan& plan, const LaunchGeometry& geometry,
                               const ReadBack& read, const SpaceReader& space);

    /// The slots where a warp begins.
    void begin(std::uint64_t linear_block, int warp, ReplayedWarp& slots) const;
    /// The steps from `next` on that stand before the site, by the lanes of the mask; `next` moves on.
    void run_until(SiteId site, std::uint32_t mask, std::uint32_t& next, ReplayedWarp& slots) const;

  private:
    /// Sources are places among the slots; behind the plan's own ones stand the warp's indices and the
    /// constants.
    struct Step {
        ReplayStep what;
        std::uint32_t first = 0, second = 0, third = 0, guard = no_index;
    };
    Result<std::uint32_t> place(const ReplaySource& source);
    std::uint32_t constant(std::uint64_t value);
    /// 0 outside of ReadBack::memory: what follows from it then has another hash than on the GPU.
    std::uint64_t loaded(std::uint64_t address, unsigned bytes) const;
    void execute(const Step& step, std::uint32_t mask, ReplayedWarp& slots) const;

    const RecordingPlan* plan_ = nullptr;
    const LaunchGeometry* geometry_ = nullptr;
    const ReadBack* read_ = nullptr;
    const SpaceReader* space_ = nullptr;
    std::vector<Step> steps_;
    std::vector<std::uint64_t> constants_;
};

}  // namespace warplens::instrumentation
