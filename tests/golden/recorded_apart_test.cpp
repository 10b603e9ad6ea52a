// Loops that lanes leave by several ways, or in which they give way, recorded at the machine level: ptxas has
// lanes meet only where all ways lead, and those that wait go on without any that have given way, while the
// CPU engine at the PTX level, and the reader at first, have them wait at the lowest block.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "tests/golden/assembled_form.h"
#include "tests/golden/both_levels.h"
#include "tests/hardware/timing_run.h"

namespace warplens::app {
namespace {

Result<EngineRecording> recorded(const std::string& folder, const std::string& kernel, instr::RecordMode mode,
                                 RecordingForm* form) {
    WARPLENS_TRY(
        auto loaded,
        hardware::load_kernel({.folder = "tests/hardware/" + folder, .kernel = kernel, .parameters = {}}));
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
            const auto recording = recorded("unspoken", "colour_round", mode, assembled ? &form : nullptr);
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

// Its threads join trees by atomics, and which of them are apart follows from what they read: the first
// block's warps need both orders in which lanes do not wait (WarpWalk::Order). What it leaves depends on the
// order, so that only the recording itself is asked.
TEST(recorded_apart, lanes_that_wait_go_on_without_those_that_give_way) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::full})
        for (const bool assembled : {false, true}) {
            SCOPED_TRACE(assembled ? "machine code" : "PTX");
            AssembledForm form;
            const auto recording = recorded("unshown", "union_labels", mode, assembled ? &form : nullptr);
            ASSERT_TRUE(recording) << recording.error().message;
            EXPECT_FALSE(recording->decoded.warps_apart);
            EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
            if (assembled) continue;
            EXPECT_TRUE(recording->same_results);
            EXPECT_TRUE(
                trace::compare(*recording->clean, *recording->recorded, {mode == instr::RecordMode::full})
                    .exact());
        }
}

// Which of the lanes that are apart go on first is the hardware's choice; these are in none of the orders
// that are tried for all warps, and the reader finds them (BlockDecoder::search_order).
TEST(recorded_apart, orders_that_are_not_known_are_found) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    for (const char* kernel : {"claim_slots", "neighbour_raises_flag", "waits_for_flag_first"})
        for (const auto mode : {instr::RecordMode::light, instr::RecordMode::full}) {
            SCOPED_TRACE(kernel);
            AssembledForm form;
            const auto recording = recorded("giving_way", kernel, mode, &form);
            ASSERT_TRUE(recording) << recording.error().message;
            EXPECT_TRUE(recording->same_results) << recording->difference;
            EXPECT_TRUE(recording->instrumented.plan.hashes_lanes) << "which is what shows the order";
            EXPECT_FALSE(recording->decoded.warps_apart);
            EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
            const auto agreement =
                trace::compare(*recording->clean, *recording->recorded, {mode == instr::RecordMode::full});
            EXPECT_TRUE(agreement.lane_by_lane()) << (agreement.first ? agreement.first->sentence : "");
        }
}

}  // namespace
}  // namespace warplens::app

#endif
