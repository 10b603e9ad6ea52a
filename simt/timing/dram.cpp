#include "simt/timing/dram.h"

#include <algorithm>
#include <cmath>

namespace warplens::simt {
namespace {

constexpr double memory_cycles = 1000;  // averaging window: about one latency
constexpr double busiest = 0.95;        // above it the queue determines the time

}  // namespace

Dram::Dram(const GpuSpec& gpu, const SmTiming& timing, double sms, double granule_bytes, double refresh_phase)
    : timing_(timing), refresh_(memory_places(gpu), refresh_phase) {
    const double bytes_per_cycle =
        timing.clock_hz > 0 ? gpu.dram_bytes_per_second * timing.dram_efficiency / timing.clock_hz : 0;
    if (bytes_per_cycle > 0) interval_ = granule_bytes * sms / bytes_per_cycle;
}

double Dram::serve(double at, double written, double share, double queue_latency) {
    if (interval_ == 0) return at;
    const double kept = std::exp(-std::max(0.0, at - known_until_) / memory_cycles);
    busy_ *= kept;
    writing_ *= kept;
    known_until_ = std::max(known_until_, at);

    const double writes = busy_ > 0 ? std::min(1.0, writing_ / busy_) : written;
    const double mix = 4 * writes * (1 - writes);  // 1 if reads and writes are half of the traffic each
    const double cost = share * interval_ * (1 + timing_.dram_turnaround * mix);
    const double served = server_.take(at, cost);
    busy_ += cost / memory_cycles;
    writing_ += written * cost / memory_cycles;

    const double load = std::min(busy_, busiest);
    return served + queue_latency * load * load / std::sqrt(1 - load) +
           timing_.dram_turnaround_latency * load * mix;
}

}  // namespace warplens::simt
