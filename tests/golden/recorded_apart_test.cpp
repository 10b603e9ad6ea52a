// Loops that lanes leave by several ways, recorded at the machine level: ptxas has lanes meet only where all
// ways lead, while the CPU engine at the PTX level, and the reader at first, have them wait at the lowest
// block.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "tests/golden/assembled_form.h"
#include "tests/golden/both_levels.h"
#include "tests/hardware/timing_run.h"

namespace warplens::app {
namespace {

Result<EngineRecording> recorded(const std::string& kernel, instr::RecordMode mode, RecordingForm* form) {
    WARPLENS_TRY(auto loaded, hardware::load_kernel(
                                  {.folder = "tests/hardware/unspoken", .kernel = kernel, .parameters = {}}));
    RecordingEngine engine(std::move(loaded));
    EngineRecordingOptions options;
    options.mode = mode;
    options.executed = options.recorded = {0, 1};
    options.known_launch = options.predict_whole = options.replay = options.replay_loads = true;
    options.log_words = options.value_words = 64;
    options.chunk_units = 1u << 12;
    options.pool_chunks = 16;
    options.form = form;
    return engine.record(options);
}

TEST(recorded_apart, lanes_that_leave_a_loop_need_not_wait_for_the_others) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full})
        for (const bool assembled : {false, true}) {
            SCOPED_TRACE(assembled ? "machine code" : "PTX");
            AssembledForm form;
            const auto recording = recorded("colour_round", mode, assembled ? &form : nullptr);
            ASSERT_TRUE(recording) << recording.error().message;
            EXPECT_TRUE(recording->same_results);
            EXPECT_FALSE(recording->decoded.warps_apart);
            EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
            const auto agreement =
                trace::compare(*recording->clean, *recording->recorded, {mode == instr::RecordMode::full});
            EXPECT_TRUE(agreement.lane_by_lane()) << (agreement.first ? agreement.first->sentence : "");
            EXPECT_EQ(agreement.exact(), !assembled) << "lanes are apart in the machine code alone";
        }
}

}  // namespace
}  // namespace warplens::app

#endif
