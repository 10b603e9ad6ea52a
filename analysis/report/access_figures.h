// The kinds of memory requests and the figures of each: one table for the metrics and for the report as JSON
// and as text. A new kind of access gets its row in access_kinds, a new figure its row in access_figures.cpp.
#pragma once

#include <array>
#include <span>

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

/// What the requests of a space are counted in. Which sectors a texture's or surface's request touches is not
/// known.
enum class AccessCost : std::uint8_t { sectors, wavefronts, requests_only };
AccessCost cost_of(Space space);

/// "global load"
std::string words_of(const AccessKind& kind);

using AccessCount = std::uint64_t (*)(const AccessTotals&);

struct AccessFigure {
    const char* name;  // "sectors_per_request"
    const char* unit;
    const char* meaning;
    Better better;
    AccessCount of;               // the figure, or its dividend
    AccessCount per = nullptr;    // its divisor
    AccessCount needs = nullptr;  // the figure says nothing where this count is 0

    bool is_sum() const { return !per && !needs; }
    bool is_about_requests() const;
};

/// In the order of the report's JSON.
std::span<const AccessFigure> access_figures(const AccessKind& kind);

/// Why a high value costs time, of the figures where less is better; else empty.
const char* cause_of(const AccessKind& kind, const AccessFigure& figure);

}  // namespace warplens::analysis
