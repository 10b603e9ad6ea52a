// The drawing of the clusters view: the matrix of ranks, and the instructions of its numbers.
#pragma once

#include <imgui.h>

#include <optional>
#include <string_view>

#include "analysis/memory/cluster_traffic.h"
#include "app/ui/ink.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// A cell: the block that accesses, and the block whose memory it is, by rank.
struct ClusterSpot {
    std::uint32_t who = 0, whose = 0;
    friend bool operator==(const ClusterSpot&, const ClusterSpot&) = default;
};

/// Height in which every block has a legible row.
float clusters_matrix_least_height(const Theme& theme, const analysis::ClusterTraffic& traffic);

/// The largest part of a box of this height that the matrix takes.
float clusters_matrix_width(const Theme& theme, const analysis::ClusterTraffic& traffic, float height);

struct ClusterMatrix {
    const analysis::ClusterTraffic& traffic;
    std::optional<ClusterSpot> chosen;
    bool interactive = false;
    /// Of another run, drawn beside: both at one scale, and cells that differ outlined. Null: there is none.
    const analysis::ClusterTraffic* other = nullptr;
    std::string_view hits = "cluster cell";  // what names of hit boxes begin with
};
/// Returns the cell that was clicked.
std::optional<ClusterSpot> draw_cluster_matrix(ImDrawList& list, const Theme& theme, Box box,
                                               const ClusterMatrix& matrix);
/// Both runs have the cell and access it differently.
bool cluster_cell_differs(const analysis::ClusterTraffic& traffic, const analysis::ClusterTraffic& other,
                          ClusterSpot spot);
/// Of the cells that both have.
bool every_cluster_cell_differs(const analysis::ClusterTraffic& traffic,
                                const analysis::ClusterTraffic& other);

float clusters_lines_height(const Theme& theme, const analysis::ClusterTraffic& traffic);
void draw_cluster_lines(ImDrawList& list, const Theme& theme, Box box,
                        const analysis::ClusterTraffic& traffic, const Program& program);

}  // namespace warplens::app
