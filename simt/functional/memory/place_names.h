// What a person calls an address: "in[1024]" of a buffer, "tile[33]" of a shared array. Elements are counted
// in the array's own size where the PTX tells it, else in that of the access.
#pragma once

#include <string>

#include "simt/functional/block/launch_state.h"
#include "simt/functional/memory/device_heap.h"

namespace warplens::simt {

/// `bytes`: of one element of the access.
std::string place_name(const LaunchState& launch, Space space, u64 address, u32 bytes);

/// The site that tells the source line: the compiler gives some instructions line 0, then the one before
/// does.
const Site& site_with_line(const Program& program, SiteId site);
/// "line 12", or "PTX line 40" where no source line is known.
std::string line_words(const Program& program, SiteId site);

/// A block of the heap that malloc gave: "memory from malloc at line 12".
std::string heap_block_name(const LaunchState& launch, const HeapBlock& block);

}  // namespace warplens::simt
