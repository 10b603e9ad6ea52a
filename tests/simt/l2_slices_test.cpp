// Where L2 does atomics: which sectors share a slice, and how long this SM's wait for the other SMs'.
#include "simt/timing/l2_slices.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "core/gpu_spec.h"

namespace warplens::simt {
namespace {

const SmTiming& timing() { return sm_timing(default_gpu()); }
constexpr int slices = 96;

/// All atomics of a launch are at one sector.
std::vector<double> all_at(SectorId sector) {
    std::vector<double> shares(slices, 0);
    shares[slice_of(sector, slices)] = 1;
    return shares;
}

TEST(l2_slices, a_kib_lies_in_two_in_turns_of_256_bytes_and_4_kib_in_eight) {
    std::set<std::size_t> of_kib, of_four;
    for (SectorId sector = 0; sector < 128; ++sector) {
        const std::size_t slice = slice_of(sector, slices);
        EXPECT_EQ(slice, slice_of(sector / 8 * 8, slices)) << sector;
        if (sector < 32) of_kib.insert(slice);
        of_four.insert(slice);
    }
    EXPECT_EQ(of_kib.size(), 2u);
    EXPECT_EQ(of_four.size(), 8u);
}

/// h200_memory_parameters.csv, `red one_address`: 5413 cycles for a request of 32 lanes of each of 132 SMs.
TEST(l2_slices, requests_of_all_sms_to_one_word_follow_one_another) {
    const std::array<SectorId, 1> line{40};
    L2Slices l2(timing(), 132, all_at(line.front()));
    l2.atomic(0, line, 32);
    const double second = l2.atomic(0, line, 32);
    EXPECT_NEAR(l2.atomic(0, line, 32) - second, 5413, 30);
}

/// h200_atomic_types.csv: 1.7607 ns for each lane at one address instead of 0.7354; 32 words of a line as
/// integers.
TEST(l2_slices, reals_at_one_address_wait_for_the_sum) {
    const std::array<SectorId, 1> line{40};
    const auto spent = [&](std::span<const SectorId> at, double rounds, Adds adds) {
        L2Slices l2(timing(), 1, all_at(at.front()));
        l2.atomic(0, at, rounds, adds);
        return l2.atomic(0, at, rounds, adds);
    };
    EXPECT_NEAR(spent(line, 32, Adds::one_real) / spent(line, 32, Adds::integers), 1.7607 / 0.7354, 0.05);
    L2Slices l2(timing(), 1, all_at(line.front()));
    l2.atomic(0, line, 1, Adds::one_real);
    l2.atomic(0, line, 1, Adds::one_real);
    EXPECT_NEAR(l2.busiest(), timing().atomic_lane_interval + timing().real_atomic_lane_interval, 1e-9)
        << "the second one waits for the first one's sum";
    L2Slices several(timing(), 1, all_at(line.front()));
    several.atomic(0, line, 1, Adds::reals);
    several.atomic(0, line, 1, Adds::reals);
    EXPECT_NEAR(several.busiest(), 2 * timing().atomic_lane_interval, 1e-9)
        << "of a request with more sectors the words need not be the same";
}

TEST(l2_slices, what_the_other_sms_did_while_this_one_did_something_else_is_over) {
    const std::array<SectorId, 1> line{40};
    L2Slices l2(timing(), 132, all_at(line.front()));
    l2.atomic(0, line, 1);
    EXPECT_EQ(l2.atomic(10'000, line, 1), 10'000);
    EXPECT_GT(l2.busiest(), 2 * 131 * timing().atomic_lane_interval);
}

TEST(l2_slices, atomics_elsewhere_are_not_waited_for) {
    const std::array<SectorId, 1> line{40};
    L2Slices l2(timing(), 132, all_at(line.front() + 8));
    for (int request = 0; request < 10; ++request) l2.atomic(0, line, 1);
    EXPECT_NEAR(l2.atomic(0, line, 1), 10 * timing().atomic_lane_interval, 1e-9);
}

}  // namespace
}  // namespace warplens::simt
