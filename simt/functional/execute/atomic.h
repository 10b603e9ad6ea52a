// atom and red: read, combine and write one lane after the other, lowest first. rows: result, operands.
#pragma once

#include <string_view>

#include "ptx/types.h"
#include "simt/functional/block/warp.h"

namespace warplens::simt {

struct AtomicRow {
    std::string_view operation;
    ptx::Type type;
    Execute execute;
    bool commutes;        // the final value in memory does not depend on the order
    bool counts = false;  // the results may be numbers of a counter
};

/// After an atomic that counts, with its result in rows[0]: notes whether the lanes have changed one word of
/// global memory, and so have taken numbers from it. One that adds 0 polls. flags: of a compare-and-swap.
inline constexpr u32 counter_swaps = 1;
void note_counter(Warp& warp, const DecodedOp& op, u32 mask);

/// nullptr if there is none. 128 bits: rows are the lower and upper halves of the result and of the operands.
/// The kernel runs on one thread.
void exchange_quad(Warp& warp, const DecodedOp& op, u32 mask);
void compare_and_swap_quad(Warp& warp, const DecodedOp& op, u32 mask);
/// The same for each element of a vector in global memory.
const AtomicRow* find_vector_atomic(std::string_view operation, ptx::Type type);
const AtomicRow* find_atomic(std::string_view operation, ptx::Type type);

}  // namespace warplens::simt
