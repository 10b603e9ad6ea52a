// How recording changed a measured launch, in words: short for the status line, which always shows it with
// measured data, and in full for the Measured view.
#pragma once

#include <string>
#include <vector>

#include "trace/measured.h"

namespace warplens::app {

/// "6.1 µs", "1.25 ms": microseconds with the unit that reads best.
std::string microseconds_words(double microseconds);
/// Nanoseconds as a tick or a length: "1.25 µs", and "12 ns" where they are few.
std::string nanoseconds_words(double ns);

/// "clean 6.1 µs · light ×1.12 (+3 registers) · full ×2.1 · 0 dropped"; empty when nothing is known.
std::string perturbation_words(const trace::Measured& measured);

/// Warnings about the times, one sentence each: changed occupancy, dropped records with the space that would
/// have been enough, different results. Empty when nothing is wrong.
std::vector<std::string> perturbation_warnings(const trace::Measured& measured);

/// Where the launch that the times of blocks and warps are from took another time than the median of the
/// recorded ones: which launch it was, as a sentence. `length_ns`: from its first warp's start to its last
/// warp's end. Empty where both are close, or one is not known.
std::string repeat_words(const trace::Measured& measured, double length_ns);

/// The addresses of the trace: recorded or proven, as a sentence; empty when there are none.
std::string address_words(const trace::Measured& measured);

/// "NVIDIA H200, driver 580.159.04 (CUDA 13.0), 2026-11-21".
std::string device_words(const trace::Measured& measured);

}  // namespace warplens::app
