// Server: a unit that serves one thing after another. What comes while it is busy waits its turn.
#pragma once

#include <algorithm>

namespace warplens::simt {

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
