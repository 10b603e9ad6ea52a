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

class Dram {
  public:
    /// `sms` share the bandwidth equally; a granule has `granule_bytes`. `refresh_phase`: DramRefresh's.
    Dram(const GpuSpec& gpu, const SmTiming& timing, double sms, double granule_bytes, double refresh_phase);

    /// A granule, of which this is a sector, requested at cycle `at`: returns the cycle at which the unloaded
    /// latency begins.
    double read(double at, SectorId sector) { return std::max(serve(at, 0), refresh_.serves(at, sector)); }
    double write(double at) { return serve(at, 1); }
    /// Cycles by which refreshes delay a read in the mean, if nothing else does.
    double mean_refresh() const { return refresh_.mean(); }

  private:
    double serve(double at, double written);

    const SmTiming& timing_;
    DramRefresh refresh_;
    double interval_ = 0;  // cycles per granule, in one direction; 0: no limit is known
    Server server_;
    // Averages over about the last memory_cycles cycles: the busy share, and its share of writes.
    double busy_ = 0, writing_ = 0, known_until_ = 0;
};

}  // namespace warplens::simt
