// The measured part of a report, as JSON and as text.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "core/json.h"

namespace warplens::analysis {

/// "perturbation": the cost of the mode that the times are from, and of all modes; null if nothing was
/// measured.
Json perturbation_row(const LaunchReport& report);
/// "measured"; null if nothing was measured.
Json measured_row(const LaunchReport& report);
/// Lines for a terminal, beginning with a heading; empty if nothing was measured.
std::vector<std::string> measured_lines(const LaunchReport& report);

}  // namespace warplens::analysis
