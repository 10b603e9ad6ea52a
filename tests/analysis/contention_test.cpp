#include "analysis/memory/contention.h"

#include <gtest/gtest.h>

#include "analysis/memory/coalescing.h"
#include "tests/analysis/small_trace.h"

namespace warplens::analysis {
namespace {

trace::Access atomic(LaneMask mask, const trace::Addresses& addresses) {
    return {0, mask, Space::global, Operation::atomic, 4, &addresses};
}

TEST(contention, lanes_at_one_address_are_serialized_and_others_do_not_wait_for_them) {
    trace::Addresses addresses{};
    for (std::size_t lane = 0; lane < 32; ++lane) addresses[lane] = 4096 + 4 * (lane < 20 ? 0 : lane);
    const AtomicDetail detail = detail_atomic(atomic(LaneMask::all(), addresses));
    ASSERT_EQ(detail.addresses.size(), 13u);
    EXPECT_EQ(detail.addresses[0].lanes.count(), 20);
    EXPECT_EQ(detail.most_lanes(), 20u);
    EXPECT_EQ(detail.rounds[0].count(), 13) << "every address is served in the first";
    EXPECT_EQ(detail.rounds[19].bits, 1u << 19);
}

TEST(contention, rounds_are_those_that_the_report_counts) {
    std::uint64_t state = 7;
    for (int round = 0; round < 200; ++round) {
        trace::Addresses addresses{};
        for (auto& address : addresses) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            address = 4096 + 4 * (state >> 60);
        }
        const LaneMask mask{static_cast<std::uint32_t>(state >> 16) | 1u};
        const auto access = atomic(mask, addresses);
        const AtomicDetail detail = detail_atomic(access);
        EXPECT_EQ(detail.most_lanes(), count_atomic_rounds(access).rounds);
        LaneMask served;
        for (const LaneMask turn : detail.rounds) {
            EXPECT_TRUE((served & turn).empty());
            served = served | turn;
        }
        EXPECT_EQ(served, mask);
    }
}

}  // namespace
}  // namespace warplens::analysis
