// The search for races: the ordering by asynchronous copies, mbarriers and a cluster's barrier, and that a
// check of all lanes together gives the same result as lane by lane.
#include <algorithm>
#include <array>
#include <map>

#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

bool is_race(const Problem& problem) {
    return problem.kind == ProblemKind::shared_race || problem.kind == ProblemKind::global_race;
}

/// The first race's sentence; empty: there is none.
std::string race_of(KernelUnderTest& test) {
    test.options.detect_races = true;
    const RunResult result = test.run();
    const auto race = std::ranges::find_if(result.problems, is_race);
    return race == result.problems.end() ? "" : race->message;
}

const std::string shared_arrays =
    ".shared .align 128 .b8 tile[1024];\n.shared .align 8 .b8 bar[8];\n.shared .align 4 .b32 sum;";
/// %d3 / %d4 own word of out / in, %r2 own word of the tile, %r7 that of the thread opposite, of 64; one
/// mbarrier of 64 arrivals.
const std::string race_begin =
    "ld.param.u64 %d1, [out];\nld.param.u64 %d2, [in];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d3, %r1, 4;\n"
    "add.s64 %d4, %d2, %d3;\nadd.s64 %d3, %d1, %d3;\nmov.u32 %r5, tile;\nshl.b32 %r4, %r1, 2;\n"
    "add.u32 %r2, %r5, %r4;\nxor.b32 %r6, %r4, 252;\nadd.u32 %r7, %r5, %r6;\n"
    "setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\n";
const std::string read_opposite = "ld.shared.u32 %r8, [%r7];\nst.global.u32 [%d3], %r8;\n";

/// The race of a block of 64 threads, whose body follows `begin`.
std::string race_in(const std::string& body) {
    KernelUnderTest test(race_begin + body + "ret;", ".param .u64 out, .param .u64 in", shared_arrays);
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(64));
    test.buffer(zeros(64), "in");
    return race_of(test);
}

TEST(races, what_came_before_an_arrival_is_in_order_for_who_waits_at_the_mbarrier) {
    const std::string arrive = "st.shared.u32 [%r2], %r1;\nmbarrier.arrive.shared::cta.b64 %d6, [bar];\n";
    const std::string wait = "WAIT:\nmbarrier.try_wait.shared.b64 %p2, [bar], %d6;\n@!%p2 bra WAIT;\n";
    EXPECT_EQ(race_in(arrive + wait + read_opposite), "");
    EXPECT_NE(race_in(arrive + read_opposite), "");
    EXPECT_NE(race_in(arrive + wait + read_opposite + "st.shared.u32 [%r2], 9;\n"), "")
        << "nothing waits for the reads";
}

TEST(races, a_copy_that_was_waited_for_is_in_order_for_others_behind_a_barrier) {
    const std::string copy = "cp.async.ca.shared.global [%r2], [%d4], 4;\ncp.async.commit_group;\n";
    const std::string wait = "cp.async.wait_group 0;\n";
    EXPECT_EQ(race_in(copy + wait + "bar.sync 0;\n" + read_opposite), "");
    EXPECT_NE(race_in(copy + wait + read_opposite), "") << "only the thread itself has waited";
    EXPECT_NE(race_in(copy + "bar.sync 0;\n" + read_opposite), "") << "nobody has waited";
    EXPECT_NE(race_in(copy + "bar.sync 0;\n" + wait + read_opposite), "")
        << "the others' copies may end after the barrier";
    EXPECT_EQ(race_in(copy + wait + "ld.shared.u32 %r8, [%r2];\nst.global.u32 [%d3], %r8;\n"), "");
}

TEST(races, a_target_may_be_copied_to_again_once_all_have_read_it) {
    const std::string first =
        "cp.async.ca.shared.global [%r2], [%d4], 4;\ncp.async.wait_all;\nbar.sync 0;\n" + read_opposite;
    const std::string again = "cp.async.ca.shared.global [%r2], [%d4], 4;\ncp.async.wait_all;\n";
    EXPECT_EQ(race_in(first + "bar.sync 0;\n" + again), "");
    EXPECT_NE(race_in(first + again), "");
}

TEST(races, a_copy_that_an_mbarrier_counts_is_in_order_for_who_waits_there) {
    const std::string copy =
        "cp.async.ca.shared.global [%r2], [%d4], 4;\ncp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n";
    const std::string wait = "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\n";
    EXPECT_EQ(race_in(copy + wait + read_opposite), "");
    EXPECT_NE(race_in(copy + read_opposite), "");
}

TEST(races, a_cluster_s_barrier_orders_its_blocks_and_the_warps_of_each) {
    const std::string meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
    // A thread writes its block's word of out and reads the other block's.
    const auto between_blocks = [](const std::string& between) {
        KernelUnderTest test(
            "ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %cluster_ctarank;\n"
            "shl.b32 %r3, %r2, 5;\nadd.u32 %r3, %r3, %r1;\nmul.wide.u32 %d2, %r3, 4;\nadd.s64 %d2, %d1, "
            "%d2;\n"
            "xor.b32 %r4, %r3, 32;\nmul.wide.u32 %d3, %r4, 4;\nadd.s64 %d3, %d1, %d3;\n"
            "st.global.u32 [%d2], %r3;\n" +
            between + "ld.global.u32 %r5, [%d3];\nst.global.u32 [%d2+256], %r5;\nret;");
        test.geometry = {.grid = {2, 1, 1}, .block = {32, 1, 1}, .cluster = {2, 1, 1}};
        test.buffer(zeros(128));
        return race_of(test);
    };
    EXPECT_EQ(between_blocks(meet), "");
    EXPECT_NE(between_blocks(""), "");
    EXPECT_NE(between_blocks("bar.sync 0;\n"), "") << "of one block alone";
    EXPECT_NE(between_blocks("barrier.cluster.arrive.aligned;\n"), "") << "nobody waits";

    const std::string write = "st.shared.u32 [%r2], %r1;\n";
    EXPECT_EQ(race_in(write + meet + read_opposite), "");
    EXPECT_NE(race_in(write + read_opposite), "");
}

// ---- all lanes at once, and one by one

/// A kernel of 64 threads doing one thing after the other to the words of an array, each by the number in
/// %r20, which stands for the thread.
std::string body_of(const std::array<int, 3>& things, const std::string& space) {
    const std::string own = space == "shared" ? "[%r21]" : "[%d21]",
                      other = space == "shared" ? "[%r22]" : "[%d22]";
    const std::array<std::string, 10> all{
        "ld." + space + ".u32 %r9, " + own + ";\n",
        "ld." + space + ".u32 %r9, " + other + ";\n",
        "st." + space + ".u32 " + own + ", %r1;\n",
        "st." + space + ".u32 " + other + ", %r1;\n",
        "st." + space + ".u32 " + other + ", 7;\n",
        "st." + space + ".u32 " + own + ", 7;\n",
        "atom." + space + ".add.u32 %r9, " + own + ", 1;\n",
        "ld.volatile." + space + ".u32 %r9, " + other + ";\n",
        "bar.sync 0;\n",
        "bar.warp.sync -1;\n",
    };
    std::string body =
        "shl.b32 %r10, %r20, 2;\nmov.u32 %r11, tile;\nadd.u32 %r21, %r11, %r10;\nxor.b32 %r12, %r10, 128;\n"
        "add.u32 %r22, %r11, %r12;\ncvt.u64.u32 %d10, %r10;\nadd.s64 %d21, %d1, %d10;\n"
        "cvt.u64.u32 %d10, %r12;\nadd.s64 %d22, %d1, %d10;\n";
    for (const int thing : things) body += all[static_cast<std::size_t>(thing)];
    return body;
}

using Found = std::map<std::pair<ProblemKind, SiteId>, std::uint64_t>;

Found races_of(const std::string& numbering, const std::string& body) {
    KernelUnderTest test("ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\n" + numbering + body + "ret;",
                         ".param .u64 out", shared_arrays);
    test.geometry = {.grid = {2, 1, 1}, .block = {64, 1, 1}};
    test.options.detect_races = true;
    test.buffer(zeros(64));
    Found found;
    for (const Problem& problem : test.run().problems)
        if (is_race(problem)) found[{problem.kind, problem.site}] = problem.count;
    return found;
}

TEST(races, lanes_behind_one_another_are_found_to_do_what_lanes_in_any_order_do) {
    // Both numberings are a sum, so that sites have the same numbers; 5 puts no lane after its neighbour.
    const std::string in_order = "xor.b32 %r20, %r1, 0;\n", out_of_order = "xor.b32 %r20, %r1, 5;\n";
    std::size_t with_races = 0, without = 0;
    for (const std::string space : {"shared", "global"})
        for (int number = 0; number < 1000; ++number) {
            const std::array<int, 3> things{number / 100, number / 10 % 10, number % 10};
            const std::string body = body_of(things, space);
            const Found found = races_of(in_order, body);
            ASSERT_EQ(found, races_of(out_of_order, body)) << body;
            (found.empty() ? without : with_races) += 1;
        }
    EXPECT_GT(with_races, 300u);
    EXPECT_GT(without, 300u);
}

}  // namespace
}  // namespace warplens::simt
