// Launches that do not fill their warps: lanes leave at a bounds check while the others of their warp stay,
// which are relied on to be whole from there on (instrumentation/rewrite/leave_at_once.h).
#include <gmock/gmock.h>

#include "app/pipeline/block_sample.h"
#include "app/pipeline/gpu/recording_size.h"
#include "tests/golden/recorded_in_engine.h"
#include "tests/hardware/timing_run.h"

namespace warplens::app {
namespace {

struct PartlyFilled {
    const char* folder;
    const char* kernel;
    hardware::Overrides parameters = {};
};

std::string name_of_partly_filled(const testing::TestParamInfo<PartlyFilled>& info) {
    return fmt::format("{}_{}", info.param.kernel, info.index);
}

class RecordedPartlyFilled : public testing::TestWithParam<PartlyFilled> {};

/// Of a second recording, after a first one has shown at which bounds checks lanes part; `parting` is empty
/// if that one failed.
EngineRecordingOptions knowing_where_lanes_part(RecordingEngine& engine, instr::RecordMode mode) {
    EngineRecordingOptions options;
    options.mode = mode;
    options.executed = options.recorded = spread_blocks(engine.launch().launch.geometry.blocks(), 3);
    options.known_launch = options.replay = options.replay_loads = true;
    const auto first = engine.record(options);
    EXPECT_TRUE(first) << first.error().message;
    if (first) add_parting_checks(first->instrumented.plan, first->decoded, options.parting);
    options.predict_whole = options.leave_at_once = true;
    options.log_words = 64;
    options.chunk_units = 1u << 10;
    options.pool_chunks = 64;
    return options;
}

TEST_P(RecordedPartlyFilled, those_who_stay_are_a_whole_warp) {
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full}) {
        SCOPED_TRACE(fmt::format("mode {}", int(mode)));
        auto loaded = hardware::load_kernel(
            {.folder = GetParam().folder, .kernel = GetParam().kernel, .parameters = GetParam().parameters});
        ASSERT_TRUE(loaded) << loaded.error().message;
        RecordingEngine engine(std::move(*loaded));
        EngineRecordingOptions options = knowing_where_lanes_part(engine, mode);
        ASSERT_FALSE(options.parting.empty());
        options.value_words = 64;
        const auto recording = engine.record(options);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_TRUE(recording->instrumented.plan.lanes_leave());
        EXPECT_TRUE(recording->same_results) << recording->difference;
        EXPECT_FALSE(recording->decoded.warps_apart);
        EXPECT_FALSE(recording->decoded.slabs_full);
        EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
        const auto agreement =
            trace::compare(*recording->clean, *recording->recorded, {mode == instr::RecordMode::full});
        EXPECT_TRUE(agreement.exact()) << (agreement.first ? agreement.first->sentence : "");
        EXPECT_FALSE(recording->hash_difference);
        EXPECT_FALSE(recording->decoded.replay_differs);
    }
}

/// The recording's own votes wait for all 32 lanes, as a barrier of the kernel would: whoever has parted at
/// the check must not wait for the others at the way out, to add up the lanes' hashes.
TEST(recorded_parting, lanes_that_part_before_whole_warps_vote_wait_for_nobody) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    for (const char* const kernel : {"alias_samples", "shock_flux"})
        for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof}) {
            SCOPED_TRACE(fmt::format("{} mode {}", kernel, int(mode)));
            auto loaded = hardware::load_kernel(
                {.folder = "tests/hardware/unplayed", .kernel = kernel, .parameters = {}});
            ASSERT_TRUE(loaded) << loaded.error().message;
            RecordingEngine engine(std::move(*loaded));
            const EngineRecordingOptions options = knowing_where_lanes_part(engine, mode);
            ASSERT_FALSE(options.parting.empty());
            const auto recording = engine.record(options);
            ASSERT_TRUE(recording) << recording.error().message;
            EXPECT_TRUE(recording->same_results) << recording->difference;
            EXPECT_TRUE(recording->decoded.warps_apart) << "those who stay say that the warp is not whole";
        }
}

INSTANTIATE_TEST_SUITE_P(
    kernels, RecordedPartlyFilled,
    testing::Values(PartlyFilled{"tests/hardware/returned", "any_after_return"},
                    PartlyFilled{"tests/hardware/returned", "match_after_return"},
                    PartlyFilled{"tests/hardware/returned", "syncwarp_after_return"},
                    PartlyFilled{"tests/hardware/returned", "barrier_after_return"},
                    PartlyFilled{"tests/hardware/returned", "vote_inside_borders"},
                    PartlyFilled{"tests/hardware/unplayed", "bezier_points"},
                    PartlyFilled{"tests/hardware/unplayed", "morton_codes"},
                    PartlyFilled{"tests/hardware/unplayed", "harris_corners"},
                    PartlyFilled{"tests/hardware/unguessed", "dxt_blocks", {{"blocks", "1003"}}},
                    // A block is three warps and four threads.
                    PartlyFilled{"kernels", "vector_add", {{"block", "100"}, {"n", "1003"}}}),
    name_of_partly_filled);

}  // namespace
}  // namespace warplens::app
