// LaneFunctions: the functions beside the executors that are built for each vector instruction set, like the
// lane loops.
#pragma once

#include "simt/functional/execute/matrix_lanes.h"

namespace warplens::simt {

/// How the addresses of a request change from lane to lane, as bits, so that runs of lanes that access
/// consecutive places, or one place, are found without a loop. Bit i describes lane i + 1; bit 31 is 0.
struct LaneSteps {
    u32 same = 0;  // its address is that of lane i
    u32 next = 0;  // its address is that of lane i plus the bytes of an access
};

struct LaneFunctions {
    /// `addresses`: of all 32 lanes, including inactive ones.
    LaneSteps (*steps)(const u64* addresses, u64 bytes);
    /// The lane that each lane reads in shuffles of `mode` ("PTX ISA: shfl.sync"; b and c are its operands,
    /// of all lanes); returns the lanes whose source is in their segment, the others read themselves.
    u32 (*shuffle_sources)(u32 mode, const u32* b, const u32* c, s32* from);
    /// d[lane] = words[from[lane]]. The rows, `from` too, are aligned to 64 bytes; d may be `words`.
    void (*permute_words)(u32* d, const u32* words, const s32* from);
    /// All lanes of a row get one value.
    void (*fill_words)(u32* d, u32 value);
    void (*fill_wide)(u64* d, u64 value);
    /// Of `count` words from an address that is aligned to 64 bytes on. Each variant has another hash.
    u64 (*hash_words)(const u32* words, u64 count, u64 seed);
    bool (*multiply_floats)(const FloatProduct& product, bool* left_out);
    bool (*multiply_doubles)(const DoubleProduct& product, bool* left_out);
    void (*multiply_integers)(const IntegerProduct& product);
};

/// For this machine's vector instructions.
const LaneFunctions& lane_functions();

}  // namespace warplens::simt
