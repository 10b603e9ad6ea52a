#include "simt/functional/execute/lane_functions.h"

#include <cstdio>
#include <cstdlib>

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

#define FUNCTIONS_OF(variant)                                                                             \
    LaneFunctions {                                                                                       \
        variant::lane_steps, variant::shuffle_sources, variant::permute_words, variant::fill_words,       \
            variant::fill_wide, variant::hash_words, variant::multiply_floats, variant::multiply_doubles, \
            variant::multiply_integers                                                                    \
    }

#ifdef WARPLENS_LANE_VARIANTS
[[noreturn]] void end_without_variant() {
    std::fputs(
        "warplens: this program was built for a machine with other vector instructions; ./run builds it for "
        "this one\n",
        stderr);
    std::exit(2);
}
#endif

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

LaneVariant lane_variant() {
#ifdef WARPLENS_LANE_VARIANTS
    __builtin_cpu_init();
    if (lanes_avx512::lane_steps && __builtin_cpu_supports("x86-64-v4")) return LaneVariant::avx512;
    if (lanes_avx2::lane_steps && __builtin_cpu_supports("x86-64-v3")) return LaneVariant::avx2;
    if (!lanes_baseline::lane_steps) end_without_variant();
#endif
    return LaneVariant::baseline;
}

const LaneFunctions& lane_functions() {
    static const LaneFunctions chosen = choose();
    return chosen;
}

}  // namespace warplens::simt
