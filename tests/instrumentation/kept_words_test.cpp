// Records that a warp's lanes keep until it ends, and barriers of which only the arrivals have clocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hand_written_space.h"
#include "instrumentation/decode/open_barriers.h"
#include "instrumentation/rewrite/instrument.h"

namespace warplens::instrumentation {

using testing::HasSubstr;
using testing::Not;

namespace {

Instrumented kept_form(const std::string& body, std::uint32_t block = 64) {
    const std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
        ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u32 %r1, [n];\n" +
        body + "\n}\n";
    const auto module = ptx::parse(text, "k.ptx");
    EXPECT_TRUE(module) << module.error().message;
    InstrumentOptions how;
    how.launch = KnownLaunch{.geometry = {{8, 1, 1}, {block, 1, 1}, 0}};
    how.predict_whole = how.replay = true;
    auto made = instrument(*module, "k", how);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : Instrumented{};
}

std::string barriers(int count) {
    std::string body = "mov.u32 %r2, %tid.x;\n";
    for (int i = 0; i < count; ++i) body += "bar.sync 0; add.u32 %r2, %r2, 1;\n";
    return body;
}

TEST(kept_words, records_of_whole_warps_that_are_made_once_are_not_written) {
    const Instrumented made = kept_form(barriers(4) + "ret;");
    EXPECT_EQ(made.plan.kept_words, 12u) << "the head's eight, and a clock for each barrier";
    EXPECT_EQ(made.plan.min_chunk_units, 8u) << "a word for each lane";
    EXPECT_THAT(made.ptx, Not(HasSubstr("st.global.v4")));
    EXPECT_THAT(made.ptx, Not(HasSubstr("bar.warp.sync"))) << "no clock waits for a barrier";
}

std::size_t count(const std::string& text, std::string_view word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
    return found;
}

TEST(kept_words, are_stored_by_two_ways_out_that_do_not_meet) {
    const std::string ptx = kept_form(barriers(4) + "ret;").ptx;
    EXPECT_EQ(count(ptx, "%warplens_start;\n\tret;"), 2u) << "one store before each";
    EXPECT_EQ(count(ptx, "%globaltimer"), 1u);
    EXPECT_GT(ptx.find("%globaltimer"), ptx.find("ret;")) << "out of the way";
}

TEST(kept_words, the_place_of_a_lane_follows_from_its_index_in_the_grid) {
    const auto place = testing::ContainsRegex("shl.b32 %warplens_place, %warplens_thread_[0-9]+, 2;");
    EXPECT_THAT(kept_form(barriers(4) + "ret;").ptx, place);
    EXPECT_THAT(kept_form(barriers(4) + "ret;", 48).ptx, Not(place)) << "warps do not fill their slabs";
}

TEST(kept_words, that_index_is_the_kernel_s_own_where_it_is_set_once_before) {
    const auto own = testing::ContainsRegex("mov.b32 %warplens_thread_[0-9]+, %r4;");
    const std::string reads = "mov.u32 %r6, %tid.x; mov.u32 %r7, %ctaid.x;\n";
    for (const char* index :
         {"mov.u32 %r5, %ntid.x; mad.lo.s32 %r4, %r7, %r5, %r6;",
          "shl.b32 %r5, %r7, 6; add.s32 %r4, %r6, %r5;", "mul.lo.s32 %r5, %r7, 64; add.u32 %r4, %r5, %r6;"})
        EXPECT_THAT(kept_form(reads + index + barriers(4) + "ret;").ptx, own) << index;
    for (const char* other : {"mad.lo.s32 %r4, %r7, 32, %r6;", "mad.lo.s32 %r4, %r6, 64, %r7;",
                              "mad.lo.s32 %r4, %r7, 64, %r6; add.u32 %r4, %r4, 1;",
                              "setp.eq.u32 %p1, %r6, 0; @%p1 mad.lo.s32 %r4, %r7, 64, %r6;"})
        EXPECT_THAT(kept_form(reads + other + barriers(4) + "ret;").ptx, Not(own)) << other;
    EXPECT_THAT(kept_form(reads + barriers(4) + "mad.lo.s32 %r4, %r7, 64, %r6; ret;").ptx, Not(own))
        << "later than the recording needs it";
}

TEST(kept_words, lanes_keep_several_words_where_there_are_more_records_than_lanes) {
    EXPECT_EQ(kept_form(barriers(24) + "ret;").plan.kept_words, 32u);
    EXPECT_EQ(kept_form(barriers(40) + "ret;").plan.kept_words, 64u);
    EXPECT_EQ(kept_form(barriers(121) + "ret;").plan.kept_words, 0u) << "more than lanes keep";
}

TEST(kept_words, are_not_for_loops_nor_for_lanes_that_leave_apart) {
    EXPECT_EQ(kept_form("ld.param.u64 %rd1, [p];\n$L: bar.sync 0; ld.global.u32 %r2, [%rd1];\n"
                        "setp.lt.u32 %p1, %r2, %r1; @%p1 bra $L; ret;")
                  .plan.kept_words,
              0u);
    EXPECT_EQ(kept_form(barriers(2) + "setp.lt.u32 %p1, %r2, %r1; @%p1 exit; add.u32 %r3, %r2, 1; ret;")
                  .plan.kept_words,
              0u);
    EXPECT_EQ(kept_form(barriers(2) + "ret;", 48).plan.kept_words, 0u) << "half a warp";
}

TEST(kept_words, barriers_of_some_threads_have_both_clocks) {
    const Instrumented made = kept_form("mov.u32 %r2, %tid.x; bar.sync 1, 64; add.u32 %r2, %r2, 1; ret;");
    EXPECT_EQ(made.plan.kept_words, 10u);
    EXPECT_THAT(made.ptx, HasSubstr("bar.warp.sync"));
    EXPECT_EQ(made.plan.blocks.at(1).extra, BlockPlan::Extra::arrival_clock);
    EXPECT_FALSE(made.plan.blocks.at(1).clock_of_arrival);
}

/// Two warps at two barriers. Clocks of arrival, counted from each warp's start, are kept in words 8 and 9.
struct TwoBarriers {
    HandKernel kernel{"mov.u32 %r1, 0; bar.sync 0; mov.u32 %r2, 0; bar.sync 0; mov.u32 %r3, 0; ret;",
                      {{1, 1, 1}, {64, 1, 1}, 0}};
    static constexpr std::uint32_t start[] = {0xffffff00u, 0xffffff20u};  // the SM's clock begins again

    TwoBarriers() {
        kernel.plan.kept_words = 10;
        kernel.set_source(0, BlockPlan::Source::whole);
        for (const BasicBlockId b : {1u, 2u}) {
            kernel.plan.blocks[b].clock_of_arrival = true;
            kernel.plan.blocks[b].kept.clock = 7 + b;
        }
    }

    Result<Decoded> decode(std::array<std::uint32_t, 2> first, std::array<std::uint32_t, 2> second,
                           std::uint32_t end = 4000) {
        HandWrittenSpace space(kernel, 4, 4);
        for (const std::uint32_t warp : {0u, 1u}) {
            const std::uint64_t at = space.exit(0, warp, start[warp], start[warp] + end);
            // What lanes have kept that the head has no use for.
            space.put(at + offsetof(WarpHead, identity), start[warp] | lost_records);
            space.put(at + offsetof(WarpHead, timer), std::uint64_t{start[warp]});
            space.put(at + 32, start[warp] + first[warp]);
            space.put(at + 36, start[warp] + second[warp]);
        }
        return space.decode();
    }
};

TEST(kept_words, become_visits_again_and_barriers_open_when_the_last_warp_arrives) {
    TwoBarriers made;
    const auto decoded = made.decode({100, 200}, {1000, 500});
    ASSERT_TRUE(decoded) << decoded.error().message;
    ASSERT_EQ(decoded->left_out(), 0u) << decoded->first_damage;
    EXPECT_TRUE(decoded->openings_derived);
    EXPECT_EQ(decoded->records, 4u);
    ASSERT_EQ(decoded->visits.size(), 6u);
    const std::uint32_t begin = decoded->warps[1].begin;
    EXPECT_EQ(begin, 0x20u);
    // In the time of the SM the second warp comes last to the first barrier, and first to the second one.
    for (const std::size_t visit : {1u, 4u})
        EXPECT_EQ(decoded->visits[visit].entered, begin + 200 + cycles_to_go_on);
    for (const std::size_t visit : {2u, 5u})
        EXPECT_EQ(decoded->visits[visit].entered, 1000 + cycles_to_go_on);
    EXPECT_EQ(decoded->visits[1].arrived, 100u);
    EXPECT_EQ(decoded->visits[4].arrived, begin + 200);
    EXPECT_EQ(decoded->visits[5].arrived, begin + 500);
}

TEST(kept_words, a_barrier_opens_no_later_than_the_warps_next_clock) {
    TwoBarriers made;
    const auto decoded = made.decode({100, 200}, {240, 500});
    ASSERT_TRUE(decoded && decoded->left_out() == 0);
    EXPECT_EQ(decoded->visits[1].entered, 240u) << "where the warp arrives at the next one";
}

TEST(kept_words, a_warp_that_goes_on_before_all_have_arrived_has_no_times_there) {
    TwoBarriers made;
    const auto decoded = made.decode({100, 600}, {240, 700});
    ASSERT_TRUE(decoded && decoded->left_out() == 0);
    EXPECT_EQ(decoded->visits[1].entered, trace::no_time);
    EXPECT_EQ(decoded->visits[1].arrived, trace::no_time);
    EXPECT_EQ(decoded->visits[4].entered, decoded->warps[1].begin + 600 + cycles_to_go_on);
}

TEST(kept_words, a_record_that_was_not_made_leaves_its_block_out) {
    TwoBarriers made;
    const auto decoded = made.decode({100, 200}, {0, 500});
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->left_out(), 1u) << "the walk cannot pass the second barrier";
}

TEST(kept_words, plans_that_keep_words_outside_of_them_are_refused) {
    for (const std::uint32_t word : {7u, 10u}) {
        TwoBarriers made;
        made.kernel.plan.blocks[1].kept.clock = word;
        EXPECT_FALSE(made.decode({100, 200}, {300, 500}));
    }
    TwoBarriers made;
    made.kernel.plan.blocks[1].kept.clock = no_index;
    EXPECT_FALSE(made.decode({100, 200}, {300, 500})) << "neither kept nor written";
}

}  // namespace

}  // namespace warplens::instrumentation
