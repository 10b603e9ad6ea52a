#include "core/free_memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace warplens {

std::uint64_t free_memory() {
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        unsigned long long kibibytes = 0;
        if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kibibytes) == 1)
            return std::uint64_t{kibibytes} * 1024;
    }
    return static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
           static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

std::string memory_text(std::uint64_t bytes) {
    if (bytes >= std::uint64_t{1} << 30)
        return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / 0x1p30);
    if (bytes >= std::uint64_t{1} << 20)
        return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / 0x1p20);
    return fmt::format("{} bytes", bytes);
}

}  // namespace warplens
