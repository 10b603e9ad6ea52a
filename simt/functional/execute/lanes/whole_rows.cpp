// Rows read or written as wholes for code that is compiled for every machine: a row that it wrote itself, in
// vectors of 16 bytes or lane by lane, would make the next operation wait until all of its pieces are stored.
#include "simt/functional/execute/lane_functions.h"
#include "simt/functional/execute/lanes/request_addresses.h"

#ifndef WARPLENS_LANES
#define WARPLENS_LANES lanes_baseline
#endif
#include "simt/functional/execute/lanes/variant_functions.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

template <class A>
inline __attribute__((always_inline)) void fill(A* d, A value) {
    using V = typename Vector<A>::type;
    for (int i = 0; i < warp_size / Vector<A>::lanes; ++i) reinterpret_cast<V*>(d)[i] = V{} + value;
}

}  // namespace

u64 hash_words(const u32* words, u64 count, u64 seed) {
    // Lanes and vectors in flight are hashed apart: none waits for another.
    using V = typename Vector<u32>::type;
    constexpr u64 lanes = Vector<u32>::lanes, at_once = 4;
    V hashes[at_once];
    for (u64 i = 0; i < at_once; ++i) hashes[i] = V{} + static_cast<u32>(i);
    u64 at = 0;
    for (; at + at_once * lanes <= count; at += at_once * lanes) {
        const V* from = reinterpret_cast<const V*>(words + at);
        for (u64 i = 0; i < at_once; ++i) {
            const V changed = hashes[i] ^ from[i];
            hashes[i] = (changed << 13 | changed >> 19) * 0x9e3779b1u;
        }
    }
    u64 joined = seed;
    const auto join = [&](u32 word) {
        const u64 changed = (joined ^ word) * 0xff51afd7ed558ccdull;
        joined = changed << 29 | changed >> 35;
    };
    for (; at < count; ++at) join(words[at]);
    for (u64 i = 0; i < at_once; ++i)
        for (u64 lane = 0; lane < lanes; ++lane) join(hashes[i][lane]);
    return joined;
}

void fill_words(u32* d, u32 value) { fill(d, value); }
void fill_wide(u64* d, u64 value) { fill(d, value); }

void permute_words(u32* d, const u32* words, const s32* from) {
#ifdef __AVX2__
    using Words = Vector<u32>;
    typedef s32 Places __attribute__((vector_size(vector_bytes)));
    constexpr int vectors = warp_size / Words::lanes;
    Words::type source[vectors];
    for (int i = 0; i < vectors; ++i) source[i] = reinterpret_cast<const Words::type*>(words)[i];
    for (int i = 0; i < vectors; ++i) {
        const Places places = reinterpret_cast<const Places*>(from)[i];
        Words::type chosen = __builtin_shuffle(source[0], source[1], places);
        if constexpr (vectors == 4) {
            const Words::type other = __builtin_shuffle(source[2], source[3], places);
            chosen = places >= warp_size / 2 ? other : chosen;
        }
        reinterpret_cast<Words::type*>(d)[i] = chosen;
    }
#else
    u32 chosen[warp_size];
    for (int i = 0; i < warp_size; ++i) chosen[i] = words[from[i]];
    for (int i = 0; i < warp_size; ++i) d[i] = chosen[i];
#endif
}

}  // namespace warplens::simt::WARPLENS_LANES
