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

/// One seed per group of instructions, four whose lanes recurse to different depths, and three whose lanes
/// wait at a barrier or an exchange for others in a recursion.
constexpr std::uint64_t seeds[] = {6000, 6001, 6002, 6003, 6004, 6005,  6006,  6007,
                                   6008, 5002, 5185, 5280, 5555, 30546, 31415, 31944};

TEST(machine_level_random, leaves_the_same_bytes_as_the_ptx_level) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    for (const std::uint64_t seed : seeds) expect_both_levels_agree(seed);
}

TEST(machine_level_random_long, leaves_the_same_bytes_for_sixty_more) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    for (std::uint64_t seed = 6009; seed < 6069; ++seed) expect_both_levels_agree(seed);
}

/// Each generation's code is another one, with other instructions and launch constants.
TEST(machine_level_random_long, leaves_the_same_bytes_on_other_generations) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    constexpr const char* gpus[] = {"T4", "A100", "RTX 3090", "RTX 4090", "B200", "RTX 5090"};
    constexpr std::uint64_t needs_ampere = 6156;  // for its instructions, and it would be the T4's turn
    for (std::uint64_t seed = 6100; seed < 6160; ++seed)
        if (seed != needs_ampere) expect_both_levels_agree(seed, gpus[seed % 6]);
}

}  // namespace
}  // namespace warplens::app

#endif
