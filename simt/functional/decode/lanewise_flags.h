// Modifiers that an executor reads from DecodedOp::flags instead of having one executor for each. The keys of
// such executors end in "+".
#pragma once

#include <string_view>

#include "simt/functional/execute/float_format.h"

namespace warplens::simt {

enum LanewiseFlags : u32 {
    flag_ftz = 1,
    flag_sat = 2,
    flag_relu = 4,
    flag_nan = 8,
    flag_xorsign = 0x100,
    flag_abs = 0x200
};
inline constexpr u32 flag_rounding_shift = 4;  // four bits

/// 0 for any other modifier.
u32 lanewise_flag(std::string_view modifier);

constexpr Rounding rounding_of(u32 flags) {
    return static_cast<Rounding>(flags >> flag_rounding_shift & 0xf);
}

}  // namespace warplens::simt
