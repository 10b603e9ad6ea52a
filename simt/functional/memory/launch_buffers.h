// LaunchBuffers: the memory in which device code puts the arguments of a grid before it launches it. They are
// in an allocation of GlobalMemory. A GPU's device run-time places them elsewhere: their addresses, and thus
// the sectors of the stores to them, are the engine's own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

#include "core/launch.h"

namespace warplens::simt {

/// The grid that cudaGetParameterBufferV2 was called for.
struct RequestedGrid {
    std::uint32_t kernel = 0;  // index into DecodedKernel::launchable
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t argument_bytes = 0;
};

class LaunchBuffers {
  public:
    static constexpr const char* name = "arguments of launched grids";
    static constexpr std::uint64_t bytes = 16 * 1024 * 1024;

    explicit LaunchBuffers(std::uint64_t base) : base_(base), next_(base) {}

    std::uint64_t base() const { return base_; }
    bool holds(std::uint64_t address) const { return address >= base_ && address - base_ < bytes; }

    void clear() {
        next_ = base_;
        launches_ = 0;
        requested_.clear();
    }
    /// The address for the arguments of a grid; 0: there is no room for them.
    std::uint64_t take(const RequestedGrid& grid) {
        const std::uint64_t room = room_for(grid);
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

    /// Whether all the bytes are for arguments of one grid that was not launched yet: no code has reason to
    /// use others.
    bool is_live(std::uint64_t address, std::uint64_t bytes) const {
        const auto after = requested_.upper_bound(address);
        if (after == requested_.begin()) return false;
        const auto& [first, grid] = *std::prev(after);
        const std::uint64_t offset = address - first, room = room_for(grid);
        return offset <= room && bytes <= room - offset;
    }

    /// Of the grid that is executed: 1 for the first launch.
    std::uint64_t count_launch() { return ++launches_; }
    /// A stream of the program's own.
    std::uint64_t new_stream() { return first_stream + streams_++; }

  private:
    static constexpr std::uint64_t first_stream = 0x1000;  // above the numbers that CUDA gives a meaning
    static std::uint64_t room_for(const RequestedGrid& grid) {
        constexpr std::uint64_t alignment = 64;
        return (std::max<std::uint64_t>(grid.argument_bytes, 1) + alignment - 1) / alignment * alignment;
    }
    std::uint64_t base_, next_;
    std::uint64_t launches_ = 0, streams_ = 0;
    std::map<std::uint64_t, RequestedGrid> requested_;  // by address
};

}  // namespace warplens::simt
