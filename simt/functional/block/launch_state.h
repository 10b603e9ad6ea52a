// LaunchState: what all blocks of one run share, read-only while they run (but for the contents of memory).
#pragma once

#include <vector>

#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

class LaunchRaces;

struct LaunchState {
    const DecodedKernel* kernel = nullptr;
    LaunchGeometry geometry;
    const std::vector<std::byte>* arguments = nullptr;
    GlobalMemory* memory = nullptr;
    const RunOptions* options = nullptr;
    std::vector<u64> variable_addresses;  // by DecodedKernel::variables; .global ones
    std::vector<std::byte> constants;     // the constant bank
    u64 shared_bytes = 0;                 // static and dynamic
    u32 local_bytes = 0;                  // a lane
    u64 grid_workspace = 0;   // of a cooperative launch: where this_grid() keeps its barrier; else 0
    u64 resident_blocks = 0;  // that the GPU holds at once; 0: no limit
    bool parallel = false;
    LaunchRaces* races = nullptr;  // of a launch whose races are looked for, which runs on one thread
};

/// Allocates the kernel's .global variables that `memory` does not hold yet and builds the constant bank.
LaunchState prepare_launch(const DecodedKernel& kernel, const LaunchGeometry& geometry,
                           const std::vector<std::byte>& arguments, GlobalMemory& memory,
                           const RunOptions& options);

}  // namespace warplens::simt
