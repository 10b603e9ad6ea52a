// ValueEvent: one instruction that one warp executed, with the values that it read and wrote. Nothing stores
// them: an engine that executes a block again reports them (simt/functional/block/value_log.h), an analysis
// follows them (analysis/warps/combine_flow.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/observer.h"

namespace warplens::trace {

/// A register of ptx::Function::registers: its bits per lane, a predicate's as 0 or 1.
struct RegisterBits {
    std::uint32_t index = 0;
    std::array<std::uint64_t, warp_size> bits{};
};

struct ValueEvent {
    std::uint64_t block = 0;
    std::uint32_t warp = 0;  // within the block
    std::uint64_t step = 0;  // of the warp, as Step::index
    SiteId site = 0;
    std::uint32_t function = 0;         // of the site, in ptx::Module::functions
    std::uint32_t barriers = 0;         // that the block's warps have left together so far
    LaneMask lanes;                     // not predicated off
    std::vector<RegisterBits> read;     // as before the instruction, in the order of ptx::value_flow
    std::vector<RegisterBits> written;  // as after it, likewise
    LaneMask accessed;                  // lanes of its request; empty: it made none
    Space space = Space::none;          // resolved
    std::uint32_t bytes_per_lane = 0;   // of the request
    Addresses addresses{};              // likewise
    LaneMask exchanged;                 // lanes of its exchange; empty: there was none
    Lanes sources{};                    // per lane, as BlockObserver::exchange
};

}  // namespace warplens::trace
