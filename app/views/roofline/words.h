// The words of the roofline view: its title, the calculation of each point and the notes below the
// drawing. Text only, from a Roofline and a Schedule's cycles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/roofline.h"
#include "app/views/shared/headline.h"
#include "core/gpu_spec.h"

namespace warplens::app {

/// Operations per second in `seconds`; 0 when there is no time.
double rate_of(const analysis::Roofline& roofline, const std::optional<double>& seconds);
/// The minimum bytes per second, measured if available, else modelled; 0 when there is no time.
double byte_rate_of(const analysis::Roofline& roofline);
/// Bytes per second between L2 and all SMs together; 0: unknown.
double l2_bytes_per_second(const GpuSpec& gpu);

/// "`saxpy`: 0.17 FLOP/byte, 1.2 TFLOP/s modelled; the memory roof allows 0.8 TFLOP/s".
std::string roofline_title(const std::string& kernel, const analysis::Roofline& roofline, const GpuSpec& gpu);

/// What the title adds of a run beside it: "; PAD=0 reaches 0.93 TB/s (+46 %)". Empty where the rates are of
/// two kinds, or one is unknown.
std::string roofline_change_words(const analysis::Roofline& before, std::string_view before_name,
                                  const analysis::Roofline& now);

/// The share of the roof that was reached, and what sets that roof; empty without a time or a roof.
Headline roofline_headline(const analysis::Roofline& roofline);

/// The arithmetic, one step per line.
struct RooflineStep {
    std::string what;   // "intensity"
    std::string steps;  // "33,554,432 / 786,432 = 42.7 FLOP/B"
};
std::vector<RooflineStep> roofline_steps(const analysis::Roofline& roofline, const GpuSpec& gpu,
                                         double cycles);

/// What the second, hollow point means, with its numbers.
std::string requested_bytes_sentence(const analysis::Roofline& roofline);

}  // namespace warplens::app
