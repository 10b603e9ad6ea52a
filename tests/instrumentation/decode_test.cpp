// decode(): the events that it reports for a complete recording space.
#include "instrumentation/decode/decode.h"

#include <gmock/gmock.h>

#include "tests/instrumentation/hand_written_space.h"
#include "trace/recorder.h"

namespace warplens::instrumentation {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

using Source = BlockPlan::Source;

constexpr std::uint32_t all = 0xffffffffu, low = 0xffffu, high = 0xffff0000u;
constexpr LaunchGeometry one_warp{{1, 1, 1}, {32, 1, 1}, 0};

/// Blocks: 0 branches to 2 or falls to 1; 1 falls to 2; 2 exits.
const char* const triangle = "setp.eq.s32 %p1, %r1, 0; @%p1 bra $J; mov.u32 %r2, 1; $J: mov.u32 %r3, 1; ret;";
/// Blocks: 0 sets up; 1 loops to itself, guarded; 2 exits.
const char* const loop = "mov.u32 %r1, 0; $L: add.s32 %r1, %r1, 1; @%p1 bra $L; ret;";

TEST(decode, branch_outcomes_follow_from_where_lanes_went) {
    const HandKernel kernel(triangle, one_warp);
    HandWrittenSpace space(kernel, 8, 4);
    space.record(0, 0, 0, all, 110);
    space.record(0, 0, 1, low, 120);
    space.record(0, 0, 2, all, 130);
    space.exit(0, 0, 100, 150);
    Listener listener;
    const auto decoded = space.decode(&listener);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(listener.heard, ElementsAre("0.0 visit 0 ffffffff", "0.0 branch 1 ffffffff ffff0000",
                                            "0.0 visit 1 ffff", "0.0 visit 2 ffffffff", "0 done"));
    EXPECT_EQ(decoded->records, 3u);
    EXPECT_EQ(decoded->written_bytes, 4u * unit_bytes);  // the head and three records
    EXPECT_THAT(decoded->damaged, IsEmpty());
    EXPECT_THAT(decoded->incomplete, IsEmpty());
}

TEST(decode, streams_of_a_diverged_warp_join_in_the_order_of_their_clocks) {
    const HandKernel kernel(loop, one_warp);
    HandWrittenSpace space(kernel, 4, 12);
    space.record(0, 0, 0, all, 0xfffffff0u);
    space.record(0, 0, 1, all, 0xfffffff8u);
    space.record(0, 0, 1, low, 0x10);
    space.record(0, 0, 1, high, 0x08);
    space.record(0, 0, 1, high, 0x18);
    space.record(0, 0, 2, low, 0x20);
    space.record(0, 0, 2, high, 0x28);
    space.exit(0, 0, 0xffffffe0u, 0x40, high);
    Listener listener;
    const auto decoded = space.decode(&listener);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(listener.heard,
                ElementsAre("0.0 visit 0 ffffffff", "0.0 visit 1 ffffffff", "0.0 branch 2 ffffffff ffffffff",
                            "0.0 visit 1 ffff0000", "0.0 branch 2 ffff0000 ffff0000", "0.0 visit 1 ffff",
                            "0.0 branch 2 ffff 0", "0.0 visit 1 ffff0000", "0.0 branch 2 ffff0000 0",
                            "0.0 visit 2 ffff", "0.0 visit 2 ffff0000", "0 done"));
    ASSERT_EQ(decoded->visits.size(), 7u);
    EXPECT_EQ(decoded->visits[0].entered, 0x10u);
    EXPECT_EQ(decoded->visits[6].entered, 0x48u);
    EXPECT_EQ(decoded->warps.at(0).end, 0x60u);
}

TEST(decode, unwritten_visits_follow_from_ballots_meetings_and_the_whole_entry) {
    HandKernel kernel(triangle, one_warp);
    kernel.plan.blocks[0].source = Source::whole;
    kernel.plan.blocks[0].guards = {{1, 12}};
    kernel.set_source(1, Source::balloted);
    kernel.set_source(2, Source::checked);
    kernel.plan.min_chunk_units = 2;
    HandWrittenSpace met(kernel, 2, 4);
    met.exit(0, 0, 100, 150, high);
    Listener listener;
    auto decoded = met.decode(&listener);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(listener.heard, ElementsAre("0.0 visit 0 ffffffff", "0.0 branch 1 ffffffff ffff0000",
                                            "0.0 visit 1 ffff", "0.0 visit 2 ffffffff", "0 done"));

    HandWrittenSpace apart(kernel, 2, 8);
    apart.record(0, 0, 2, low, 120);
    apart.record(0, 0, 2, high, 130);
    apart.exit(0, 0, 100, 150, high);
    Listener other;
    decoded = apart.decode(&other);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(other.heard,
                ElementsAre("0.0 visit 0 ffffffff", "0.0 branch 1 ffffffff ffff0000", "0.0 visit 1 ffff",
                            "0.0 visit 2 ffff", "0.0 visit 2 ffff0000", "0 done"));
    EXPECT_EQ(decoded->visits.at(1).entered, trace::no_time);
    EXPECT_EQ(decoded->visits.at(2).entered, 20u);
}

TEST(decode, lanes_that_jump_to_a_meeting_without_a_ballot_are_found_by_what_they_did_not_record) {
    HandKernel kernel(loop, one_warp);
    kernel.plan.blocks[0].source = Source::whole;
    kernel.set_source(2, Source::checked);
    HandWrittenSpace space(kernel, 8, 4);
    space.record(0, 0, 1, all, 110);
    space.record(0, 0, 1, low, 120);
    space.exit(0, 0, 100, 150);
    Listener listener;
    const auto decoded = space.decode(&listener);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(decoded->damaged, IsEmpty());
    EXPECT_THAT(listener.heard,
                ElementsAre("0.0 visit 0 ffffffff", "0.0 visit 1 ffffffff", "0.0 branch 2 ffffffff ffff",
                            "0.0 visit 1 ffff", "0.0 branch 2 ffff 0", "0.0 visit 2 ffffffff", "0 done"));
}

TEST(decode, implied_visits_come_behind_those_they_follow_and_have_no_time) {
    HandKernel kernel("mov.u32 %r1, 0; bar.warp.sync -1; mov.u32 %r2, 0; ret;", one_warp);
    kernel.set_source(1, Source::implied);
    HandWrittenSpace space(kernel, 4, 3);
    space.record(0, 0, 0, all, 7);
    space.exit(0, 0, 5, 30);
    const auto decoded = space.decode();
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(decoded->visits, ElementsAre(trace::MeasuredVisit{0, all, 2, trace::no_time},
                                             trace::MeasuredVisit{1, all, trace::no_time, trace::no_time}));
}

TEST(decode, warps_wait_for_each_other_at_barriers_and_arrival_is_timed) {
    HandKernel kernel("mov.u32 %r1, 0; bar.sync 0; mov.u32 %r2, 0; ret;", {{1, 1, 1}, {40, 1, 1}, 0});
    kernel.plan.blocks[1].extra = BlockPlan::Extra::arrival_clock;
    HandWrittenSpace space(kernel, 8, 4);
    for (const std::uint32_t warp : {0u, 1u}) {
        const std::uint32_t lanes = warp == 0 ? all : 0xffu;
        space.record(0, warp, 0, lanes, 110 + warp);
        space.record(0, warp, 1, lanes, 140, 120 + warp);
        space.exit(0, warp, 100 + warp, 150, lanes);
    }
    Listener listener;
    const auto decoded = space.decode(&listener);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(listener.heard, ElementsAre("0.0 visit 0 ffffffff", "0.0 barrier 1 ffffffff",
                                            "0.1 visit 0 ff", "0.1 barrier 1 ff", "0 release",
                                            "0.0 visit 1 ffffffff", "0.1 visit 1 ff", "0 done"));
    EXPECT_EQ(decoded->visits.at(1).arrived, 20u);
    EXPECT_EQ(decoded->visits.at(3).arrived, 21u);
    EXPECT_EQ(decoded->visits.at(3).entered, 40u);
    EXPECT_EQ(decoded->warps.at(1).begin, 1u);
}

TEST(decode, a_guarded_exit_was_executed_by_those_who_were_seen_no_more) {
    const HandKernel kernel("mov.u32 %r1, 0; @%p1 exit; mov.u32 %r2, 0; ret;", one_warp);
    HandWrittenSpace space(kernel, 8, 4);
    space.record(0, 0, 0, all, 1);
    space.record(0, 0, 1, low, 2);
    space.exit(0, 0, 0, 3);
    Listener listener;
    ASSERT_TRUE(space.decode(&listener));
    EXPECT_THAT(listener.heard,
                ElementsAre("0.0 visit 0 ffffffff", "0.0 guard 1 ffff0000", "0.0 visit 1 ffff", "0 done"));
}

TEST(decode, chosen_blocks_are_reported_ascending_by_their_own_numbers) {
    const HandKernel kernel("ret;", {{9, 1, 1}, {64, 1, 1}, 0});
    for (const bool slabs : {true, false}) {
        HandWrittenSpace space(kernel, 4, 32, {2, 7}, slabs);
        for (const std::uint64_t block : {7u, 2u}) {
            for (const std::uint32_t warp : {1u, 0u}) {
                space.record(block, warp, 0, all, 5);
                space.exit(block, warp, 3, 8, all, 4);
            }
        }
        Listener listener;
        const auto decoded = space.decode(&listener);
        ASSERT_TRUE(decoded) << decoded.error().message;
        EXPECT_THAT(listener.heard, ElementsAre("2.0 visit 0 ffffffff", "2.1 visit 0 ffffffff", "2 done",
                                                "7.0 visit 0 ffffffff", "7.1 visit 0 ffffffff", "7 done"));
        ASSERT_EQ(decoded->warps.size(), 4u);
        EXPECT_EQ(decoded->warps[3].block, 7u);
        EXPECT_EQ(decoded->warps[3].warp, 1u);
        EXPECT_EQ(decoded->warps[3].sm, 4u);
        EXPECT_EQ(decoded->warps[3].slot, 1u);
    }
}

TEST(decode, blocks_that_ran_where_nothing_was_recorded_are_absent) {
    const HandKernel kernel("ret;", {{3, 1, 1}, {32, 1, 1}, 0});
    HandWrittenSpace space(kernel, 4, 8);
    space.record(1, 0, 0, all, 5);
    space.exit(1, 0, 3, 8);
    Listener listener;
    const auto decoded = space.decode(&listener);
    ASSERT_TRUE(decoded);
    EXPECT_THAT(listener.heard, ElementsAre("1.0 visit 0 ffffffff", "1 done"));
    EXPECT_THAT(decoded->damaged, IsEmpty());
}

TEST(decode, cycles_of_an_sm_count_from_its_first_warp_and_timers_align_the_sms) {
    const HandKernel kernel("ret;", {{4, 1, 1}, {32, 1, 1}, 0});
    HandWrittenSpace space(kernel, 4, 16);
    // 2 cycles per ns; the timer steps by 32 ns. SM 1's clock wraps in between.
    const std::uint32_t origin = 0xfffff000u;
    space.exit(0, 0, 1000, 1100, all, 0, 64000);
    space.exit(1, 0, 1000 + 40000, 1100 + 40000, all, 0, 64000 + 20000);
    space.exit(2, 0, origin, origin + 100, all, 1, 64000 + 320);
    space.exit(3, 0, origin + 40000, origin + 40100, all, 1, 64000 + 320 + 20000);
    for (const std::uint64_t block : {0u, 1u})
        space.record(block, 0, 0, all, 1050 + static_cast<std::uint32_t>(block) * 40000);
    for (const std::uint64_t block : {2u, 3u})
        space.record(block, 0, 0, all, origin + 50 + static_cast<std::uint32_t>(block - 2) * 40000);
    const auto decoded = space.decode();
    ASSERT_TRUE(decoded) << decoded.error().message;
    ASSERT_EQ(decoded->warps.size(), 4u);
    EXPECT_EQ(decoded->warps[0].begin, 0u);
    EXPECT_EQ(decoded->warps[1].begin, 40000u);
    EXPECT_EQ(decoded->warps[3].begin, 40000u);
    EXPECT_EQ(decoded->visits.at(3).entered, 40050u);
    EXPECT_EQ(decoded->timer_bound_ns, 320);
    // Twenty thousand nanoseconds are too few steps of 320 to compute a rate.
    EXPECT_EQ(decoded->clock_hz, 0);
    ASSERT_EQ(decoded->sms.size(), 2u);
    EXPECT_EQ(decoded->sms[0].offset_ns, 0);
    EXPECT_EQ(decoded->sms[1].sm, 1u);
}

TEST(decode, any_number_of_threads_shows_the_same) {
    const HandKernel kernel(loop, {{300, 1, 1}, {64, 1, 1}, 0});
    HandWrittenSpace space(kernel, 8, 2000);
    for (std::uint32_t block = 0; block < 300; ++block) {
        for (const std::uint32_t warp : {0u, 1u}) {
            space.record(block, warp, 0, all, 10);
            for (std::uint32_t round = 0; round <= block % 9; ++round)
                space.record(block, warp, 1, all, 20 + round);
            space.record(block, warp, block == 77 ? 1 : 2, all, 40);
            space.exit(block, warp, 5, 50);
        }
    }
    const auto decode_with = [&](int threads) {
        trace::Launch launch;
        launch.geometry = kernel.geometry;
        trace::Recorder recorder(launch, kernel.program);
        space.read().threads = threads;
        auto decoded = space.decode(&recorder);
        EXPECT_TRUE(decoded) << decoded.error().message;
        return std::pair(std::move(*decoded), recorder.take());
    };
    const auto one = decode_with(1);
    EXPECT_THAT(one.first.damaged, ElementsAre(77u));
    EXPECT_EQ(one.second.warps.size(), 598u);
    for (const int threads : {2, 7}) {
        const auto many = decode_with(threads);
        EXPECT_EQ(many.first.damaged, one.first.damaged);
        EXPECT_EQ(many.first.records, one.first.records);
        EXPECT_EQ(many.first.written_bytes, one.first.written_bytes);
        EXPECT_EQ(many.first.warps, one.first.warps);
        EXPECT_EQ(many.first.visits, one.first.visits);
        EXPECT_EQ(many.second.warps, one.second.warps);
        EXPECT_EQ(many.second.visits, one.second.visits);
        EXPECT_EQ(many.second.masks, one.second.masks);
    }
}

}  // namespace
}  // namespace warplens::instrumentation
