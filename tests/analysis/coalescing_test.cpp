#include "analysis/memory/coalescing.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/analysis/request.h"

namespace warplens::analysis {
namespace {

std::uint32_t sectors_at(std::uint32_t bytes, const std::function<std::uint64_t(std::uint64_t)>& address) {
    return count_sectors(global_request(bytes, address).access()).sectors;
}

/// The definition, byte by byte.
SectorCount count_sectors_by_sets(const Request& request) {
    std::set<std::uint64_t> bytes;
    std::set<std::uint64_t> sectors;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if (!request.mask.has(static_cast<int>(lane))) continue;
        for (std::uint32_t byte = 0; byte < request.bytes_per_lane; ++byte) {
            bytes.insert(request.addresses[lane] + byte);
            sectors.insert((request.addresses[lane] + byte) / 32);
        }
    }
    const auto lanes = static_cast<std::uint32_t>(request.mask.count());
    SectorCount count;
    count.sectors = static_cast<std::uint32_t>(sectors.size());
    count.ideal_sectors = std::min(count.sectors, (lanes * request.bytes_per_lane + 31) / 32);
    count.used_bytes = static_cast<std::uint32_t>(bytes.size());
    return count;
}

void expect_equal(const SectorCount& got, const SectorCount& want) {
    EXPECT_EQ(got.sectors, want.sectors);
    EXPECT_EQ(got.ideal_sectors, want.ideal_sectors);
    EXPECT_EQ(got.used_bytes, want.used_bytes);
}

TEST(coalescing, neighbouring_floats_need_four_sectors) {
    const SectorCount count =
        count_sectors(global_request(4, [](auto lane) { return 4096 + 4 * lane; }).access());
    expect_equal(count, {4, 4, 128});
}

TEST(coalescing, strided_floats_need_one_sector_a_lane_from_stride_eight_on) {
    const std::map<std::uint64_t, std::uint32_t> sectors_of_stride{
        {1, 4}, {2, 8}, {4, 16}, {8, 32}, {32, 32}};
    for (const auto& [stride, sectors] : sectors_of_stride)
        EXPECT_EQ(sectors_at(4, [stride = stride](auto lane) { return 4 * stride * lane; }), sectors)
            << stride;
}

TEST(coalescing, offsets_that_cross_a_sector_cost_one_more) {
    for (const std::uint64_t offset : {1, 2, 4, 31})
        EXPECT_EQ(sectors_at(4, [=](auto lane) { return 4 * (lane + offset); }), 5u) << offset;
    for (const std::uint64_t offset : {0, 8, 16, 32})
        EXPECT_EQ(sectors_at(4, [=](auto lane) { return 4 * (lane + offset); }), 4u) << offset;
}

TEST(coalescing, wide_accesses_need_a_sector_for_each_32_bytes) {
    EXPECT_EQ(sectors_at(8, [](auto lane) { return 8 * lane; }), 8u);
    EXPECT_EQ(sectors_at(16, [](auto lane) { return 16 * lane; }), 16u);
    EXPECT_EQ(sectors_at(1, [](auto lane) { return lane; }), 1u);
}

TEST(coalescing, broadcast_is_its_own_ideal) {
    expect_equal(count_sectors(global_request(4, [](auto) { return 512; }).access()), {1, 1, 4});
    // two rows of a matrix, each row's lanes at one element
    expect_equal(count_sectors(global_request(4, [](auto lane) { return 2048 * (lane / 16); }).access()),
                 {2, 2, 8});
}

TEST(coalescing, ideal_counts_lanes_not_distinct_addresses) {
    // 16 columns read by two rows of lanes, each in a sector of its own: the profiler's ideal is 4, not 2
    expect_equal(count_sectors(global_request(4, [](auto lane) { return 2048 * (lane % 16); }).access()),
                 {16, 4, 64});
}

TEST(coalescing, lanes_that_are_off_need_nothing) {
    Request request = global_request(4, [](auto lane) { return 4 * lane; });
    request.mask = LaneMask::first(9);
    expect_equal(count_sectors(request.access()), {2, 2, 36});
    request.mask = LaneMask::none();
    expect_equal(count_sectors(request.access()), {0, 0, 0});
}

TEST(coalescing, counts_equal_the_definition_on_random_requests) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 4000; ++round) {
        Request request;
        request.bytes_per_lane = 1u << random() % 6;
        const std::uint64_t span = 1ull << (random() % 14 + 1);
        const bool aligned = random() % 4 != 0;
        const std::uint64_t stride = random() % 64;
        const auto family = random() % 3;
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            std::uint64_t address = random() % span;
            if (family == 1) address = (lane * stride) % span;
            if (family == 2) address = (32 - lane) * stride;
            request.addresses[lane] = aligned ? address * request.bytes_per_lane : address;
        }
        if (random() % 2 == 0) request.mask = LaneMask{static_cast<std::uint32_t>(random())};
        const SectorCount want = count_sectors_by_sets(request);
        expect_equal(count_sectors(request.access()), want);
        expect_equal(detail_sectors(request.access()).count, want);
    }
}

TEST(coalescing, detail_names_the_bytes_and_lanes_of_each_sector) {
    const SectorDetail detail =
        detail_sectors(global_request(4, [](auto lane) { return 64 + 8 * lane; }).access());
    ASSERT_EQ(detail.sectors.size(), 8u);
    EXPECT_EQ(detail.sectors[0].address, 64u);
    EXPECT_EQ(detail.sectors[0].byte_mask, 0x0f0f0f0fu);
    EXPECT_EQ(detail.sectors[0].lanes.bits, 0xfu);
    EXPECT_EQ(detail.sectors[7].lanes.bits, 0xf0000000u);
}

TEST(coalescing, local_memory_at_one_offset_is_coalesced) {
    Request request = global_request(4, [](auto) { return 16; });
    request.space = Space::local;
    expect_equal(count_local_sectors(request.access()), {4, 4, 128});
    request.bytes_per_lane = 16;
    expect_equal(count_local_sectors(request.access()), {16, 16, 512});
    request = global_request(4, [](auto lane) { return 4 * lane; });
    expect_equal(count_local_sectors(request.access()), {32, 4, 128});
}

TEST(coalescing, atomics_at_one_address_are_serialized) {
    Request request = global_request(4, [](auto) { return 512; });
    request.operation = Operation::atomic;
    AtomicRounds rounds = count_atomic_rounds(request.access());
    EXPECT_EQ(rounds.rounds, 32u);
    EXPECT_EQ(rounds.sectors, 32u);
    request = global_request(4, [](auto lane) { return 4 * (lane / 2); });
    rounds = count_atomic_rounds(request.access());
    EXPECT_EQ(rounds.rounds, 2u);
    EXPECT_EQ(rounds.sectors, 4u);
}

}  // namespace
}  // namespace warplens::analysis
