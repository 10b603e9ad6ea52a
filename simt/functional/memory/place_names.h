// Readable names of addresses: "in[1024]" of a buffer, "tile[33]" of a shared array. The element size is the
// array's own if the PTX states it, else that of the access.
#pragma once

#include <string>

#include "simt/functional/block/launch_state.h"
#include "simt/functional/memory/device_heap.h"

namespace warplens::simt {

/// `bytes`: of one element of the access.
std::string place_name(const LaunchState& launch, Space space, u64 address, u32 bytes);

/// The site with the source line: the compiler gives some instructions line 0; then it is the previous site
/// with a line.
const Site& site_with_line(const Program& program, SiteId site);
/// "line 12", or "PTX line 40" if no source line is known.
std::string line_words(const Program& program, SiteId site);

/// Name of a heap block: "memory from malloc at line 12".
std::string heap_block_name(const LaunchState& launch, const HeapBlock& block);

}  // namespace warplens::simt
