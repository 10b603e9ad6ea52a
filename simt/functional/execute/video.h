// Video instructions ("PTX ISA: Scalar Video Instructions", "SIMD Video Instructions"): one operation on
// parts of registers, and the use of its result. decode/video.cpp creates the forms.
#pragma once

#include <array>

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

enum class VideoOperation : u8 {
    add,
    subtract,
    distance,
    minimum,
    maximum,
    average,
    shift_left,
    shift_right,
    mad,
    set
};
enum class VideoComparison : u8 { eq, ne, lt, le, gt, ge };

struct VideoForm {
    VideoOperation operation = VideoOperation::add;
    VideoComparison comparison = VideoComparison::eq;
    bool accumulates = false;  // the result is added to c
    u8 elements = 1;           // 1: scalar; 2 halves, 4 bytes
    bool a_signed = false, b_signed = false, d_signed = false;
    bool saturate = false;  // SIMD
    /// Scalar: parts of a and b, and the part of d that is written; the rest of d comes from c. A part has a
    /// number of bits (32: the whole register) and a lowest bit.
    struct Part {
        u8 bits = 32, shift = 0;
    };
    Part a, b, d;
    /// SIMD: which elements of the pair (a below b) each element takes, and which of d are written.
    std::array<u8, 4> a_from{}, b_from{};
    u8 written = 0;
    bool wrap = false;  // shifts
    bool negated_product = false, negated_c = false, plus_one = false;
};

/// rows: d, a, b, c; flags: index into DecodedKernel::videos.
void execute_video(Warp& warp, const DecodedOp& op, u32 mask);

}  // namespace warplens::simt
