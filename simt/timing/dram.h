// Dram: one SM's share of the GPU's memory bandwidth, with the other SMs as busy as this one. Granules are
// served in order at the rate of the share. Latency grows with utilization, and mixed reads and writes reduce
// the rate and add latency, because the bus changes direction. A refresh delays what it finds, unless that
// has to wait as long anyway.
#pragma once

#include <algorithm>

#include "core/gpu_spec.h"
#include "core/sm_timing.h"
#include "simt/timing/dram_refresh.h"
#include "simt/timing/server.h"

namespace warplens::simt {

/// Of granules of a request that reads several whole lines: the share of a granule's time, and the cycles
/// that stand for the queue's latency (h200_patterns.csv: streams of four words for each thread).
inline constexpr double whole_lines_share = 0.94, whole_lines_queue_latency = 50;

class Dram {
  public:
    /// `sms` share the bandwidth equally; a granule has `granule_bytes`. `refresh_phase`: DramRefresh's.
    Dram(const GpuSpec& gpu, const SmTiming& timing, double sms, double granule_bytes, double refresh_phase);

    /// A granule, of which this is a sector, requested at cycle `at`, as one of several whole lines or not:
    /// returns the cycle at which the unloaded latency begins.
    double read(double at, SectorId sector, bool of_whole_lines) {
        const double served = of_whole_lines ? serve(at, 0, whole_lines_share, whole_lines_queue_latency)
                                             : serve(at, 0, 1, timing_.dram_queue_latency);
        return std::max(served, refresh_.serves(at, sector));
    }
    double write(double at) { return serve(at, 1, 1, timing_.dram_queue_latency); }
    /// What L2 writes, whether DRAM does or not, is served in turn with what is read from DRAM
    /// (h200_patterns.csv): `cycles` of it; returns the cycle at which they end.
    double write_in_l2(double at, double cycles) { return server_.take(at, cycles) + cycles; }
    /// Cycles by which refreshes delay a read in the mean, if nothing else does.
    double mean_refresh() const { return refresh_.mean(); }

  private:
    /// `share` of a granule's time; `queue_latency`: cycles at full load.
    double serve(double at, double written, double share, double queue_latency);

    const SmTiming& timing_;
    DramRefresh refresh_;
    double interval_ = 0;  // cycles per granule, in one direction; 0: no limit is known
    Server server_;
    // Averages over about the last memory_cycles cycles: the busy share, and its share of writes.
    double busy_ = 0, writing_ = 0, known_until_ = 0;
};

}  // namespace warplens::simt
