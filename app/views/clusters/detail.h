// One cell of the clusters view in detail: a warp's request with the blocks that its lanes access, and how
// often each word of the other block's memory was accessed.
#pragma once

#include <imgui.h>

#include <optional>

#include "analysis/memory/cluster_traffic.h"
#include "app/views/clusters/drawing.h"

namespace warplens::app {

struct ClusterDetail {
    ClusterSpot spot;
    std::uint64_t access = ~std::uint64_t{0};  // the request that is drawn, index into Trace::accesses
    analysis::ClusterWords words;
};

/// Returns the lane that the mouse is on; -1: none.
int draw_cluster_request(ImDrawList& list, const Theme& theme, Box box, const trace::Trace& trace,
                         const analysis::ClusterTraffic& traffic, const ClusterDetail& detail,
                         int chosen_lane, bool interactive);
void draw_cluster_words(ImDrawList& list, const Theme& theme, Box box, const trace::Trace& trace,
                        const analysis::ClusterTraffic& traffic, const ClusterDetail& detail,
                        bool interactive);

}  // namespace warplens::app
