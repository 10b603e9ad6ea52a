// Loops that lanes leave by several ways: where these join only at the kernel's end the recording has lanes
// meet behind the loop (meet_behind_loops.h), and of a loop in which one branch alone would be logged they
// log the number of passes (count_passes.h).
#include <gmock/gmock.h>

#include "app/pipeline/gpu/recording_size.h"
#include "tests/golden/assembled_form.h"
#include "tests/golden/both_levels.h"
#include "tests/hardware/timing_run.h"

namespace warplens::app {
namespace {

struct WaysOutAsked {
    const char *folder, *kernel;
    std::uint32_t pass_bits = 0, log_bits = 0;
};

Result<EngineRecording> recorded(const WaysOutAsked& asked, instr::RecordMode mode,
                                 RecordingForm* form = nullptr) {
    WARPLENS_TRY(auto loaded, hardware::load_kernel({.folder = std::string("tests/hardware/") + asked.folder,
                                                     .kernel = asked.kernel,
                                                     .parameters = {}}));
    RecordingEngine engine(std::move(loaded));
    EngineRecordingOptions options;
    options.mode = mode;
    options.executed = options.recorded = {0, 1};
    options.known_launch = options.predict_whole = options.replay = options.replay_loads = true;
    options.leave_at_once = true;
    options.log_words = 128;
    options.log_bits = asked.log_bits;
    options.pass_bits = asked.pass_bits;
    options.chunk_units = 1u << 13;
    options.form = form;
    return engine.record(options);
}

constexpr std::array every_mode{instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full};
const auto counts_passes = testing::Contains(testing::Field(&instr::BlockPlan::counts_passes, true));

TEST(recorded_ways_out, lanes_meet_behind_a_loop_whose_ways_out_join_at_the_end) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    for (const auto mode : every_mode)
        for (const bool assembled : {false, true}) {
            if (assembled && !AssembledForm::has_assembler()) continue;
            SCOPED_TRACE(assembled ? "machine code" : "PTX");
            AssembledForm form;
            const auto recording =
                recorded({"unbidden", "knock_out_paths"}, mode, assembled ? &form : nullptr);
            ASSERT_TRUE(recording) << recording.error().message;
            EXPECT_NE(recording->instrumented.ptx.find("$warplens_meet"), std::string::npos);
            expect_agreement(*recording, mode);
            EXPECT_EQ(recording->decoded.records, 0u) << "also of what stands behind the loop";
        }
}

// Behind `if (a && b)` no branch's ways end, so that the assembler has lanes meet there no more than the PTX
// says: their logs are read as of lanes that stay apart. In the engine's PTX they meet.
TEST(recorded_ways_out, lanes_that_come_apart_to_where_no_ways_end_go_on_apart) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    for (const auto mode : every_mode) {
        AssembledForm form;
        const auto recording = recorded({"unworn", "map_colouring"}, mode, &form);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_FALSE(recording->decoded.warps_apart);
        EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
        EXPECT_LE(recording->decoded.records, 3 * recording->decoded.warps.size()) << "none of the loop";
        const auto agreement =
            trace::compare(*recording->clean, *recording->recorded, {mode == instr::RecordMode::full});
        EXPECT_TRUE(agreement.lane_by_lane()) << agreement.first->sentence;
        EXPECT_FALSE(agreement.exact()) << "they are together in the engine";
    }
}

TEST(recorded_ways_out, lanes_do_not_meet_where_all_ways_join_before_the_end) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    const auto recording = recorded({"unguessed", "particle_index"}, instr::RecordMode::light);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_EQ(recording->instrumented.ptx.find("$warplens_meet"), std::string::npos);
}

TEST(recorded_ways_out, passes_are_counted_whichever_way_lanes_leave) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    // Of the first each way leads elsewhere; of the second both lead to one block.
    for (const WaysOutAsked& asked :
         {WaysOutAsked{"unbidden", "knock_out_paths", 6}, WaysOutAsked{"unguessed", "particle_index", 10}})
        for (const auto mode : every_mode) {
            SCOPED_TRACE(asked.kernel);
            const auto bits = recorded({asked.folder, asked.kernel}, mode);
            const auto counted = recorded(asked, mode);
            ASSERT_TRUE(bits && counted);
            expect_agreement(*counted, mode);
            EXPECT_THAT(bits->instrumented.plan.blocks, testing::Not(counts_passes));
            EXPECT_THAT(counted->instrumented.plan.blocks, counts_passes);
            EXPECT_LT(counted->decoded.written_bytes, bits->decoded.written_bytes);
        }
}

TEST(recorded_ways_out, a_count_has_its_place_beside_other_bits_in_a_number) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    for (const auto mode : every_mode) {
        const auto counted = recorded({"unbidden", "knock_out_paths", 6, 7}, mode);
        ASSERT_TRUE(counted) << counted.error().message;
        expect_agreement(*counted, mode);
        EXPECT_EQ(counted->instrumented.plan.lane_bytes, 1u);
    }
    const auto few = recorded({"unbidden", "knock_out_paths", 4, 7}, instr::RecordMode::light);
    ASSERT_TRUE(few) << few.error().message;
    EXPECT_TRUE(few->decoded.slabs_full) << "lanes pass 48 times";
}

TEST(recorded_ways_out, what_a_launch_needs_is_found_from_the_one_before) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    const auto before = recorded({"unbidden", "knock_out_paths"}, instr::RecordMode::light);
    ASSERT_TRUE(before) << before.error().message;
    const LaneRoom room = lane_room(before->instrumented.plan, before->clean->program, before->decoded,
                                    before->decoded.warps.size(), 1u << 20);
    EXPECT_EQ(room.pass_bits, 6u) << "48 passes";
    EXPECT_EQ(room.log_bits, 7u) << "and whether a lane left by the branch";
}

// Of kernels that no form was chosen by, twice: as a first launch is recorded, and with what that has shown.
TEST(recorded_ways_out, of_other_kernels_show_every_visit) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    for (const char* kernel :
         {"billiard_balls", "cuckoo_find", "hull_next", "parse_integers", "romberg_areas", "skip_list_find"})
        for (const auto mode : every_mode) {
            SCOPED_TRACE(kernel);
            const auto first = recorded({"unsung", kernel}, mode);
            ASSERT_TRUE(first) << first.error().message;
            expect_agreement(*first, mode);
            const LaneRoom room = lane_room(first->instrumented.plan, first->clean->program, first->decoded,
                                            first->decoded.warps.size(), 1u << 20);
            const auto second = recorded({"unsung", kernel, room.pass_bits, room.log_bits}, mode);
            ASSERT_TRUE(second) << second.error().message;
            expect_agreement(*second, mode);
        }
}

TEST(recording_room, of_lanes_grows_as_far_as_it_may) {
    const LaneRoom room{.lane_units = 32, .value_words = 16, .lane_units_with_values = 1u << 20};
    const LaneRoom twice = with_more_parts(room, 2, 64, 1u << 20);
    EXPECT_EQ(twice.lane_units, 32u) << "64 parts of 32 lanes would take more than a mebibyte";
    EXPECT_EQ(twice.value_words, 32u);
    EXPECT_EQ(twice.lane_units_with_values, 1u << 20);
    EXPECT_EQ(with_more_parts(room, 2, 16, 1u << 20).lane_units, 64u);
}

}  // namespace
}  // namespace warplens::app
