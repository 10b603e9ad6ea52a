#include "core/lane_mask.h"
#include "simt/functional/execute/lane_functions.h"
#include "simt/functional/execute/warp.h"

#ifndef WARPLENS_LANES
#define WARPLENS_LANES lanes_baseline
#endif
#include "simt/functional/execute/lanes/variant_functions.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

template <u32 Mode>
u32 source_lanes(const u32* b, const u32* c, s32* from) {
    u32 inside = 0;
    for (s32 lane = 0; lane < warp_size; ++lane) {
        const s32 by = static_cast<s32>(b[lane] & 31), clamp = static_cast<s32>(c[lane] & 31);
        const s32 segment = static_cast<s32>(c[lane] >> 8 & 31);
        const s32 lowest = lane & segment, bound = lowest | (clamp & ~segment);
        const s32 at = Mode == shuffle_up          ? lane - by
                       : Mode == shuffle_down      ? lane + by
                       : Mode == shuffle_butterfly ? lane ^ by
                                                   : lowest | (by & ~segment);
        const bool ok = Mode == shuffle_up ? at >= bound : at <= bound;
        from[lane] = ok ? at : lane;
        inside |= u32{ok} << lane;
    }
    return inside;
}

}  // namespace

u32 shuffle_sources(u32 mode, const u32* b, const u32* c, s32* from) {
    switch (mode) {
        case shuffle_up:
            return source_lanes<shuffle_up>(b, c, from);
        case shuffle_down:
            return source_lanes<shuffle_down>(b, c, from);
        case shuffle_butterfly:
            return source_lanes<shuffle_butterfly>(b, c, from);
        default:
            return source_lanes<shuffle_index>(b, c, from);
    }
}

}  // namespace warplens::simt::WARPLENS_LANES
