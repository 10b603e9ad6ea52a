// Server: a unit that serves one item after another. Items that arrive while it is busy wait.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warplens::simt {

inline constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// The first whole cycle at or after a moment; `never` if it is too far away to count.
inline std::uint32_t whole_cycle(double moment) {
    return moment < double(never) ? static_cast<std::uint32_t>(std::ceil(moment)) : never;
}

struct Server {
    double free = 0;  // cycle from which it can begin the next item
    double busy = 0;  // cycles in all

    /// Begins at `at` or when it is free and is then busy for `cost` cycles; returns the first of them.
    double take(double at, double cost) {
        const double begin = std::max(at, free);
        free = begin + cost;
        busy += cost;
        return begin;
    }
};

}  // namespace warplens::simt
