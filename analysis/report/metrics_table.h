// The rows of the metrics table. Internal to analysis/report/metrics.cpp: a new number of the report gets its
// row in metrics_table.cpp, one of memory requests in access_figures.cpp.
#pragma once

#include <vector>

#include "analysis/report/metrics.h"

namespace warplens::analysis {

std::vector<Metric> make_metrics_table();

}  // namespace warplens::analysis
