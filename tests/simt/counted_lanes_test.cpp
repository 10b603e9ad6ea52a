// Shared atomics that count lanes: the assembler's form for an addition of 1 that nobody reads takes one
// wavefront for all lanes at a word, others one for each lane.
#include <gtest/gtest.h>

#include "tests/simt/lowered_code.h"
#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

/// Cycles of one SM for eight warps that each do 32 atomics with all lanes at one word.
double cycles(bool counts_lanes) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.rounds = 32;
    launch.reduction({Space::shared, 0, 0});
    auto code = std::make_shared<MachineProgram>(*launch.code());
    code->ops.at(0).counts_lanes = counts_lanes;
    TimingRequest request;
    request.code = code;
    const auto timed = schedule(launch.trace(default_gpu()), default_gpu(), request);
    EXPECT_TRUE(timed) << timed.error().message;
    return timed ? timed->launch.sm_cycles : 0;
}

TEST(counted_lanes, lanes_at_one_word_take_one_wavefront) {
    constexpr double lanes = 8.0 * 32 * 32;
    EXPECT_GT(cycles(false), lanes);
    EXPECT_LT(cycles(true), lanes / 8);
}

bool counts_lanes(const std::string& atomic) {
    const LoweredCode code(atomic + "\nst.global.u32 [%d1], %r3;\nret;");
    for (const MachineOp& op : code.machine.ops)
        if (op.kind == MachineKind::atomic || op.kind == MachineKind::reduction) return op.counts_lanes;
    ADD_FAILURE() << atomic << " is not an atomic";
    return false;
}

TEST(counted_lanes, the_lowering_knows_the_additions_that_the_assembler_counts) {
    EXPECT_TRUE(counts_lanes("atom.shared.add.u32 %r2, [%r1], 1;"));
    EXPECT_TRUE(counts_lanes("red.shared.add.u32 [%r1], 1;"));
    EXPECT_FALSE(counts_lanes("red.shared.add.u32 [%r1], 2;")) << "not a count";
    EXPECT_FALSE(counts_lanes("red.shared.max.u32 [%r1], 1;"));
    EXPECT_FALSE(counts_lanes("atom.shared.add.u32 %r3, [%r1], 1;")) << "the sum before it is read";
    EXPECT_FALSE(counts_lanes("red.global.add.u32 [%d1], 1;"));
}

}  // namespace
}  // namespace warplens::simt
