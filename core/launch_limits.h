// Limits that no launch on any GPU exceeds ("CUDA C++ Programming Guide: Technical Specifications per Compute
// Capability"). Readers refuse larger values, so that the arrays of later stages may have a fixed size.
// The limits of one GPU are in core/gpu_spec.h.
#pragma once

#include <cstdint>

#include "core/bounded.h"

namespace warplens {

inline constexpr std::uint32_t most_threads_per_block = 1024;
inline constexpr std::uint32_t most_grid_x = 0x7fffffff, most_grid_yz = 0xffff;
inline constexpr std::uint32_t most_blocks_per_cluster = 16;
inline constexpr std::uint32_t most_registers_per_thread = 255;
inline constexpr std::uint32_t most_shared_bytes = 1u << 20;     // above every GPU's 227 KiB per block
inline constexpr std::uint32_t most_stack_bytes = 512u << 10;    // local memory per thread
inline constexpr std::uint32_t most_parameter_bytes = 1u << 20;  // an entry has 32,764, a function its stack
/// Widest access of one lane: .v8.b32 and .v4.b64 ("PTX ISA: Vectors").
inline constexpr std::uint32_t most_bytes_per_lane = 32;

/// Which of the 16 barriers of a block.
using BarrierId = Bounded<std::uint8_t, 0, 15>;
inline constexpr int barriers_per_block = BarrierId::max + 1;

}  // namespace warplens
