// Dram: one SM's share of the GPU's memory, with the other SMs as busy as this one. Granules are served in
// order at the rate the share allows; the way there and back takes longer the busier the memory is, and a mix
// of reads and writes costs both rate and time, because the bus has to turn round.
#pragma once

#include "core/gpu_spec.h"
#include "core/sm_timing.h"
#include "simt/timing/server.h"

namespace warplens::simt {

class Dram {
  public:
    /// `sms` share the bandwidth equally; a granule is `granule_bytes` large.
    Dram(const GpuSpec& gpu, const SmTiming& timing, double sms, double granule_bytes);

    /// A granule asked for at cycle `at`: the cycle from which the unloaded latency runs.
    double read(double at) { return serve(at, 0); }
    double write(double at) { return serve(at, 1); }

  private:
    double serve(double at, double written);

    const SmTiming& timing_;
    double interval_ = 0;  // cycles a granule, all going one way; 0: no limit is known
    Server server_;
    // Means over the last dram_memory cycles or so: the part of them that was busy, and of it with writes.
    double busy_ = 0, writing_ = 0, known_until_ = 0;
};

}  // namespace warplens::simt
