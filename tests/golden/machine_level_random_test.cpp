// Random kernels (tests/support/random_kernel.h) at the machine level against the PTX level: kernels to which
// neither was tuned, with recursion, calls, divergent loops, atomics, warp functions and every number type.
#ifdef WARPLENS_SASS

#include "both_levels.h"
#include "tests/support/random_kernel.h"

namespace warplens::app {
namespace {

void expect_both_levels_agree(std::uint64_t seed, const std::string& gpu = {}) {
    SCOPED_TRACE(fmt::format("seed {} {}", seed, gpu));
    const auto kernel = kernel_of(fmt::format("random_{}", seed), random_kernel(seed));
    const LevelRun ptx = run_at(kernel, Level::ptx, gpu), machine = run_at(kernel, Level::machine, gpu);
    ASSERT_TRUE(ptx.report && machine.report);
    for (const LevelRun* run : {&ptx, &machine})
        for (const Problem& problem : run->report->problems) ADD_FAILURE() << problem.message;
    expect_the_same_bytes(ptx, machine);
}

/// One seed per group of instructions, and three whose lanes recurse or wait for others in a recursion.
constexpr std::uint64_t seeds[] = {6000, 6001, 6002, 6003, 6004, 6005, 6006, 6007, 6008, 5002, 31415, 31944};

TEST(machine_level_random, leaves_the_same_bytes_as_the_ptx_level) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    for (const std::uint64_t seed : seeds) expect_both_levels_agree(seed);
}

// Lanes that recursed to different depths do not always meet again in machine code. On an H200 the results of
// 5185, 5280, 5555 and 6131 are not those of the PTX level either, where they are warned about; those of
// 30546 and 6050 are.
constexpr std::uint64_t arrive_in_parts[] = {5185, 5280, 5555, 6050, 6131, 30546};

bool arrives_in_parts(std::uint64_t seed) {
    return std::ranges::find(arrive_in_parts, seed) != std::end(arrive_in_parts);
}

TEST(machine_level_random, lanes_that_recursed_to_different_depths_arrive_in_parts) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    const auto has = [](const std::vector<Problem>& problems, ProblemKind kind) {
        return std::ranges::find(problems, kind, &Problem::kind) != problems.end();
    };
    for (const std::uint64_t seed : arrive_in_parts) {
        SCOPED_TRACE(seed);
        const auto kernel = kernel_of(fmt::format("random_{}", seed), random_kernel(seed));
        const LevelRun ptx = run_at(kernel, Level::ptx), machine = run_at(kernel, Level::machine);
        ASSERT_TRUE(ptx.report && machine.report);
        EXPECT_THAT(ptx.report->problems, testing::IsEmpty());
        EXPECT_TRUE(has(ptx.report->notes, ProblemKind::diverged_recursion));
        const bool at_barrier = has(machine.report->problems, ProblemKind::diverged_barrier);
        EXPECT_EQ(at_barrier, seed != 5280 && seed != 6131) << "these exchange values";
    }
}

TEST(machine_level_random_long, leaves_the_same_bytes_for_sixty_more) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    for (std::uint64_t seed = 6009; seed < 6069; ++seed)
        if (!arrives_in_parts(seed)) expect_both_levels_agree(seed);
}

/// Each generation's code is another one, with other instructions and launch constants.
TEST(machine_level_random_long, leaves_the_same_bytes_on_other_generations) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    constexpr const char* gpus[] = {"T4", "A100", "RTX 3090", "RTX 4090", "B200", "RTX 5090"};
    constexpr std::uint64_t needs_ampere = 6156;  // for its instructions, and it would be the T4's turn
    for (std::uint64_t seed = 6100; seed < 6160; ++seed)
        if (seed != needs_ampere && !arrives_in_parts(seed)) expect_both_levels_agree(seed, gpus[seed % 6]);
}

}  // namespace
}  // namespace warplens::app

#endif
