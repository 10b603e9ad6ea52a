// The part of a report that a GPU measured, for the two forms of it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "analysis/report/launch_report.h"

namespace warplens::analysis {

/// "perturbation": the cost of the mode that the times come from, and all modes'; null when nothing
/// was measured.
nlohmann::ordered_json perturbation_row(const LaunchReport& report);
/// "measured"; null when nothing was.
nlohmann::ordered_json measured_row(const LaunchReport& report);
/// Lines for a terminal, the first of them a heading; none when nothing was measured.
std::vector<std::string> measured_lines(const LaunchReport& report);

}  // namespace warplens::analysis
