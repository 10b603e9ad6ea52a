// Makes a launch's textures and surfaces in the CPU engine's memory.
#pragma once

#include <cstdint>
#include <vector>

#include "instrumentation/catalog/kernel.h"
#include "simt/functional/memory/memory.h"

namespace warplens::app {

/// `buffer_addresses`: where PreparedLaunch::buffers lie in `memory`. Returns the images' handles, as
/// instrumentation::lay_out_arguments wants them; by their names, too, the kernel's instructions find them.
std::vector<std::uint64_t> bind_images(const instrumentation::PreparedLaunch& launch,
                                       const std::vector<std::uint64_t>& buffer_addresses,
                                       simt::GlobalMemory& memory);

}  // namespace warplens::app
