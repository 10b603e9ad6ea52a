// LaunchState: what all blocks of one run share; except for the contents of memory, read-only while they run.
#pragma once

#include <array>
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
    std::vector<u64> variable_addresses;                       // by DecodedKernel::variables; .global ones
    std::vector<std::byte> constants;                          // the constant bank
    std::array<std::vector<std::byte>, constant_banks> banks;  // of machine code
    u64 shared_bytes = 0;                                      // static and dynamic
    u32 local_bytes = 0;                                       // per lane
    u64 grid_workspace = 0;   // cooperative launches: where this_grid() keeps its barrier; else 0
    u64 resident_blocks = 0;  // resident on the GPU at the same time; 0: no limit
    bool parallel = false;
    LaunchRaces* races = nullptr;  // null: races are not detected; else the run uses one thread
};

/// Allocates the kernel's .global variables that `memory` does not hold yet and builds the constant bank.
LaunchState prepare_launch(const DecodedKernel& kernel, const LaunchGeometry& geometry,
                           const std::vector<std::byte>& arguments, GlobalMemory& memory,
                           const RunOptions& options);

}  // namespace warplens::simt
