// The constant banks that machine code reads: bank 0 has what the driver writes at a launch, parameters last.
#pragma once

#include "simt/functional/block/launch_state.h"

namespace warplens::simt {

/// Whether the launch constants of such machine code are known. `sm` is the compute capability times ten.
bool executes_target(int sm);

/// Whether what bank 0 holds at that byte, in front of the parameters, is known.
bool knows_launch_constant(int sm, u32 offset);

/// Where bank 0 holds the generic address of bank 3.
u32 place_of_constant_window(int sm);

/// Of a kernel of machine code whose geometry, arguments and local memory are set in `state`.
void fill_constant_banks(LaunchState& state);

}  // namespace warplens::simt
