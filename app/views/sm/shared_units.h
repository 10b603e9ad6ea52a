// The units that the four schedulers of an SM share: the register file, shared memory and L1, and the
// requests in flight.
#pragma once

#include "app/views/sm/drawing.h"

namespace warplens::app {

/// What the SM's resident blocks take of it. Zero where the GPU's row or the launch does not say.
struct SmShares {
    std::uint64_t registers = 0, registers_per_block = 0;
    std::uint64_t array_bytes = 0, shared_per_block = 0;  // L1 and shared memory are one array
};
SmShares sm_shares(const Scene& scene);

/// The least height of them.
float shared_units_height(const Ink& ink);
void draw_shared_units(const Ink& ink, const SmDiagram& diagram, Box box, SmHit& hit);

/// A box with a quiet background and a caption; returns the room below the caption.
Box sm_panel(const Ink& ink, Box box, std::string_view caption, std::string_view figures);

/// The colour of a resident block, the same in its warps, registers and shared memory.
ImU32 sm_block_colour(const Theme& theme, std::uint32_t block);

}  // namespace warplens::app
