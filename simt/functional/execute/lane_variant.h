// LaneVariant: which build of the lane loops this machine runs.
#pragma once

namespace warplens::simt {

enum class LaneVariant { baseline, avx2, avx512 };

/// The widest variant that was built and that this machine supports.
inline LaneVariant lane_variant() {
#ifdef WARPLENS_LANE_VARIANTS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return LaneVariant::avx512;
    if (__builtin_cpu_supports("x86-64-v3")) return LaneVariant::avx2;
#endif
    return LaneVariant::baseline;
}

}  // namespace warplens::simt
