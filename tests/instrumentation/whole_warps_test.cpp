// Where warps are expected to be whole.
#include "instrumentation/rewrite/whole_warps.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "tests/instrumentation/whole_warps_kernel.h"

namespace warplens::instrumentation {

using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Blocks: 0 sets up; 1 loops; 2 leaves.
std::string loop_until(const std::string& limit) {
    return limit +
           "mov.u32 %r3, 0;\n$L: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra $L;\n"
           "mov.u32 %r4, %r3; ret;";
}

TEST(whole_warps, a_loop_with_the_same_count_for_all_lanes_is_whole) {
    EXPECT_THAT(whole(loop_until("mov.u32 %r2, %ctaid.x; add.u32 %r2, %r2, %r1;")),
                ElementsAre(true, true, true));
}

TEST(whole_warps, a_loop_whose_count_depends_on_the_thread_or_on_data_is_whole_after_it_alone) {
    EXPECT_THAT(whole(loop_until("mov.u32 %r2, %tid.x;")), ElementsAre(true, false, true));
    EXPECT_THAT(whole(loop_until("ld.param.u64 %rd1, [p]; ld.global.u32 %r2, [%rd1];")),
                ElementsAre(true, false, true));
}

TEST(whole_warps, a_loop_until_a_barrier_finds_no_thread_that_goes_on_is_whole) {
    EXPECT_THAT(whole("mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 0;\n"
                      "$L: barrier.red.or.pred %p2, 0, %p1;\n@%p2 bra $L; ret;"),
                ElementsAre(true, true, true, true));
}

TEST(whole_warps, lanes_meet_after_the_sides_of_a_branch) {
    EXPECT_THAT(whole("mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 0; @%p1 bra $J; mov.u32 %r3, 1;\n"
                      "$J: mov.u32 %r4, 1; ret;"),
                ElementsAre(true, false, true));
}

TEST(whole_warps, a_value_from_one_side_of_a_branch_differs_after_it) {
    EXPECT_THAT(whole("mov.u32 %r3, 0; mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 0; @%p1 bra $J;\n"
                      "mov.u32 %r3, 1;\n$J: setp.eq.u32 %p2, %r3, 0; @%p2 bra $K; mov.u32 %r4, 1;\n"
                      "$K: mov.u32 %r5, 1; ret;"),
                ElementsAre(true, false, true, false, true));
}

TEST(whole_warps, a_register_that_is_set_anew_differs_no_longer) {
    EXPECT_THAT(whole("mov.u32 %r2, %tid.x; mov.u32 %r4, %r2; mov.u32 %r2, 0;\n"
                      "$L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra $L;\n"
                      "mov.u32 %r5, %r4; ret;"),
                ElementsAre(true, true, true));
}

TEST(whole_warps, a_bounds_check_is_expected_to_pass) {
    EXPECT_THAT(whole("mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1; @%p1 bra $E; mov.u32 %r3, 1;\n"
                      "$E: ret;"),
                ElementsAre(true, true, true));
}

TEST(whole_warps, the_form_that_relies_on_them_has_no_branch_of_its_own) {
    const ptx::Module module = kernel(loop_until("mov.u32 %r2, %r1;"));
    InstrumentOptions how;
    how.launch = KnownLaunch{.geometry = {{8, 1, 1}, {64, 1, 1}, 0}};
    const auto plain = instrument(module, "k", how);
    how.predict_whole = true;
    const auto relying = instrument(module, "k", how);
    ASSERT_TRUE(plain && relying);
    EXPECT_GT(plain->plan.predicted, 0u);
    EXPECT_EQ(plain->plan.predicted, relying->plan.predicted);
    EXPECT_THAT(plain->ptx, HasSubstr("$warplens_full"));
    EXPECT_THAT(relying->ptx, Not(HasSubstr("$warplens_full")));
    EXPECT_LT(relying->ptx.size(), plain->ptx.size());
}

TEST(whole_warps, a_bounds_check_can_be_expected_to_part_lanes) {
    const ptx::Module module =
        kernel("mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1; @%p1 bra $E; mov.u32 %r3, 1;\n$E: ret;");
    const auto numbered = ptx::number_sites(module, "k", "");
    ASSERT_TRUE(numbered) << numbered.error().message;
    EXPECT_THAT(predict_whole_warps(module, *numbered, build_block_graph(module, *numbered), false).whole,
                ElementsAre(true, false, true));
}

TEST(whole_warps, a_warp_leaves_as_a_whole_at_bounds_checks_that_all_its_lanes_come_to) {
    const ptx::Module module = kernel(
        "mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1; @%p1 bra $E;\nmov.u32 %r4, %laneid; setp.ge.u32 "
        "%p3, "
        "%r4, 9; @!%p3 bra $E;\nld.global.u32 %r3, [%rd1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra $S;\n"
        "setp.ge.u32 %p4, %r3, %r1; @%p4 bra $E;\n$S: mov.u32 %r3, 1;\n$E: ret;");
    InstrumentOptions how = with_whole_warps();
    const auto without = instrument(module, "k", how);
    how.leave_at_once = true;
    const auto with = instrument(module, "k", how);
    ASSERT_TRUE(without && with);
    EXPECT_FALSE(without->plan.leaves_at_once());
    EXPECT_TRUE(without->plan.blocks[0].checks_bounds) << "known before it is relied on";
    std::vector<bool> at_once;
    for (const BlockPlan& block : with->plan.blocks) at_once.push_back(block.leaves_at_once);
    EXPECT_THAT(at_once, ElementsAre(true, true, false, false, false, false))
        << "lanes that data has parted are not all there";
    for (const char* check : {"leave0", "leave1"}) {
        const std::size_t asks = with->ptx.find(fmt::format("@%warplens_{0} bra.uni $warplens_{0};", check));
        const std::size_t whether_all = with->ptx.find(fmt::format("\n$warplens_{}:", check));
        ASSERT_NE(asks, std::string::npos);
        ASSERT_NE(whether_all, std::string::npos);
        EXPECT_LT(asks, with->ptx.find("ret;")) << "one vote while all stay";
        EXPECT_GT(whether_all, with->ptx.find("ret;")) << "out of the way";
        EXPECT_THAT(with->ptx.substr(whether_all), ContainsRegex("vote.sync.all.pred[^$]* bra.uni \\$E;"));
    }
    EXPECT_THAT(without->ptx, HasSubstr("@%p1 bra $E"));

    how.parting = {0};
    const auto parted = instrument(module, "k", how);
    ASSERT_TRUE(parted);
    EXPECT_FALSE(parted->plan.leaves_at_once()) << "behind the first check warps are not sure to be whole";
    how.parting = {1};
    const auto parted_later = instrument(module, "k", how);
    ASSERT_TRUE(parted_later);
    EXPECT_TRUE(parted_later->plan.blocks[0].leaves_at_once);
    EXPECT_FALSE(parted_later->plan.blocks[1].leaves_at_once);
    EXPECT_TRUE(parted_later->plan.blocks[1].checks_bounds) << "relied on all the same";
    how.predict_parting = false;
    const auto relied_on_no_more = instrument(module, "k", how);
    ASSERT_TRUE(relied_on_no_more);
    EXPECT_TRUE(relied_on_no_more->plan.blocks[0].leaves_at_once);
    EXPECT_FALSE(relied_on_no_more->plan.blocks[1].checks_bounds);
}

/// Block 2 is behind a barrier in a loop, and ends in a branch that divides its warp.
BlockPlan behind_barrier(const std::string& barrier, bool predict_whole) {
    const ptx::Module module =
        kernel("mov.u32 %r2, %tid.x; mov.u32 %r3, 0;\n$L: " + barrier +
               "; setp.eq.u32 %p1, %r2, 0; @%p1 bra $J;\nmov.u32 %r4, 1;\n"
               "$J: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra $L; ret;");
    InstrumentOptions how;
    how.launch = KnownLaunch{.geometry = {{8, 1, 1}, {64, 1, 1}, 0}};
    how.predict_whole = predict_whole;
    const auto made = instrument(module, "k", how);
    EXPECT_TRUE(made) << made.error().message;
    return made ? made->plan.blocks.at(2) : BlockPlan{};
}

TEST(whole_warps, a_record_after_a_barrier_takes_the_ballot_of_its_branch_along) {
    EXPECT_EQ(behind_barrier("bar.sync 0", false).units, 2u);
    const BlockPlan of_all = behind_barrier("bar.sync 0", true);
    EXPECT_EQ(of_all.units, 1u) << "one clock leaves room for it";
    EXPECT_TRUE(of_all.clock_of_arrival);
    const BlockPlan of_some = behind_barrier("bar.sync 1, 64", true);
    EXPECT_EQ(of_some.units, 1u) << "in place of the mask";
    EXPECT_EQ(of_some.carries, BlockPlan::Carries::own_ballot);
}

/// Two nested loops whose limits depend on the thread.
const std::string nested_loops =
    "mov.u32 %r2, %tid.x; mov.u32 %r3, 0;\n$O: mov.u32 %r4, 0;\n$I: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, "
    "%r4, %r2; @%p1 bra $I;\nadd.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r2; @%p2 bra $O;\nret;";

TEST(whole_warps, lanes_that_leave_the_outer_loop_are_apart_behind_the_inner_one_too) {
    EXPECT_THAT(whole(nested_loops), ElementsAre(true, false, false, false, true));
}

TEST(whole_warps, lanes_log_their_branches_in_nested_loops_where_there_is_room_for_logs) {
    const ptx::Module module = kernel(nested_loops);
    InstrumentOptions how = with_whole_warps();
    const auto recording = instrument(module, "k", how);
    how.log_words = 4;
    const auto logging = instrument(module, "k", how);
    ASSERT_TRUE(recording && logging);
    EXPECT_GT(recording->plan.predicted, 0u) << "counted also where there is no room";
    EXPECT_EQ(recording->plan.log_words, 0u);
    EXPECT_EQ(recording->plan.blocks[2].source, BlockPlan::Source::recorded);
    EXPECT_EQ(logging->plan.blocks[2].source, BlockPlan::Source::logged);
    EXPECT_TRUE(logging->plan.blocks[2].logs_branch);
    EXPECT_THAT(recording->ptx, HasSubstr("atom.global.add.u32")) << "records may need another chunk";
    EXPECT_THAT(logging->ptx, Not(HasSubstr("atom.global.add.u32")));
}

/// By block: whether only the last pass of each lane through its loop is hashed.
std::vector<bool> last_passes(const std::string& body) {
    InstrumentOptions how = with_whole_warps();
    how.log_words = 4;
    const auto made = instrument(kernel(body), "k", how);
    EXPECT_TRUE(made) << made.error().message;
    std::vector<bool> found;
    if (made)
        for (const BlockPlan& block : made->plan.blocks) found.push_back(block.hashes_last_pass);
    return found;
}

TEST(whole_warps, a_loop_in_which_lanes_part_for_good_hashes_those_of_the_last_pass) {
    EXPECT_THAT(last_passes(nested_loops), ElementsAre(false, false, true, false, false))
        << "the inner one: in the outer one lanes meet behind it";
    EXPECT_THAT(last_passes(loop_until("mov.u32 %r2, %tid.x;")), Contains(true));
    const std::string two_exits =
        "mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p]; mov.u32 %r3, 0;\n$L: ld.global.u32 %r4, [%rd1];\n"
        "setp.eq.u32 %p1, %r4, %r2; @%p1 bra $E;\n{}add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r2; @%p2 bra "
        "$L;\n"
        "$E: ret;";
    EXPECT_THAT(last_passes(fmt::format(fmt::runtime(two_exits), "")),
                ElementsAre(false, true, false, false));
    EXPECT_THAT(last_passes(fmt::format(fmt::runtime(two_exits), "bar.warp.sync -1;\n")), Not(Contains(true)))
        << "lanes that were apart may meet in each pass";
}

TEST(whole_warps, a_log_is_stored_once_on_each_way_around_loops) {
    const auto stores = [](const std::string& body) {
        InstrumentOptions how = with_whole_warps();
        how.log_words = 4;
        const auto made = instrument(kernel(body), "k", how);
        EXPECT_TRUE(made) << made.error().message;
        std::size_t count = 0;
        for (std::size_t at = 0;
             made && (at = made->ptx.find("setp.ge.u32 %warplens_flush", at)) != std::string::npos; ++at)
            ++count;
        return count;
    };
    EXPECT_EQ(stores(nested_loops), 1u) << "in the inner one, which each pass of the outer one comes to";
    EXPECT_EQ(stores("mov.u32 %r2, %tid.x; mov.u32 %r3, 0;\n$O: mov.u32 %r4, 0;\n"
                     "setp.eq.u32 %p1, %r3, %r2; @%p1 bra $B;\n"
                     "$I: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r2; @%p1 bra $I;\n"
                     "$B: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r2; @%p2 bra $O;\nret;"),
              2u)
        << "lanes may go around it without";
}

TEST(whole_warps, where_one_loop_parts_lanes_its_last_pass_is_the_hash) {
    const std::string ptx = recorded(kernel(loop_until("mov.u32 %r2, %tid.x;")), true);
    EXPECT_THAT(ptx, HasSubstr("activemask.b32 %warplens_last_lanes"));
    EXPECT_THAT(ptx, Not(HasSubstr("%warplens_tally_hash")));
}

TEST(whole_warps, a_sum_waits_for_all_lanes_at_the_only_way_out_alone) {
    const auto asks = HasSubstr("%warplens_few");
    EXPECT_THAT(recorded(kernel(loop_until("mov.u32 %r2, %tid.x;")), true), Not(asks));
    EXPECT_THAT(recorded(kernel("setp.eq.u32 %p1, %r1, 7; @%p1 bra $R;\n" +
                                loop_until("mov.u32 %r2, %tid.x;") + "\n$R: add.u32 %r3, %r2, 1; ret;"),
                         true),
                asks)
        << "two ways";
}

// Reading a special register takes a scheduler eight cycles: the leader is found where the kernel's own index
// is read.
TEST(whole_warps, the_leader_of_a_whole_warp_needs_no_lane_mask_and_one_warp_of_a_block_reads_the_timer) {
    const std::string ptx =
        recorded(kernel("mov.u32 %r2, %tid.x; bar.sync 0; add.u32 %r3, %r2, 1; ret;"), true);
    EXPECT_THAT(ptx, Not(HasSubstr("%lanemask")));
    EXPECT_THAT(ptx, Not(HasSubstr("%laneid")));
    EXPECT_THAT(ptx, ContainsRegex("ret;\n(.|\n)*mov.u64 [^;]*%globaltimer")) << "out of the way";
}

TEST(whole_warps, a_slab_with_room_for_records_that_are_written_once_is_not_compared_with_its_end) {
    const auto limit = HasSubstr("%warplens_limit");
    EXPECT_THAT(recorded(kernel("mov.u32 %r2, %tid.x; bar.sync 0; add.u32 %r3, %r2, 1; ret;"), true),
                Not(limit));
    EXPECT_THAT(recorded(kernel("mov.u32 %r3, 0;\n$L: bar.sync 0; add.u32 %r3, %r3, 1;\n"
                                "setp.lt.u32 %p1, %r3, %r1; @%p1 bra $L; ret;"),
                         true),
                limit);
}

/// Another target's code; empty with a failure where it cannot be made.
Instrumented instrument_for(const char* target, ptx::Module module, const InstrumentOptions& how) {
    module.targets = {target};
    auto made = instrument(module, "k", how);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : Instrumented{};
}

TEST(whole_warps, short_logs_and_tallies_of_a_lane_are_one_number) {
    const ptx::Module module = kernel(loop_until("mov.u32 %r2, %tid.x;"));
    InstrumentOptions how = with_whole_warps();
    const auto rows = instrument(module, "k", how);
    how.tally_bits = 12;
    const auto packed = instrument(module, "k", how);
    ASSERT_TRUE(rows && packed);
    EXPECT_EQ(rows->plan.tallies, 1u);
    EXPECT_TRUE(rows->plan.warp_hash) << "the warp is whole where it ends";
    EXPECT_TRUE(rows->plan.hash_in_head) << "in place of the mask of a whole warp";
    EXPECT_EQ(rows->plan.lane_area(), 128u);
    EXPECT_EQ(packed->plan.lane_bytes, 2u);
    EXPECT_EQ(packed->plan.lane_area(), 64u);
    EXPECT_THAT(packed->ptx, HasSubstr("st.global.u16"));
    EXPECT_FALSE(instrument_for("sm_70", module, how).plan.warp_hash) << "it has no redux.sync";
    how.tally_bits = 40;
    const auto none = instrument(module, "k", how);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->plan.lane_bytes, 0u) << "no number has 40 bits";
}

TEST(whole_warps, tallies_that_are_more_than_a_number_share_words) {
    std::string loops;
    for (int i = 0; i < 9; ++i)
        loops += fmt::format(
            "mov.u32 %r3, 0;\n$L{0}: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra $L{0};\n", i);
    const ptx::Module module =
        kernel("ld.param.u64 %rd1, [p]; ld.global.u32 %r2, [%rd1];\n" + loops + "ret;");
    InstrumentOptions how = with_whole_warps();
    const auto rows = instrument(module, "k", how);
    how.tally_bits = 4;
    const auto shared = instrument(module, "k", how);
    ASSERT_TRUE(rows && shared);
    EXPECT_EQ(rows->plan.tallies, 9u);
    EXPECT_EQ(rows->plan.tallies_in_word, 1u);
    EXPECT_THAT(rows->ptx, HasSubstr("%warplens_tally8;"));
    EXPECT_EQ(shared->plan.tallies_in_word, 6u) << "four bits, and one that says that they were too few";
    EXPECT_EQ(shared->plan.lane_area(), 2u * 128) << "the sum of the hashes stands in the head";
    EXPECT_THAT(shared->ptx, HasSubstr("add.u32 %warplens_tally0, %warplens_tally0, 32;"));
    EXPECT_THAT(shared->ptx, HasSubstr(", 554189328;")) << "the highest bit of each of six";
    EXPECT_THAT(shared->ptx, HasSubstr("%warplens_tally1;"));
    EXPECT_THAT(shared->ptx, Not(HasSubstr("%warplens_tally2;")));
}

TEST(whole_warps, lanes_log_nothing_where_they_wait_for_others_between) {
    const ptx::Module module = kernel(
        "mov.u32 %r2, %tid.x; mov.u32 %r3, 0;\n$O: mov.u32 %r4, 0;\n$I: add.u32 %r4, %r4, 1; setp.lt.u32 "
        "%p1, "
        "%r4, %r2; @%p1 bra $I;\nbar.warp.sync 1;\nadd.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r2; @%p2 bra "
        "$O;\nret;");
    InstrumentOptions how = with_whole_warps();
    how.log_words = 4;
    const auto made = instrument(module, "k", how);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->plan.blocks[1].source, BlockPlan::Source::recorded) << "the outer loop's beginning";
    EXPECT_EQ(made->plan.blocks[2].source, BlockPlan::Source::logged) << "the inner loop";
}

TEST(whole_warps, branches_on_data_in_a_loop_are_logged_if_nothing_else_needs_a_record) {
    const ptx::Module module = kernel(
        "ld.param.u64 %rd1, [p]; mov.u32 %r3, 0;\n$L: ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, %r3;\n"
        "@%p1 bra $J;\nmov.u32 %r4, 1;\n$J: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra "
        "$L;\nret;");
    InstrumentOptions how = with_whole_warps();
    how.replay = true;
    const auto balloted = instrument(module, "k", how);
    how.log_words = 4;
    const auto logged = instrument(module, "k", how);
    ASSERT_TRUE(balloted && logged);
    EXPECT_EQ(balloted->plan.blocks[1].source, BlockPlan::Source::recorded);
    EXPECT_EQ(logged->plan.blocks[1].source, BlockPlan::Source::passed);
    EXPECT_TRUE(logged->plan.blocks[1].logs_branch);
    EXPECT_EQ(logged->plan.blocks[2].source, BlockPlan::Source::logged);
    EXPECT_EQ(logged->plan.blocks[4].source, BlockPlan::Source::recorded) << "behind the loop";
}

TEST(whole_warps, replayed_branches_in_a_row_leave_no_record) {
    const ptx::Module module = kernel(
        "mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 0; @%p1 bra $E;\nsetp.eq.u32 %p2, %r2, %r1; @%p2 bra "
        "$E;\n"
        "mov.u32 %r3, 1;\n$E: ret;");
    InstrumentOptions how = with_whole_warps();
    how.replay = true;
    const auto made = instrument(module, "k", how);
    ASSERT_TRUE(made);
    for (const BlockPlan& block : made->plan.blocks) EXPECT_NE(block.source, BlockPlan::Source::recorded);
}

TEST(whole_warps, what_is_surely_whole_is_not_checked) {
    const auto checks = ContainsRegex("setp.ne.or.u32 %warplens_apart");
    EXPECT_THAT(recorded(kernel(loop_until("mov.u32 %r2, %r1;")), true), Not(checks));
    EXPECT_THAT(recorded(kernel("mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1; @%p1 bra $E;\n"
                                "$L: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra $L;\n$E: ret;"),
                         true),
                checks)
        << "after a bounds check";
}

TEST(whole_warps, ballots_of_some_lanes_wait_for_no_others_but_beside_calls) {
    const auto waits = ContainsRegex("vote.sync.ballot.b32[^;]*%warplens_mask");
    const std::string body =
        "mov.u32 %r2, %tid.x;\n$L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra $N;\n"
        "mov.u32 %r3, 1;\n$N: setp.lt.u32 %p2, %r2, 9; @%p2 bra $L; ";
    EXPECT_THAT(recorded(kernel(body + "ret;"), false), Not(waits));
    std::string text = std::string(head) + body + "call f; ret;\n}\n";
    text.insert(text.find(".visible"), ".func f()\n{\nret;\n}\n");
    const auto module = ptx::parse(text, "k.ptx");
    ASSERT_TRUE(module) << module.error().message;
    EXPECT_THAT(recorded(*module, false), waits);
}

}  // namespace
}  // namespace warplens::instrumentation
