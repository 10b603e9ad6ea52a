#include "analysis/memory/cluster_traffic.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/cluster.h"
#include "trace/query.h"

namespace warplens::analysis {

void ClusterCell::add(const ClusterCell& other) {
    requests += other.requests;
    loads += other.loads;
    stores += other.stores;
    atomics += other.atomics;
    bytes += other.bytes;
    first_access = std::min(first_access, other.first_access);
}

ClusterCell ClusterTraffic::all() const {
    ClusterCell sum;
    for (const ClusterCell& one : cells) sum.add(one);
    return sum;
}

ClusterCell ClusterTraffic::to_others() const {
    ClusterCell sum;
    for (std::size_t who = 0; who < ranks(); ++who)
        for (std::size_t whose = 0; whose < ranks(); ++whose)
            if (who != whose) sum.add(cell(who, whose));
    return sum;
}

std::vector<std::uint64_t> recorded_clusters(const trace::Trace& trace) {
    if (trace.launch.geometry.cluster.count() == 1) return {};
    std::set<std::uint64_t> clusters;
    for (const std::uint64_t block : trace::recorded_blocks(trace))
        clusters.insert(linear_cluster(block, trace.launch.geometry));
    return {clusters.begin(), clusters.end()};
}

ClusterTraffic cluster_traffic(const trace::Trace& trace, std::uint64_t cluster) {
    const LaunchGeometry& geometry = trace.launch.geometry;
    ClusterTraffic made;
    made.cluster = cluster;
    made.blocks = blocks_of_cluster(cluster, geometry);
    made.recorded.resize(made.ranks());
    made.cells.resize(made.ranks() * made.ranks());
    std::map<SiteId, ClusterCell> sites;
    for (const trace::WarpRecord& warp : trace.warps) {
        if (linear_cluster(warp.block, geometry) != cluster) continue;
        const std::size_t who = place_in_cluster(warp.block, geometry).rank;
        made.recorded[who] = true;
        for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i) {
            const trace::AccessRecord& record = trace.accesses[i];
            if (record.space != Space::shared_cluster) continue;
            const trace::Addresses addresses = trace::addresses_of(trace, record);
            const Operation operation = trace::operation_of(trace, record);
            const std::uint32_t bytes = trace.program.sites[record.site].bytes_per_lane;
            std::uint32_t met = 0;
            for_each_lane(record.mask, [&](int lane) {
                const std::uint32_t whose = rank_of(addresses[static_cast<std::size_t>(lane)]);
                if (whose >= made.ranks()) return;
                ClusterCell one;
                one.requests = (met >> whose & 1) == 0;
                met |= 1u << whose;
                (operation == Operation::load    ? one.loads
                 : operation == Operation::store ? one.stores
                                                 : one.atomics) = 1;
                one.bytes = bytes;
                one.first_access = i;
                made.cells[who * made.ranks() + whose].add(one);
                sites[record.site].add(one);
            });
        }
    }
    made.sites.assign(sites.begin(), sites.end());
    std::ranges::stable_sort(made.sites, std::ranges::greater{},
                             [](const auto& site) { return site.second.accesses(); });
    return made;
}

ClusterWords cluster_words(const trace::Trace& trace, std::uint64_t cluster, std::uint32_t who,
                           std::uint32_t whose) {
    constexpr std::uint64_t word_bytes = 4;
    const LaunchGeometry& geometry = trace.launch.geometry;
    std::map<std::uint64_t, std::uint64_t> counts;  // by word
    for (const trace::WarpRecord& warp : trace.warps) {
        if (linear_cluster(warp.block, geometry) != cluster ||
            place_in_cluster(warp.block, geometry).rank != who)
            continue;
        for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i) {
            const trace::AccessRecord& record = trace.accesses[i];
            if (record.space != Space::shared_cluster) continue;
            const trace::Addresses addresses = trace::addresses_of(trace, record);
            const std::uint64_t bytes =
                std::max<std::uint32_t>(1, trace.program.sites[record.site].bytes_per_lane);
            for_each_lane(record.mask, [&](int lane) {
                const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
                if (rank_of(address) != whose) return;
                const std::uint64_t offset = address & ((std::uint64_t{1} << rank_shift) - 1);
                for (std::uint64_t word = offset / word_bytes; word <= (offset + bytes - 1) / word_bytes;
                     ++word)
                    ++counts[word];
            });
        }
    }
    ClusterWords words;
    if (counts.empty()) return words;
    words.first = counts.begin()->first * word_bytes;
    words.counts.resize(counts.rbegin()->first - counts.begin()->first + 1);
    for (const auto& [word, count] : counts) {
        words.counts[word - counts.begin()->first] = count;
        words.most = std::max(words.most, count);
        words.sum += count;
    }
    return words;
}

}  // namespace warplens::analysis
