#include "simt/functional/execute/lane_functions.h"

#include "simt/functional/execute/lane_variant.h"

#define WARPLENS_LANES lanes_baseline
#include "simt/functional/execute/lanes/variant_functions.h"
#ifdef WARPLENS_LANE_VARIANTS
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx2
#include "simt/functional/execute/lanes/variant_functions.h"
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx512
#include "simt/functional/execute/lanes/variant_functions.h"
#endif

namespace warplens::simt {

namespace {

#define FUNCTIONS_OF(variant)                                                                               \
    LaneFunctions {                                                                                         \
        variant::lane_steps, variant::shuffle_sources, variant::multiply_floats, variant::multiply_doubles, \
            variant::multiply_integers                                                                      \
    }

LaneFunctions choose() {
    switch (lane_variant()) {
#ifdef WARPLENS_LANE_VARIANTS
        case LaneVariant::avx512:
            return FUNCTIONS_OF(lanes_avx512);
        case LaneVariant::avx2:
            return FUNCTIONS_OF(lanes_avx2);
#endif
        default:
            return FUNCTIONS_OF(lanes_baseline);
    }
}

}  // namespace

const LaneFunctions& lane_functions() {
    static const LaneFunctions chosen = choose();
    return chosen;
}

}  // namespace warplens::simt
