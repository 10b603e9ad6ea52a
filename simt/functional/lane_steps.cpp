#include "simt/functional/lane_steps.h"

#define WARPLENS_LANES lanes_baseline
#include "simt/functional/lanes/variant_lane_steps.h"
#ifdef WARPLENS_LANE_VARIANTS
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx2
#include "simt/functional/lanes/variant_lane_steps.h"
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx512
#include "simt/functional/lanes/variant_lane_steps.h"
#endif

namespace warplens::simt {

namespace {

LaneStepsOf choose() {
#ifdef WARPLENS_LANE_VARIANTS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return lanes_avx512::lane_steps;
    if (__builtin_cpu_supports("x86-64-v3")) return lanes_avx2::lane_steps;
#endif
    return lanes_baseline::lane_steps;
}

}  // namespace

LaneStepsOf find_lane_steps() {
    static const LaneStepsOf chosen = choose();
    return chosen;
}

}  // namespace warplens::simt
