// Free memory: what this process can still take without the machine swapping.
#pragma once

#include <cstdint>

namespace warplens {

/// Bytes: the kernel's own estimate, which counts caches that it would give up, else the free pages.
std::uint64_t free_memory();

}  // namespace warplens
