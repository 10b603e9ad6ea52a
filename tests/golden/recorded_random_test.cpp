// Random kernels (tests/support/random_kernel.h) recorded in the CPU engine: the form that relies on whole
// warps either agrees with the kernel as it is, or says that a warp was not whole.
#ifdef WARPLENS_SASS

#include <optional>

#include "both_levels.h"
#include "tests/golden/recorded_in_engine.h"
#include "tests/support/random_kernel.h"

namespace warplens::app {
namespace {

/// `mode`: of each recording, which relies on all that a GPU's recorder relies on at first; none: both modes,
/// and less in some. `log_words`: of each; none: those of some.
void expect_agreement_or_a_word(std::uint64_t first_seed, std::uint64_t count,
                                std::optional<instr::RecordMode> mode = {},
                                std::optional<std::uint32_t> log_words = {}) {
    const auto pipeline = make_pipeline();
    int relying = 0, right = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const std::string name = fmt::format("random_{}", seed);
        auto kernel = instrumentation::read_kernel_file(name + ".cu", random_kernel(seed));
        ASSERT_TRUE(kernel) << kernel.error().message;
        auto loaded =
            pipeline->load({std::make_shared<instrumentation::KernelFile>(std::move(*kernel)), {}, "", {}});
        ASSERT_TRUE(loaded) << loaded.error().message;
        const auto plain = instr::instrument(*loaded->module, loaded->program.entry, {});
        ASSERT_TRUE(plain) << plain.error().message;
        if (plain->plan.predicted == 0) continue;
        RecordingEngine engine(std::move(*loaded));
        EngineRecordingOptions options;
        options.predict_whole = options.known_launch = true;
        options.replay = options.replay_loads = mode || seed % 3 != 0;
        options.mode = mode.value_or(seed % 5 == 0 ? instr::RecordMode::full : instr::RecordMode::light);
        options.log_words = log_words.value_or(seed % 2 == 0 ? 256 : 0);
        options.predict_bounds = mode || seed % 4 < 2;
        options.leave_at_once = options.predict_bounds && seed % 3 < 2;
        options.chunk_units = 1u << 12;
        options.pool_chunks = 256;
        const auto recording = engine.record(options);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_TRUE(recording->same_results);
        ++relying;
        if (recording->decoded.warps_apart || recording->decoded.slabs_full) continue;
        ++right;
        EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
        EXPECT_FALSE(recording->decoded.replay_differs);
        const auto agreement = trace::compare(*recording->clean, *recording->recorded,
                                              {options.mode == instr::RecordMode::full});
        // In full mode lanes may be apart where they take chunks.
        EXPECT_TRUE(options.mode == instr::RecordMode::full ? agreement.lane_by_lane() : agreement.exact())
            << (agreement.first ? agreement.first->sentence : "");
    }
    EXPECT_GT(right, 0) << relying << " of " << count << " rely on whole warps";
}

TEST(recorded_random, what_relies_on_whole_warps_agrees_or_says_that_it_was_wrong) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    expect_agreement_or_a_word(7000, 10);
}

// Every branch before the blocks that would be logged follows from the launch, and each has one predecessor:
// there is no log and no hash of lanes, but loops are tallied.
TEST(recorded_random, blocks_whose_lanes_follow_from_the_launch_need_no_log) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    expect_agreement_or_a_word(110466, 1, instr::RecordMode::full);
}

// The same without a loop that is tallied: lanes have no words at all.
TEST(recorded_random, a_plan_whose_branches_are_all_replayed_needs_no_words_of_lanes) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    expect_agreement_or_a_word(202041, 1, instr::RecordMode::light, 256);
}

// The block whose ballot a record carries stands after it in the PTX.
TEST(recorded_random, a_record_carries_the_ballot_of_a_block_that_stands_later) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    expect_agreement_or_a_word(32205, 1);
}

TEST(recorded_random_long, what_relies_on_whole_warps_agrees_or_says_that_it_was_wrong) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: random kernels have no shipped code";
    expect_agreement_or_a_word(7010, 30);
}

}  // namespace
}  // namespace warplens::app

#endif
