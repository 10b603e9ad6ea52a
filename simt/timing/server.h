// Server: a unit that serves one thing after another. What comes while it is busy waits its turn.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warplens::simt {

inline constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// The first whole cycle at or after a moment; never, when it is too far off to be counted.
inline std::uint32_t whole_cycle(double moment) {
    return moment < double(never) ? static_cast<std::uint32_t>(std::ceil(moment)) : never;
}

struct Server {
    double free = 0;  // cycle from which it can begin the next

    /// Begins at `at` or when it is free, is then taken for `cost` cycles; returns the cycle of the
    /// beginning.
    double take(double at, double cost) {
        const double begin = std::max(at, free);
        free = begin + cost;
        return begin;
    }
};

}  // namespace warplens::simt
