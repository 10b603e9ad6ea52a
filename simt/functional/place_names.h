// What a person calls an address: "in[1024]" of a buffer, "tile[33]" of a shared array. Elements are counted
// in the array's own size where the PTX tells it, else in that of the access.
#pragma once

#include <string>

#include "simt/functional/launch_state.h"

namespace warplens::simt {

/// `bytes`: of one element of the access.
std::string place_name(const LaunchState& launch, Space space, u64 address, u32 bytes);

}  // namespace warplens::simt
