// Puts a buffer of a launch into the CPU engine's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"
#include "simt/functional/memory/memory.h"

namespace warplens::app {

/// At the address `at`, or where the engine chooses if that is 0, or not free and not `fixed`. Returns where
/// it lies. The error names the buffer that it would overlap.
Result<std::uint64_t> place_buffer(const instrumentation::PreparedBuffer& buffer,
                                   std::vector<std::byte> contents, std::uint64_t at, bool fixed,
                                   simt::GlobalMemory& memory);

}  // namespace warplens::app
