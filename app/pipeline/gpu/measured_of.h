// Turns the results of a GPU run into trace::Measured and words.
#pragma once

#include <string>
#include <string_view>

#include "app/pipeline/gpu/recording_size.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/decode/decode.h"
#include "instrumentation/device/gpu_recorder.h"
#include "trace/measured.h"

namespace warplens::app {

/// Device, date and times; perturbations and the addresses' origin are the caller's to fill.
trace::Measured measured_of(const instrumentation::DeviceFacts& device,
                            const instrumentation::Decoded& decoded);

/// Leaves the visits of these blocks alone, ascending; all warps keep begin, end and place.
void keep_visits_of(trace::Measured& measured, const std::vector<std::uint64_t>& blocks);

trace::Perturbation perturbation_of(instrumentation::RecordMode mode,
                                    const instrumentation::GpuKernelFacts& clean, int repeats,
                                    const instrumentation::GpuVariantResult& result,
                                    const instrumentation::Decoded& decoded);

UnitsAWarp units_a_warp(const instrumentation::RecordingPlan& plan, const instrumentation::Decoded& decoded);

/// "2026-11-21T22:03:11Z"
std::string utc_now();

/// "passed", "failed: …", "none".
std::string golden_words(const Result<instrumentation::GoldenResult>& golden);

}  // namespace warplens::app
