// Measured: a GPU's clock readings of a launch — the SM and slot of each warp, when it began, entered basic
// blocks, waited at barriers and ended — and the cost of recording. It belongs to the Trace of the same
// recording (Trace::measured); the model's counterpart is Schedule. Times are cycles of the warp's own SM;
// two SMs are comparable only through their timer, to Measured::timer_bound_ns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/caches.h"
#include "core/timing_options.h"

namespace warplens::trace {

/// No clock was read: the visit follows from the one before it.
inline constexpr std::uint32_t no_time = 0xffffffffu;

/// One warp of a recorded block, from the light recording. All cycles count from Measured's zero of the
/// warp's SM.
struct MeasuredWarp {
    std::uint64_t block = 0;  // linear
    std::uint32_t warp = 0;   // within the block
    std::uint16_t sm = 0;     // %smid
    std::uint16_t slot = 0;   // %warpid: the hardware's slot, at the warp's start
    std::uint32_t begin = 0, end = 0;
    std::uint64_t visits_begin = 0, visits_end = 0;  // into Measured::visits
    friend bool operator==(const MeasuredWarp&, const MeasuredWarp&) = default;
};

/// One visit of a basic block, from the light recording, in the warp's order.
struct MeasuredVisit {
    std::uint32_t basic_block = 0;
    std::uint32_t active = 0;         // lane mask
    std::uint32_t entered = no_time;  // cycle
    std::uint32_t arrived = no_time;  // at the barrier before the visit; entered - arrived: the wait
    friend bool operator==(const MeasuredVisit&, const MeasuredVisit&) = default;
};

/// From an SM's cycles to the launch's nanoseconds: ns = offset_ns + cycle / clock_hz * 1e9.
struct MeasuredSm {
    std::uint16_t sm = 0;
    double offset_ns = 0;  // of its cycle 0, from the launch's first warp on any SM
    friend bool operator==(const MeasuredSm&, const MeasuredSm&) = default;
};

/// The cost of one recording mode for the launch.
struct Perturbation {
    std::string mode;     // "light", "full", "proof"
    double clean_us = 0;  // the original kernel on the same buffers: median of `repeats`
    double traced_us = 0;
    int repeats = 0;
    int clean_registers = 0, traced_registers = 0;          // per thread
    int clean_blocks_per_sm = 0, traced_blocks_per_sm = 0;  // as the driver computes them
    std::uint64_t records = 0;                              // written, of all kinds
    std::uint64_t recorded_bytes = 0;                       // size of the records, without unused space
    std::uint64_t dropped_records = 0;                      // for lack of space
    std::uint64_t enough_bytes = 0;  // the recording space sufficient for all; 0 if nothing was dropped
    bool identical_results = true;   // every buffer is bit-identical to the original kernel's
    friend bool operator==(const Perturbation&, const Perturbation&) = default;

    double slowdown() const { return clean_us > 0 ? traced_us / clean_us : 0; }
};

struct Measured {
    std::string device;  // "NVIDIA H200"
    std::string driver;  // "580.159.04 (CUDA 13.0)", as far as it is known
    std::string date;    // ISO, of the recording
    int compute_major = 0, compute_minor = 0;
    int sm_count = 0;
    Caches caches = Caches::warm;  // of every launch: the clean ones and the recorded ones
    double clock_hz = 0;           // of the SMs during the launch, from the timer
    /// Of visits behind a barrier, `entered` is not a clock that the warp read: it follows from the last
    /// arrival of the block's warps, and what one then takes to go on.
    bool openings_derived = false;
    double timer_bound_ns = 0;                // bound on the offset between two SMs' times
    std::vector<Perturbation> perturbations;  // one per mode that was run; the times below are light's
    /// The source of the Trace's addresses: "recorded", or "proven": from the CPU engine, with the hash of
    /// every lane's addresses equal to the GPU's. Empty if there are none.
    std::string addresses;
    std::vector<MeasuredSm> sms;      // ascending
    std::vector<MeasuredWarp> warps;  // by block, then warp
    std::vector<MeasuredVisit> visits;
    friend bool operator==(const Measured&, const Measured&) = default;
};

/// `options` with the caches as they were when the launch was measured: what the timing model is asked for a
/// comparison with the measured times. The only place that decides it.
TimingOptions under_measured_condition(const Measured& measured, TimingOptions options = {});

/// "caches warm, as in the recording": the condition of a comparison.
std::string condition_words(const Measured& measured);

/// The first violated invariant of the above; empty if there is none.
std::string check(const Measured& measured);

}  // namespace warplens::trace
