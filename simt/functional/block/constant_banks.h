// The constant banks that machine code reads: bank 0 has what the driver writes at a launch, parameters last.
#pragma once

#include "simt/functional/block/launch_state.h"

namespace warplens::simt {

/// Of a kernel of machine code whose geometry, arguments and local memory are set in `state`.
void fill_constant_banks(LaunchState& state);

}  // namespace warplens::simt
