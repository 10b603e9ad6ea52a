// Free memory: what this process can still take without the machine swapping.
#pragma once

#include <cstdint>
#include <string>

namespace warplens {

/// Bytes: the kernel's own estimate, which counts caches that it would give up, else the free pages.
std::uint64_t free_memory();

/// "1.5 GiB", "3.0 MiB", "100 bytes": as messages name an amount of memory.
std::string memory_text(std::uint64_t bytes);

}  // namespace warplens
