// How setp and set combine and store a comparison's outcome.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// Bits of DecodedOp::flags of a comparison. rows: result, second result (setp) , a, b, combined predicate.
enum CompareFlags : u32 {
    combine_and = 1,
    combine_or = 2,
    combine_xor = 3,
    combine_mask = 3,
    second_result = 4,         // p|q: q takes the complement, combined the same way
    second_is_upper_half = 8,  // p|q of two packed comparisons: q is the outcome of the upper halves
    result_u32 = 16,           // set: all ones or zero
    result_f32 = 32,           // set: 1.0 or 0.0
    result_u16 = 64,
    result_f16 = 128,
    result_bf16 = 256,
    result_f16x2 = 512,  // two comparisons, two halves
    result_bf16x2 = 1024,
};

/// `upper`: outcome of the upper halves of a packed comparison.
void finish_comparison(Warp& warp, const DecodedOp& op, u32 mask, u32 bits, u32 upper = 0);

}  // namespace warplens::simt
