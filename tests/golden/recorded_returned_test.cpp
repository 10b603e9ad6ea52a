// Lanes that return early while the others of their warp or block go on to a barrier or an exchange: those
// who have returned count as absent there. A recording that had them wait at the way out would never end.
#include <gmock/gmock.h>

#include "tests/golden/recorded_in_engine.h"
#include "tests/hardware/timing_run.h"

namespace warplens::app {
namespace {

class RecordedReturned : public testing::TestWithParam<const char*> {};

TEST_P(RecordedReturned, lanes_that_have_returned_are_not_waited_for) {
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full}) {
        for (const bool bounds : {true, false}) {
            SCOPED_TRACE(
                fmt::format("mode {}, {}", int(mode), bounds ? "bounds hold" : "bounds do not hold"));
            auto loaded = hardware::load_kernel(
                {.folder = "tests/hardware/returned", .kernel = GetParam(), .parameters = {}});
            ASSERT_TRUE(loaded) << loaded.error().message;
            RecordingEngine engine(std::move(*loaded));
            EngineRecordingOptions options;
            options.mode = mode;
            options.known_launch = options.predict_whole = options.replay = options.replay_loads = true;
            options.predict_bounds = bounds;
            options.log_words = options.value_words = 64;
            options.chunk_units = 1u << 10;
            options.pool_chunks = 64;
            const auto recording = engine.record(options);
            ASSERT_TRUE(recording) << recording.error().message;
            EXPECT_TRUE(recording->same_results);
            // Its last warp is not whole, which code that expects whole warps reports.
            if (recording->decoded.warps_apart) continue;
            EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
            const auto agreement =
                trace::compare(*recording->clean, *recording->recorded, {mode == instr::RecordMode::full});
            EXPECT_TRUE(agreement.exact()) << (agreement.first ? agreement.first->sentence : "");
            EXPECT_FALSE(recording->hash_difference);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(kernels, RecordedReturned,
                         testing::Values("any_after_return", "match_after_return", "syncwarp_after_return",
                                         "barrier_after_return", "return_by_data", "vote_inside_borders"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace warplens::app
