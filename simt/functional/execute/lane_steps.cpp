#include "simt/functional/execute/lane_steps.h"

#include "simt/functional/execute/lane_variant.h"

#define WARPLENS_LANES lanes_baseline
#include "simt/functional/execute/lanes/variant_lane_steps.h"
#ifdef WARPLENS_LANE_VARIANTS
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx2
#include "simt/functional/execute/lanes/variant_lane_steps.h"
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx512
#include "simt/functional/execute/lanes/variant_lane_steps.h"
#endif

namespace warplens::simt {

namespace {

LaneStepsOf choose() {
    switch (lane_variant()) {
#ifdef WARPLENS_LANE_VARIANTS
        case LaneVariant::avx512:
            return lanes_avx512::lane_steps;
        case LaneVariant::avx2:
            return lanes_avx2::lane_steps;
#endif
        default:
            return lanes_baseline::lane_steps;
    }
}

}  // namespace

LaneStepsOf find_lane_steps() {
    static const LaneStepsOf chosen = choose();
    return chosen;
}

}  // namespace warplens::simt
