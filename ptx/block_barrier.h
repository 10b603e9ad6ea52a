// The literals of bar and barrier: which barrier of the block, and how many threads it waits for.
#pragma once

#include <optional>

#include "core/launch_limits.h"
#include "ptx/module.h"

namespace warplens::ptx {

struct BlockBarrier {
    const Immediate* number = nullptr;   // null: a register names it
    const Immediate* threads = nullptr;  // null: a register, or all threads of the block
};

/// None for other instructions, and for the barriers of warps and clusters.
std::optional<BlockBarrier> block_barrier(const Instruction& instruction);

}  // namespace warplens::ptx
