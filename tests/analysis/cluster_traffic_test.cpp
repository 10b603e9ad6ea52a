// Which block of a cluster accesses which block's shared memory.
#include "analysis/memory/cluster_traffic.h"

#include <gtest/gtest.h>

#include "core/cluster.h"
#include "trace/recorder.h"

namespace warplens::analysis {
namespace {

/// Blocks of one warp in clusters of 2 x 2; block b's lane l accesses rank l % 4, but rank 3 accesses nobody.
trace::Trace four_by_four(Operation operation) {
    Program program;
    Site site;
    site.opcode = "atom.add.u32";
    site.kind = SiteKind::memory;
    site.operation = operation;
    site.bytes_per_lane = 4;
    program.sites.push_back(site);
    program.basic_blocks.push_back({0, 1});
    trace::Launch launch;
    launch.geometry = {.grid = {4, 4, 1}, .block = {32, 1, 1}, .cluster = {2, 2, 1}};
    const LaunchGeometry geometry = launch.geometry;
    trace::Recorder recorder(std::move(launch), std::move(program), {});
    for (std::uint64_t block = 0; block < 16; ++block) {
        auto observer = recorder.begin_block(block);
        const bool busy = place_in_cluster(block, geometry).rank != 3;
        if (busy) {
            observer->visit(0, 0, {0xffffffffu});
            trace::Addresses addresses{};
            for (std::size_t lane = 0; lane < 32; ++lane) addresses[lane] = (lane % 4) << 24 | 4 * lane;
            observer->access(0, {0, {0xffffffffu}, Space::shared_cluster, operation, 4, &addresses});
        }
        recorder.finish(block, std::move(observer));
    }
    return recorder.take();
}

TEST(cluster_traffic, every_block_is_counted_against_every_memory) {
    const trace::Trace trace = four_by_four(Operation::atomic);
    EXPECT_EQ(recorded_clusters(trace), (std::vector<std::uint64_t>{0, 1, 2, 3}));
    const ClusterTraffic traffic = cluster_traffic(trace, 3);
    EXPECT_EQ(traffic.blocks, (std::vector<std::uint64_t>{10, 11, 14, 15}));
    for (std::size_t who = 0; who < 4; ++who) {
        for (std::size_t whose = 0; whose < 4; ++whose) {
            const ClusterCell& cell = traffic.cell(who, whose);
            EXPECT_EQ(cell.atomics, who == 3 ? 0u : 8u);
            EXPECT_EQ(cell.requests, who == 3 ? 0u : 1u);
            EXPECT_EQ(cell.bytes, who == 3 ? 0u : 32u);
            EXPECT_EQ(cell.loads + cell.stores, 0u);
        }
    }
    EXPECT_EQ(traffic.all().accesses(), 96u);
    EXPECT_EQ(traffic.to_others().accesses(), 72u);
    ASSERT_EQ(traffic.sites.size(), 1u);
    EXPECT_EQ(traffic.sites[0].second.atomics, 96u);
}

TEST(cluster_traffic, loads_and_stores_are_distinguished) {
    EXPECT_EQ(cluster_traffic(four_by_four(Operation::load), 0).all().loads, 96u);
    EXPECT_EQ(cluster_traffic(four_by_four(Operation::store), 0).all().stores, 96u);
}

TEST(cluster_traffic, the_words_of_a_memory_are_counted_one_by_one) {
    // Lanes 2, 6 ... 30 of block 10 go to words 2, 6 ... 30 of rank 2.
    const ClusterWords words = cluster_words(four_by_four(Operation::atomic), 3, 0, 2);
    EXPECT_EQ(words.first, 8u);
    ASSERT_EQ(words.counts.size(), 29u);
    for (std::size_t word = 0; word < words.counts.size(); ++word)
        EXPECT_EQ(words.counts[word], word % 4 == 0 ? 1u : 0u) << word;
    EXPECT_EQ(words.sum, 8u);
    EXPECT_EQ(words.most, 1u);
    EXPECT_TRUE(cluster_words(four_by_four(Operation::atomic), 3, 3, 0).counts.empty());
}

TEST(cluster_traffic, a_launch_without_clusters_has_none) {
    trace::Trace trace = four_by_four(Operation::load);
    trace.launch.geometry.cluster = {};
    EXPECT_TRUE(recorded_clusters(trace).empty());
}

TEST(cluster_place, ranks_count_x_first_and_blocks_of_a_cluster_lead_back_to_it) {
    const LaunchGeometry geometry{.grid = {4, 6, 4}, .block = {1, 1, 1}, .cluster = {2, 3, 2}};
    for (std::uint64_t block = 0; block < geometry.blocks(); ++block) {
        const auto mates = blocks_of_cluster(linear_cluster(block, geometry), geometry);
        EXPECT_EQ(mates[place_in_cluster(block, geometry).rank], block);
    }
}

}  // namespace
}  // namespace warplens::analysis
