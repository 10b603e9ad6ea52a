// The masks that real lanes had in six probes on an H200, from kernels with the same control flow. Each
// kernel counts a site's visits by storing its active mask: word 32 * site + lane.
#include "kernel_under_test.h"

namespace warplens::simt {
namespace {

using Masks = std::vector<std::uint32_t>;

/// Stores the active mask at `site`. Uses %r60, %d30.
std::string record(const std::string& site) {
    return "activemask.b32 %r60;\nst.global.u32 [%d2+" + std::to_string(128 * std::stoi(site)) + "], %r60;\n";
}

/// in[lane] as the probes had it.
std::uint32_t input(int lane) { return static_cast<std::uint32_t>(lane * 7 + 3) & 15; }

/// Runs the body with %r2 = in[lane]; the masks seen at each site, without those of lanes that never came.
std::vector<Masks> masks_seen(const std::string& body, int sites) {
    const std::string load_input =
        "ld.param.u64 %d3, [in];\nmul.wide.u32 %d4, %r1, 4;\nadd.s64 %d4, %d3, %d4;\nld.global.u32 %r2, "
        "[%d4];\n";
    KernelUnderTest test(to_own_word + load_input + body, ".param .u64 out, .param .u64 in");
    test.buffer(zeros(static_cast<std::size_t>(32 * sites)));
    std::vector<std::uint32_t> inputs(32);
    for (int lane = 0; lane < 32; ++lane) inputs[static_cast<std::size_t>(lane)] = input(lane);
    test.buffer(inputs);
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    EXPECT_TRUE(result.problems.empty());
    auto words = test.contents();
    std::vector<Masks> seen(static_cast<std::size_t>(sites));
    for (std::size_t i = 0; i < words.size(); ++i) {
        Masks& masks = seen[i / 32];
        if (words[i] == 0) continue;
        auto at = std::lower_bound(masks.begin(), masks.end(), words[i]);
        if (at == masks.end() || *at != words[i]) masks.insert(at, words[i]);
    }
    return seen;
}

TEST(reconvergence, a_return_inside_an_arm_does_not_keep_the_others_apart) {
    auto seen = masks_seen("and.b32 %r3, %r2, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra ELSE;\n" + record("0") +
                               "and.b32 %r3, %r2, 2;\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra GO_ON;\n" +
                               record("1") + "ret;\nGO_ON:\n" + record("2") + "bra.uni JOIN;\nELSE:\n" +
                               record("3") + "JOIN:\n" + record("4") + "ret;",
                           5);
    EXPECT_EQ(seen[0], Masks{0x55555555});
    EXPECT_EQ(seen[1], Masks{0x11111111});
    EXPECT_EQ(seen[2], Masks{0x44444444});
    EXPECT_EQ(seen[3], Masks{0xaaaaaaaa});
    EXPECT_EQ(seen[4], Masks{0xeeeeeeee});
}

TEST(reconvergence, a_switch_that_falls_through_meets_again) {
    auto seen = masks_seen(
        "and.b32 %r3, %r2, 3;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra ZERO;\nsetp.eq.u32 %p2, %r3, 1;\n@%p2 bra "
        "ONE;\n"
        "setp.eq.u32 %p3, %r3, 2;\n@%p3 bra TWO;\nbra.uni OTHER;\nZERO:\n" +
            record("0") + "bra.uni JOIN;\nONE:\n" + record("1") + "TWO:\n" + record("2") +
            "bra.uni JOIN;\nOTHER:\n" + record("3") + "JOIN:\n" + record("4") + "ret;",
        5);
    EXPECT_EQ(seen[0], Masks{0x88888888});
    EXPECT_EQ(seen[1], Masks{0x44444444});
    EXPECT_EQ(seen[2], Masks{0x66666666});
    EXPECT_EQ(seen[3], Masks{0x11111111});
    EXPECT_EQ(seen[4], Masks{0xffffffff});
}

// The one probe where the hardware differs: it ran the else block under four masks, 00a000a0, 04040404,
// 0a0a0a0a and 40004000, since each short-circuit test jumps to it on its own. Min-PC merges them.
TEST(reconvergence, the_else_block_of_a_short_circuit_condition_runs_once) {
    auto bit = [](const std::string& n, const std::string& p) {
        return "and.b32 %r3, %r2, " + n + ";\nsetp.eq.u32 " + p + ", %r3, 0;\n";
    };
    auto seen = masks_seen(bit("1", "%p1") + "@%p1 bra SECOND;\n" + bit("2", "%p2") +
                               "@!%p2 bra THEN;\nSECOND:\n" + bit("4", "%p3") + "@%p3 bra ELSE;\n" +
                               bit("8", "%p4") + "@%p4 bra ELSE;\nTHEN:\n" + record("0") +
                               "bra.uni JOIN;\nELSE:\n" + record("1") + "JOIN:\n" + record("2") + "ret;",
                           3);
    EXPECT_EQ(seen[0], Masks{0xb151b151});
    EXPECT_EQ(seen[1], Masks{0x4eae4eae});
    EXPECT_EQ(seen[2], Masks{0xffffffff});
}

TEST(reconvergence, lanes_that_break_out_of_a_loop_wait_behind_it) {
    // Round i stores at site i: the address moves on with it.
    auto seen = masks_seen(
        "and.b32 %r3, %r2, 7;\nmov.u32 %r4, 0;\nmov.u64 %d5, %d2;\nLOOP:\nactivemask.b32 %r60;\n"
        "st.global.u32 [%d5], %r60;\nsetp.eq.u32 %p1, %r4, %r3;\n@%p1 bra DONE;\nadd.s64 %d5, %d5, 128;\n"
        "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, 8;\n@%p2 bra LOOP;\nDONE:\n" +
            record("8") + "ret;",
        9);
    const Masks rounds{0xffffffff, 0xf7f7f7f7, 0xf3f3f3f3, 0xf1f1f1f1,
                       0xf0f0f0f0, 0x70707070, 0x30303030, 0x10101010};
    for (std::size_t i = 0; i < rounds.size(); ++i) EXPECT_EQ(seen[i], Masks{rounds[i]}) << "round " << i;
    EXPECT_EQ(seen[8], Masks{0xffffffff});
}

TEST(reconvergence, lanes_that_return_early_are_missing_afterwards) {
    auto seen = masks_seen("setp.ge.s32 %p1, %r2, 12;\n@%p1 bra END;\n" + record("0") +
                               "and.b32 %r3, %r2, 1;\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra SKIP;\n" +
                               record("1") + "SKIP:\n" + record("2") + "END:\nret;",
                           3);
    EXPECT_EQ(seen[0], Masks{0x5faf5faf});
    EXPECT_EQ(seen[1], Masks{0x55055505});
    EXPECT_EQ(seen[2], Masks{0x5faf5faf});
}

TEST(reconvergence, a_loop_inside_an_arm_meets_again_behind_the_branch) {
    auto seen = masks_seen(
        "and.b32 %r3, %r2, 7;\nand.b32 %r5, %r3, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra ELSE;\nmov.u32 %r4, "
        "0;\n"
        "mov.u64 %d5, %d2;\nLOOP:\nactivemask.b32 %r60;\nst.global.u32 [%d5], %r60;\nadd.s64 %d5, %d5, 128;\n"
        "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, %r3;\n@%p2 bra LOOP;\n" +
            record("8") + "bra.uni JOIN;\nELSE:\n" + record("9") + "JOIN:\n" + record("10") + "ret;",
        11);
    const Masks rounds{0x55555555, 0x51515151, 0x51515151, 0x50505050, 0x50505050, 0x10101010, 0x10101010};
    for (std::size_t i = 0; i < rounds.size(); ++i) EXPECT_EQ(seen[i], Masks{rounds[i]}) << "round " << i;
    EXPECT_EQ(seen[8], Masks{0x55555555});
    EXPECT_EQ(seen[9], Masks{0xaaaaaaaa});
    EXPECT_EQ(seen[10], Masks{0xffffffff});
}

TEST(reconvergence, lanes_in_a_function_are_waited_for_behind_the_call) {
    KernelUnderTest test(
        to_own_word +
            "and.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra BEHIND;\ncall.uni nothing;\n"
            "BEHIND:\n" +
            record("0") + "ret;",
        ".param .u64 out", ".func nothing()\n{\nret;\n}\n");
    test.buffer(zeros(32));
    ASSERT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents(), Masks(32, 0xffffffff));
}

}  // namespace
}  // namespace warplens::simt
