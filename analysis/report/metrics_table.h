// The rows of the metrics table. Internal to analysis/report/metrics.cpp: a new number of the report gets its
// row in metrics_table.cpp, a new kind of access its row in access_kinds.
#pragma once

#include <array>
#include <vector>

#include "analysis/report/metrics.h"

namespace warplens::analysis {

struct AccessKind {
    const char* name;
    AccessTotals LaunchReport::*totals;
    Space space;
    Operation operation;
};

inline constexpr std::array<AccessKind, access_kind_count> access_kinds{{
    {"global_load", &LaunchReport::global_load, Space::global, Operation::load},
    {"global_store", &LaunchReport::global_store, Space::global, Operation::store},
    {"global_atomic", &LaunchReport::global_atomic, Space::global, Operation::atomic},
    {"local_load", &LaunchReport::local_load, Space::local, Operation::load},
    {"local_store", &LaunchReport::local_store, Space::local, Operation::store},
    {"shared_load", &LaunchReport::shared_load, Space::shared, Operation::load},
    {"shared_store", &LaunchReport::shared_store, Space::shared, Operation::store},
    {"shared_atomic", &LaunchReport::shared_atomic, Space::shared, Operation::atomic},
    {"constant_load", &LaunchReport::constant_load, Space::constant, Operation::load},
    {"texture_load", &LaunchReport::texture_load, Space::texture, Operation::load},
    {"surface_load", &LaunchReport::surface_load, Space::surface, Operation::load},
    {"surface_store", &LaunchReport::surface_store, Space::surface, Operation::store},
    {"surface_atomic", &LaunchReport::surface_atomic, Space::surface, Operation::atomic},
}};

std::vector<Metric> make_metrics_table();

}  // namespace warplens::analysis
