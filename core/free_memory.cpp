#include "core/free_memory.h"

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

}  // namespace warplens
