// L2Slices: L2 is slices that serve one request after another. A KiB lies in two of them, in turns of 256
// bytes; which two only the GPU knows, and the model draws them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/timing/request_table.h"

namespace warplens::simt {

inline constexpr std::uint64_t sectors_in_turn_of_slice = 8;
inline constexpr std::uint64_t sectors_of_two_slices = 32;

/// The slice of a sector, of `slices`, an even number.
inline std::size_t slice_of(SectorId sector, int slices) {
    const std::uint64_t kib = sector / sectors_of_two_slices;
    const std::uint64_t drawn = ((kib ^ (kib >> 15)) * 0x9e3779b97f4a7c15u) >> 40;
    const std::uint64_t turn = sector / sectors_in_turn_of_slice % 2;
    return static_cast<std::size_t>(2 * (drawn % static_cast<std::uint64_t>(slices / 2)) + turn);
}

}  // namespace warplens::simt
