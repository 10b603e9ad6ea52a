// ClusterTraffic: which block of a cluster reads, writes and updates which block's shared memory, counted
// exactly from a trace. It counts accesses through the cluster's window (ld.shared::cluster, or a generic
// address from mapa), also to a block's own memory; ordinary shared accesses are not included.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace warplens::analysis {

/// One block's accesses to one block's memory. All counts except `requests` are threads.
struct ClusterCell {
    std::uint64_t requests = 0;
    std::uint64_t loads = 0, stores = 0, atomics = 0;
    std::uint64_t bytes = 0;
    std::uint64_t first_access = ~std::uint64_t{0};  // index into Trace::accesses

    std::uint64_t accesses() const { return loads + stores + atomics; }
    void add(const ClusterCell& other);
};

struct ClusterTraffic {
    std::uint64_t cluster = 0;                          // linear, in the grid of clusters
    std::vector<std::uint64_t> blocks;                  // linear, by rank
    std::vector<bool> recorded;                         // by rank: whether the trace contains the block
    std::vector<ClusterCell> cells;                     // row: accessing block; column: owner of the memory
    std::vector<std::pair<SiteId, ClusterCell>> sites;  // most accesses first

    std::size_t ranks() const { return blocks.size(); }
    const ClusterCell& cell(std::size_t who, std::size_t whose) const { return cells[who * ranks() + whose]; }
    ClusterCell all() const;
    /// Accesses to other blocks.
    ClusterCell to_others() const;
};

/// Accesses of one block to the words of one block's shared memory, threads counted as in ClusterCell.
struct ClusterWords {
    std::uint64_t first = 0;            // offset in bytes of the first accessed word
    std::vector<std::uint64_t> counts;  // per 4-byte word from there to the last accessed one
    std::uint64_t most = 0,
                  sum = 0;  // maximum and sum of the counts; an access of several words counts in each
};
ClusterWords cluster_words(const trace::Trace& trace, std::uint64_t cluster, std::uint32_t who,
                           std::uint32_t whose);

/// Clusters with a block in the trace, ascending; empty if the launch has no clusters.
std::vector<std::uint64_t> recorded_clusters(const trace::Trace& trace);
ClusterTraffic cluster_traffic(const trace::Trace& trace, std::uint64_t cluster);

}  // namespace warplens::analysis
