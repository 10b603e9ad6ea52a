// Instructions on pairs of 16-bit integers in a register, whose rows are those of the instructions on words.
#pragma once

#include "simt/functional/machine/lowering.h"

namespace warplens::simt {

enum class PackedExtremum : u8 { of_two, of_three, of_sum };

/// Minimum or maximum of the halves. `type`: "U16x2" or "S16x2", others are not executed.
bool lower_packed_extremum(Lowering& lowering, std::string_view type, PackedExtremum of);
bool lower_packed_sum(Lowering& lowering);

}  // namespace warplens::simt
