// Where lanes give way to others of their warp, and where all of them meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/instrumentation/whole_warps_kernel.h"

namespace warplens::instrumentation {

using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::Not;

namespace {

// Where they give way (a YIELD), those that wait behind the loop go on without the others.
TEST(meeting_lanes, lanes_do_not_meet_behind_a_loop_that_ends_by_what_others_write) {
    const auto behind_a_loop = [](const std::string& asks) {
        return whole("mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p];\n$L: " + asks +
                     "setp.ne.s32 %p1, %r3, %r2; @%p1 bra $L;\n"
                     "setp.eq.s32 %p2, %r3, 7; @%p2 bra $E; mov.u32 %r4, 1;\n$E: ret;");
    };
    EXPECT_THAT(behind_a_loop("atom.global.min.u32 %r3, [%rd1], %r2;\n"),
                ElementsAre(true, false, false, false, true))
        << "the recording has them wait at the only way out";
    EXPECT_THAT(behind_a_loop("ld.volatile.global.u32 %r3, [%rd1];\n"),
                ElementsAre(true, false, false, false, true));
    EXPECT_THAT(behind_a_loop("ld.global.u32 %r3, [%rd1];\n"), ElementsAre(true, false, true, false, true));
    EXPECT_THAT(behind_a_loop("atom.global.min.u32 %r4, [%rd1], %r2; ld.global.u32 %r3, [%rd1];\n"),
                ElementsAre(true, false, true, false, true))
        << "its result does not decide who leaves";
    EXPECT_THAT(whole("mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p];\n"
                      "$L: atom.global.min.u32 %r3, [%rd1], %r2; setp.ne.s32 %p1, %r3, %r2; @%p1 bra $L;\n"
                      "st.global.u32 [%rd1], %r3; ret;"),
                ElementsAre(true, false, false))
        << "nothing waits before the store";
}

TEST(meeting_lanes, lanes_do_not_meet_behind_such_a_loop_in_another_one) {
    const auto in_a_counted_loop = [](const std::string& asks) {
        return whole(
            "mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p]; mov.u32 %r5, 0;\n$O: add.u32 %r5, %r5, 1;\n$L: " +
            asks +
            "setp.ne.s32 %p1, %r3, %r2; @%p1 bra $L;\n"
            "setp.lt.u32 %p2, %r5, 4; @%p2 bra $O;\nmov.u32 %r4, 1; bra $E;\n$E: ret;");
    };
    EXPECT_THAT(in_a_counted_loop("atom.global.min.u32 %r3, [%rd1], %r2;\n"),
                ElementsAre(true, false, false, false, false, true));
    EXPECT_THAT(in_a_counted_loop("ld.global.u32 %r3, [%rd1];\n"),
                ElementsAre(true, true, false, true, true, true));
}

TEST(meeting_lanes, where_all_lanes_exchange_values_nothing_is_checked) {
    const auto checks = ContainsRegex("setp.ne.or.u32 %warplens_apart");
    const auto joined = [](const std::string& behind) {
        return recorded(kernel("mov.u32 %r2, %tid.x; mov.u32 %r5, -1; setp.eq.u32 %p1, %r2, 3; @%p1 bra $J;\n"
                               "mov.u32 %r3, 1;\n$J: " +
                               behind + "bar.sync 0; ret;"),
                        true);
    };
    EXPECT_THAT(joined("add.u32 %r2, %r2, 1;\n"), checks);
    EXPECT_THAT(joined("add.u32 %r2, %r2, 1; shfl.sync.bfly.b32 %r4|%p2, %r2, 16, 31, %r5;\n"), Not(checks));
    EXPECT_THAT(joined("bar.warp.sync 0xffffffff;\n"), Not(checks));
    EXPECT_THAT(joined("bar.warp.sync 0xffff;\n"), checks) << "some lanes do not wait";
    EXPECT_THAT(joined("mov.u32 %r5, 1; bar.warp.sync %r5;\n"), checks)
        << "the register holds something else";
    EXPECT_THAT(joined("ld.param.u64 %rd1, [p]; ld.global.u32 %r2, [%rd1]; bar.warp.sync -1;\n"), checks)
        << "lanes may have loaded apart";
}

TEST(meeting_lanes, in_loops_where_all_lanes_exchange_values_nobody_is_hashed) {
    const auto hashed = [](const std::string& exchange) {
        InstrumentOptions how = with_whole_warps();
        how.log_words = 4;
        const auto made = instrument(
            kernel("mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p]; setp.eq.u32 %p3, %r2, %r1; @%p3 bra $E;\n"
                   "mov.u32 %r3, 0;\n$L: " +
                   exchange +
                   "setp.eq.u32 %p1, %r3, %r2; @%p1 bra $J; ld.global.u32 %r4, [%rd1];\n"
                   "$J: setp.eq.u32 %p5, %r4, 9; @%p5 bra $L;\n"
                   "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r4; @%p2 bra $L;\n$E: ret;"),
            "k", how);
        EXPECT_TRUE(made) << made.error().message;
        return made && made->plan.blocks[2].hashes_lanes;
    };
    EXPECT_TRUE(hashed(""));
    EXPECT_FALSE(hashed("shfl.sync.bfly.b32 %r5|%p4, %r3, 16, 31, -1;\n"));
}

/// The blocks with hashes_lanes of a loop that lanes leave apart: its body begins with block 2.
std::vector<BasicBlockId> hashed_in_a_loop(const std::string& body) {
    InstrumentOptions how = with_whole_warps();
    how.log_words = 4;
    const auto made = instrument(
        kernel("mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p]; setp.eq.u32 %p3, %r2, %r1; @%p3 bra $E;\n"
               "mov.u32 %r3, 0;\n$L: " +
               body + "$E: ret;"),
        "k", how);
    EXPECT_TRUE(made) << made.error().message;
    std::vector<BasicBlockId> found;
    for (BasicBlockId b = 0; made && b < made->plan.blocks.size(); ++b)
        if (made->plan.blocks[b].hashes_lanes) found.push_back(b);
    return found;
}

TEST(meeting_lanes, in_a_loop_are_hashed_where_they_meet_and_not_where_it_begins) {
    const std::string fork = "setp.eq.u32 %p1, %r3, %r2; @%p1 bra $J; ld.global.u32 %r4, [%rd1];\n$J: ";
    const std::string around = "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r4; @%p2 bra $L;\n";
    EXPECT_THAT(hashed_in_a_loop(fork + around), ElementsAre(4));
    EXPECT_THAT(
        hashed_in_a_loop("ld.global.u32 %r4, [%rd1]; setp.eq.u32 %p4, %r4, 9; @%p4 bra $E;\n" + around),
        Contains(2u))
        << "nobody meets in it";
    EXPECT_THAT(hashed_in_a_loop(fork + "setp.eq.u32 %p4, %r4, 9; @%p4 bra $L;\n" + around),
                ElementsAre(2, 4))
        << "by two ways around it";
    EXPECT_THAT(hashed_in_a_loop(fork +
                                 "mov.u32 %r5, 0;\n$I: add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, %r4; "
                                 "@%p4 bra $I;\n" +
                                 around),
                ElementsAre(2, 4, 5))
        << "lanes that leave the inner loop pass by pass come together behind it";
}

}  // namespace
}  // namespace warplens::instrumentation
