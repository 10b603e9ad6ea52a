// LaunchBuffers: the memory in which device code puts the arguments of a grid before it launches it. They are
// in an allocation of GlobalMemory. A GPU's device run-time places them elsewhere: their addresses, and thus
// the sectors of the stores to them, are the engine's own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/launch.h"

namespace warplens::simt {

/// The grid that cudaGetParameterBufferV2 was called for.
struct RequestedGrid {
    std::uint32_t kernel = 0;  // index into DecodedKernel::launchable
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
};

class LaunchBuffers {
  public:
    static constexpr const char* name = "arguments of launched grids";
    static constexpr std::uint64_t bytes = 16 * 1024 * 1024;

    explicit LaunchBuffers(std::uint64_t base) : base_(base), next_(base) {}

    void clear() {
        next_ = base_;
        launches_ = 0;
        requested_.clear();
    }
    /// The address for the arguments of a grid; 0: there is no room for them.
    std::uint64_t take(std::uint64_t argument_bytes, const RequestedGrid& grid) {
        constexpr std::uint64_t alignment = 64;
        const std::uint64_t room =
            (argument_bytes + alignment - 1) / alignment * alignment + (argument_bytes == 0 ? alignment : 0);
        if (room > base_ + bytes - next_) return 0;
        const std::uint64_t address = next_;
        next_ += room;
        requested_.emplace(address, grid);
        return address;
    }
    /// The grid of a buffer, once: a launch uses its buffer up. std::nullopt: there is no such buffer.
    std::optional<RequestedGrid> give(std::uint64_t address) {
        const auto found = requested_.find(address);
        if (found == requested_.end()) return std::nullopt;
        const RequestedGrid grid = found->second;
        requested_.erase(found);
        return grid;
    }

    /// Of the grid that is executed: 1 for the first launch.
    std::uint64_t count_launch() { return ++launches_; }
    /// A stream of the program's own.
    std::uint64_t new_stream() { return first_stream + streams_++; }

  private:
    static constexpr std::uint64_t first_stream = 0x1000;  // above the numbers that CUDA gives a meaning
    std::uint64_t base_, next_;
    std::uint64_t launches_ = 0, streams_ = 0;
    std::map<std::uint64_t, RequestedGrid> requested_;  // by address
};

}  // namespace warplens::simt
