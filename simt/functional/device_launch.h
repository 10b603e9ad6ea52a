// DeviceLaunch: a grid that device code launched. The engine executes it after the grid that launched it: see
// launch_tree.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/launch.h"
#include "core/program.h"

namespace warplens::simt {

/// The streams that CUDA names by a number; others are the program's own.
inline constexpr std::uint64_t stream_of_block = 0;  // the default
inline constexpr std::uint64_t tail_stream = 3;      // cudaStreamTailLaunch
inline constexpr std::uint64_t forget_stream = 4;    // cudaStreamFireAndForget

struct DeviceLaunch {
    std::string entry;  // the kernel's name in the PTX
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> arguments;  // laid out as the kernel's parameters
    std::uint64_t stream = stream_of_block;
    Dim3 by_block{0, 0, 0}, by_thread{0, 0, 0};  // in the grid that launched it
    SiteId site = no_index;                      // the call, in the kernel that launched it
    std::string file;                            // of its source; empty when unknown
    std::uint32_t line = 0;                      // 1-based; 0 when unknown

    bool is_tail() const { return stream == tail_stream; }
};

}  // namespace warplens::simt
