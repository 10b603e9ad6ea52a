#include "analysis/memory/banks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/analysis/request.h"

namespace warplens::analysis {
namespace {

std::uint32_t ways_at(const std::function<std::uint64_t(std::uint64_t)>& address) {
    return count_wavefronts(shared_request(4, address).access()).wavefronts;
}

/// Distinct words per bank over the given lanes, by sets.
std::uint32_t busiest_bank(const Request& request, std::size_t first, std::size_t last) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;
    std::size_t most = 0;
    for (std::size_t lane = first; lane < last; ++lane) {
        if (!request.mask.has(static_cast<int>(lane))) continue;
        for (std::uint32_t byte = 0; byte < request.bytes_per_lane; ++byte) {
            const std::uint64_t word = (request.addresses[lane] + byte) / 4;
            words[word % 32].insert(word);
            most = std::max(most, words[word % 32].size());
        }
    }
    return static_cast<std::uint32_t>(most);
}

bool all_repeat(const Request& request, std::size_t distance) {
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        const std::size_t other = lane ^ distance;
        if (request.mask.has(static_cast<int>(lane)) && request.mask.has(static_cast<int>(other)) &&
            request.addresses[lane] != request.addresses[other])
            return false;
    }
    return true;
}

WavefrontCount count_banks_by_sets(const Request& request) {
    std::size_t lanes = request.bytes_per_lane <= 4 ? 32 : 128 / request.bytes_per_lane;
    if (lanes < 32 && request.operation == Operation::load &&
        (all_repeat(request, 1) || all_repeat(request, 2)))
        lanes *= 2;
    WavefrontCount count;
    for (std::size_t first = 0; first < warp_size; first += lanes)
        count.wavefronts += busiest_bank(request, first, first + lanes);
    const auto bytes = static_cast<std::uint32_t>(request.mask.count()) * request.bytes_per_lane;
    count.ideal_wavefronts = std::min(count.wavefronts, (bytes + 127) / 128);
    return count;
}

TEST(banks, stride_sets_the_ways_by_its_common_divisor_with_32) {
    const std::map<std::uint64_t, std::uint32_t> ways{{0, 1}, {1, 1},   {2, 2},  {3, 1},   {4, 4},
                                                      {8, 8}, {16, 16}, {17, 1}, {32, 32}, {33, 1}};
    for (const auto& [stride, want] : ways)
        EXPECT_EQ(ways_at([stride = stride](auto lane) { return 4 * stride * lane; }), want) << stride;
}

TEST(banks, column_of_a_32_wide_tile_is_32_way_and_one_pad_word_mends_it) {
    EXPECT_EQ(ways_at([](auto lane) { return 128 * lane; }), 32u);
    EXPECT_EQ(ways_at([](auto lane) { return 132 * lane; }), 1u);
}

TEST(banks, tile_16_spans_two_rows_so_that_one_pad_word_is_two_way_both_ways) {
    const auto store = [](std::uint64_t pitch) {
        return ways_at([=](auto lane) { return 4 * (lane / 16 * pitch + lane % 16); });
    };
    const auto load = [](std::uint64_t pitch) {
        return ways_at([=](auto lane) { return 4 * (lane % 16 * pitch + lane / 16); });
    };
    EXPECT_EQ(store(16), 1u);
    EXPECT_EQ(load(16), 8u);
    EXPECT_EQ(store(17), 2u);
    EXPECT_EQ(load(17), 2u);
}

TEST(banks, exclusive_or_swizzle_needs_no_padding) {
    for (std::uint64_t column = 0; column < 32; ++column)
        EXPECT_EQ(ways_at([=](auto lane) { return 4 * (lane * 32 + (column ^ lane)); }), 1u);
}

TEST(banks, same_word_is_a_broadcast) {
    EXPECT_EQ(ways_at([](auto) { return 64; }), 1u);
    EXPECT_EQ(ways_at([](auto lane) { return 4 * (lane / 2); }), 1u);
    EXPECT_EQ(ways_at([](auto lane) { return lane % 4; }), 1u);
}

TEST(banks, wide_accesses_take_two_and_four_wavefronts_without_any_conflict) {
    const WavefrontCount eight =
        count_wavefronts(shared_request(8, [](auto lane) { return 8 * lane; }).access());
    EXPECT_EQ(eight.wavefronts, 2u);
    EXPECT_EQ(eight.ideal_wavefronts, 2u);
    const WavefrontCount sixteen =
        count_wavefronts(shared_request(16, [](auto lane) { return 16 * lane; }).access());
    EXPECT_EQ(sixteen.wavefronts, 4u);
    EXPECT_EQ(sixteen.ideal_wavefronts, 4u);
    EXPECT_DOUBLE_EQ(sixteen.conflict_ways(), 1);
}

TEST(banks, wide_load_of_one_address_a_row_takes_two_wavefronts_as_measured) {
    // the 16-byte loads the assembler makes of a tiled matrix product's row
    EXPECT_EQ(count_wavefronts(shared_request(16, [](auto) { return 256; }).access()).wavefronts, 2u);
    Request rows = shared_request(16, [](auto lane) { return 64 * (lane / 16); });
    EXPECT_EQ(count_wavefronts(rows.access()).wavefronts, 2u);
    rows.operation = Operation::store;
    EXPECT_EQ(count_wavefronts(rows.access()).wavefronts, 4u);
}

TEST(banks, atomics_at_one_word_add_no_wavefront) {
    Request request = shared_request(4, [](auto) { return 64; });
    request.operation = Operation::atomic;
    EXPECT_EQ(count_wavefronts(request.access()).wavefronts, 1u);
}

TEST(banks, histogram_of_the_reference_input_is_within_the_counters_spread) {
    // 108874 wavefronts were counted, which hold up to 2 % of arbitration with other traffic
    constexpr std::uint32_t elements = 1u << 20;
    std::uint32_t state = 12345;
    std::uint64_t wavefronts = 0;
    Request request = shared_request(4, [](auto) { return 0; });
    request.operation = Operation::atomic;
    for (std::uint32_t i = 0; i < elements; ++i) {
        state = state * 1664525u + 1013904223u;
        request.addresses[i % 32] = 4 * ((state >> 8) & 255);
        if (i % 32 == 31) wavefronts += count_wavefronts(request.access()).wavefronts;
    }
    EXPECT_EQ(wavefronts, 108032u);
    EXPECT_GT(108874u, wavefronts);
    EXPECT_LT(108874 / double(wavefronts), 1.02);
}

TEST(banks, counts_equal_the_definition_on_random_requests) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 4000; ++round) {
        Request request;
        request.space = Space::shared;
        request.bytes_per_lane = 1u << random() % 5;
        request.operation = random() % 2 == 0 ? Operation::load : Operation::store;
        const std::uint64_t span = 1ull << (random() % 10 + 1);
        const std::size_t repeat = std::size_t{1} << random() % 4;
        const std::uint64_t stride = random() % 64;
        const bool regular = random() % 3 == 0;
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            request.addresses[lane] = request.bytes_per_lane * (regular ? lane * stride : random() % span);
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            request.addresses[lane] = request.addresses[lane & ~(repeat - 1)];
        if (random() % 2 == 0) request.mask = LaneMask{static_cast<std::uint32_t>(random())};
        const WavefrontCount want = count_banks_by_sets(request);
        const WavefrontCount got = count_wavefronts(request.access());
        EXPECT_EQ(got.wavefronts, want.wavefronts);
        EXPECT_EQ(got.ideal_wavefronts, want.ideal_wavefronts);
        EXPECT_EQ(detail_banks(request.access()).count.wavefronts, want.wavefronts);
    }
}

TEST(banks, detail_serves_every_lane_and_no_bank_twice_in_a_wavefront) {
    const Request request = shared_request(4, [](auto lane) { return 4 * (lane % 16 * 17 + lane / 16); });
    const BankDetail detail = detail_banks(request.access());
    ASSERT_EQ(detail.wavefronts.size(), 2u);
    EXPECT_EQ((detail.wavefronts[0] | detail.wavefronts[1]), LaneMask::all());
    EXPECT_TRUE((detail.wavefronts[0] & detail.wavefronts[1]).empty());
    for (const LaneMask pass : detail.wavefronts) {
        std::set<int> banks;
        for_each_lane(pass, [&](int lane) {
            banks.insert(bank_of(detail.word_address[static_cast<std::size_t>(lane)]));
        });
        EXPECT_EQ(banks.size(), static_cast<std::size_t>(pass.count()));
    }
    EXPECT_EQ(detail.groups.size(), 1u);
}

TEST(banks, constant_wavefronts_count_distinct_addresses) {
    EXPECT_EQ(count_constant_wavefronts(shared_request(4, [](auto) { return 8; }).access()).wavefronts, 1u);
    EXPECT_EQ(
        count_constant_wavefronts(shared_request(4, [](auto lane) { return 4 * lane; }).access()).wavefronts,
        32u);
}

}  // namespace
}  // namespace warplens::analysis
