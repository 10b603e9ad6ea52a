// What if lanes accessed neighbouring addresses: the bytes that a launch needs stay as many, so that requests
// that read other bytes of the same sectors have sectors of their own.
#include <gtest/gtest.h>

#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

trace::Schedule timed(const TinyAccess& access, int rounds, bool perfect) {
    TinyLaunch launch;
    launch.rounds = rounds;
    launch.load(access, {}, 0);
    launch.arithmetic(Pipe::alu, {0}, 1);
    TimingRequest request;
    request.options.perfect_coalescing = perfect;
    return launch.run(request);
}

TEST(neighbouring_lanes, threads_that_walk_along_rows_read_all_of_their_bytes) {
    // Lane i reads 8 floats, one after another, from 128 i on: 32 sectors, each of which has 8 floats.
    const TinyAccess rows{Space::global, 0, 128, 0, 4};
    const auto now = timed(rows, 8, false), ideal = timed(rows, 8, true);
    EXPECT_EQ(now.launch.l2_bytes, 32.0 * 32);
    EXPECT_EQ(ideal.launch.l2_bytes, 32.0 * 32) << "8 requests of 4 sectors, none of which is another's";
    // The first request brings all, the seven others are hits. With neighbours each waits for its own.
    EXPECT_GT(ideal.totals.cycles, now.totals.cycles);
}

TEST(neighbouring_lanes, members_of_a_structure_are_arrays_of_their_own) {
    const TinyAccess members{Space::global, 0, 12, 0, 4};  // three floats: 12 sectors, of which 4 are ideal
    EXPECT_EQ(timed(members, 3, true).launch.l2_bytes, 12.0 * 32);
}

TEST(neighbouring_lanes, the_same_bytes_again_are_hits) {
    const TinyAccess same{Space::global, 0, 128, 0, 0};
    EXPECT_EQ(timed(same, 8, true).launch.l2_bytes, 4.0 * 32);
}

TEST(neighbouring_lanes, bytes_that_no_request_uses_are_not_read) {
    const TinyAccess every_second{Space::global, 0, 8, 0, 256};
    EXPECT_EQ(timed(every_second, 4, false).launch.l2_bytes, 4 * 8.0 * 32);
    EXPECT_EQ(timed(every_second, 4, true).launch.l2_bytes, 4 * 4.0 * 32);
}

}  // namespace
}  // namespace warplens::simt
