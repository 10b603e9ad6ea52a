// mov between a scalar (row address_row) and the vector of its parts (rows 0 to flags - 1), lowest part
// first.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

void pack_vector(Warp& warp, const DecodedOp& op, u32 mask);
void unpack_vector(Warp& warp, const DecodedOp& op, u32 mask);

}  // namespace warplens::simt
