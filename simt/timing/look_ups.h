// LookUps: how an SM reads constants by LDC and special registers by S2R. What the warps of a sub-partition
// ask for goes in order through its queue of the MIO. A constant whose line has yet to come waits aside,
// until eight of the sub-partition do; the next one holds those behind it. Indices of threads have a way of
// their own. Source: h200_starts.csv, samples of 299 kernels on an H200
// (docs/notebook/timing/warp_starts.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "simt/timing/server.h"

namespace warplens::simt {

class LookUps {
  public:
    explicit LookUps(int partitions) : partitions_(static_cast<std::size_t>(partitions)) {}

    struct Times {
        double leaves_queue = 0, served = 0;
    };

    /// An index of a thread, asked for at cycle `at`.
    Times thread_index(double at) {
        const double served = indices_.take(at, interval);
        return {at, served};
    }

    /// A special register, or a constant that all lanes want, whose line is there from `ready` on.
    Times look_up(int partition, double at, double ready) {
        Partition& own = partitions_[static_cast<std::size_t>(partition)];
        double begin = std::max(at, own.free);
        std::erase_if(own.aside, [&](double each) { return each <= begin; });
        double served = 0;
        if (ready > begin && own.aside.size() < most_aside) {
            own.aside.push_back(ready);
            served = ready;
        } else if (ready > begin) {
            begin = ready;
            own.was_held = true;
        }
        own.was_held &= begin > at;
        // All sub-partitions wait for the same line, and then share the SM's rate.
        if (!own.was_held) begin = all_.take(begin, interval);
        own.free = begin + (own.was_held ? double(partitions_.size()) : 1) * interval;
        return {begin, std::max(served, begin)};
    }

  private:
    static constexpr double interval = 2;  // cycles for which one occupies the SM
    static constexpr std::size_t most_aside = 8;
    struct Partition {
        double free = 0;
        bool was_held = false;      // by a missing line; those that came meanwhile have yet to go
        std::vector<double> aside;  // when the line of each is there
    };
    std::vector<Partition> partitions_;
    Server all_, indices_;
};

}  // namespace warplens::simt
