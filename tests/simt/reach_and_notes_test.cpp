// The message of a race names the barrier that is missing between every found pair, and code that is correct
// only because of how a GPU works is noted at its line.
#include <gmock/gmock.h>

#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string tile = ".shared .align 4 .b8 tile[512];";
/// %r2 own word of the tile, %r3 that of the thread before, around a block of %ntid.x threads.
const std::string own_and_neighbour =
    "mov.u32 %r1, %tid.x;\nmov.u32 %r9, %ntid.x;\nmov.u32 %r4, tile;\nshl.b32 %r5, %r1, 2;\n"
    "add.u32 %r2, %r4, %r5;\nadd.u32 %r6, %r1, %r9;\nsub.u32 %r6, %r6, 1;\nrem.u32 %r6, %r6, %r9;\n"
    "shl.b32 %r6, %r6, 2;\nadd.u32 %r3, %r4, %r6;\n";

RunResult run(const std::string& body, std::uint32_t threads) {
    KernelUnderTest test(own_and_neighbour + body + "ret;", "", tile);
    test.geometry.block = {threads, 1, 1};
    test.options.detect_races = true;
    return test.run();
}

std::string message_of(std::uint32_t threads, const std::string& between) {
    const RunResult result =
        run("st.shared.u32 [%r2], %r1;\n" + between + "ld.shared.u32 %r7, [%r3];\n", threads);
    const Problem* race = find(result, ProblemKind::shared_race);
    return race ? race->message : "";
}

TEST(reach, a_race_inside_a_warp_wants_a_syncwarp) {
    EXPECT_THAT(message_of(32, ""), HasSubstr("no __syncwarp() is executed between the two"));
    EXPECT_THAT(message_of(32, "bar.warp.sync -1;\n"), IsEmpty()) << "it was the missing one";
}

TEST(reach, a_race_inside_a_warp_and_across_warps_wants_a_syncthreads) {
    EXPECT_THAT(message_of(64, ""), HasSubstr("no __syncthreads() is executed between the two"));
    EXPECT_THAT(message_of(64, "bar.warp.sync -1;\n"),
                HasSubstr("no __syncthreads() is executed between the two"))
        << "a __syncwarp() would not have been enough";
    EXPECT_THAT(message_of(64, "bar.sync 0;\n"), IsEmpty()) << "it was the missing one";
}

TEST(reach, the_furthest_pair_is_kept_and_all_are_counted) {
    const RunResult result = run("st.shared.u32 [%r2], %r1;\nld.shared.u32 %r7, [%r3];\n", 64);
    const Problem* race = find(result, ProblemKind::shared_race);
    ASSERT_TRUE(race && race->other);
    EXPECT_EQ(race->reach, Reach::block);
    EXPECT_NE(race->thread.x / 32, race->other->thread.x / 32);
    EXPECT_GT(race->count, 30u);
}

const Problem* note(const RunResult& result, ProblemKind kind) {
    const auto at = std::ranges::find(result.notes, kind, &Problem::kind);
    return at == result.notes.end() ? nullptr : &*at;
}

TEST(notes, a_barrier_that_opens_since_the_others_have_ended) {
    const RunResult result = run("setp.ge.u32 %p1, %r1, 16;\n@%p1 ret;\nbar.sync 0;\n", 32);
    EXPECT_THAT(result.problems, IsEmpty());
    ASSERT_TRUE(note(result, ProblemKind::ended_threads));
    EXPECT_THAT(note(result, ProblemKind::ended_threads)->message,
                testing::AllOf(HasSubstr("16 of the block's 32 threads"), HasSubstr("7.0")));
}

TEST(notes, whole_warps_that_have_ended_are_noted_as_well) {
    const RunResult result = run("setp.ge.u32 %p1, %r1, 32;\n@%p1 ret;\nbar.sync 0;\n", 64);
    ASSERT_TRUE(note(result, ProblemKind::ended_threads));
}

TEST(notes, a_barrier_that_all_reach_is_not_noted) {
    EXPECT_THAT(run("bar.sync 0;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 ret;\n", 48).notes, IsEmpty());
}

/// The last two steps of a reduction as old code has them: each lane adds the word of a later lane to its
/// own.
std::string volatile_reduction(const std::string& between) {
    const std::string step = "ld.volatile.shared.u32 %r7, [%r2];\nld.volatile.shared.u32 %r8, [%r2+";
    const std::string add =
        "];\nadd.u32 %r7, %r7, %r8;\n" + between + "st.volatile.shared.u32 [%r2], %r7;\n" + between;
    return "st.volatile.shared.u32 [%r2], %r1;\nst.volatile.shared.u32 [%r2+128], %r1;\n" + between + step +
           "8" + add + step + "4" + add;
}

TEST(notes, a_volatile_reduction_relies_on_lockstep) {
    const RunResult result = run(volatile_reduction(""), 32);
    EXPECT_THAT(result.problems, IsEmpty());
    ASSERT_TRUE(note(result, ProblemKind::lockstep));
    EXPECT_THAT(note(result, ProblemKind::lockstep)->message,
                testing::AllOf(HasSubstr("relies on lanes that run in lockstep"), HasSubstr("__syncwarp()")));
}

TEST(notes, with_syncwarps_it_does_not) {
    EXPECT_THAT(run(volatile_reduction("bar.warp.sync -1;\n"), 32).notes, IsEmpty());
}

TEST(notes, volatile_words_of_ones_own_are_not_noted) {
    EXPECT_THAT(run("st.volatile.shared.u32 [%r2], %r1;\nld.volatile.shared.u32 %r7, [%r2];\n", 32).notes,
                IsEmpty());
}

}  // namespace
}  // namespace warplens::simt
