// Kernels to which the recorder was not tuned (tests/hardware), recorded in the CPU engine: what relies on
// whole warps, on tallies and on the lanes' logs shows every visit.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/pipeline/block_sample.h"
#include "app/pipeline/gpu/recording_size.h"
#include "tests/golden/both_levels.h"
#include "tests/golden/recorded_in_engine.h"
#include "tests/hardware/timing_run.h"
#include "tests/support/every.h"
#include "tests/support/folders.h"

namespace warplens::app {
namespace {

struct Untuned {
    std::string folder, kernel;
};

std::vector<Untuned> untuned() {
    std::vector<Untuned> all;
    for (const char* folder : {"machine_code", "machine_time", "unseen"})
        for (const auto& entry :
             std::filesystem::directory_iterator(source_folder() + "/tests/hardware/" + std::string(folder)))
            // The engine does not run reduce_grid: it shuffles from lanes that are not there.
            if (entry.path().extension() == ".cu" && entry.path().stem() != "reduce_grid")
                all.push_back({"tests/hardware/" + std::string(folder), entry.path().stem().string()});
    std::ranges::sort(all, {}, &Untuned::kernel);
    return all;
}

class RecordedUntuned : public testing::TestWithParam<Untuned> {};

TEST_P(RecordedUntuned, shows_every_visit) {
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full}) {
        auto loaded = hardware::load_kernel({.folder = GetParam().folder,
                                             .kernel = GetParam().kernel,
                                             .parameters = {},
                                             .code = GetParam().folder + "/code"});
        ASSERT_TRUE(loaded) << loaded.error().message;
        RecordingEngine engine(std::move(*loaded));
        EngineRecordingOptions options;
        options.mode = mode;
        options.executed = options.recorded = spread_blocks(engine.launch().launch.geometry.blocks(), 2);
        options.known_launch = options.predict_whole = options.replay = options.replay_loads = true;
        const bool full = mode == instr::RecordMode::full;  // lanes that are apart take chunks of their own
        options.log_words = full ? 1024 : 4096;
        options.chunk_units = full ? 1u << 14 : 1u << 16;
        options.pool_chunks = full ? 1u << 9 : 16;
        options.leave_at_once = true;
        auto recording = engine.record(options);
        if (recording && recording->decoded.warps_apart) {  // some warp parts at its bounds check
            options.leave_at_once = false;
            recording = engine.record(options);
        }
        if (recording && recording->decoded.warps_apart) {  // its last blocks do not pass their bounds check
            options.predict_bounds = false;
            recording = engine.record(options);
        }
        ASSERT_TRUE(recording) << recording.error().message;
        expect_agreement(*recording, mode);

        // And once more as a second launch is recorded: what is known to be short is packed.
        const LaneRoom room =
            lane_room(recording->instrumented.plan, engine.launch().program, recording->decoded, 1, 1u << 30);
        const std::uint64_t bytes = recording->decoded.written_bytes;
        options.log_words = room.log_words;
        options.log_bits = room.log_bits;
        options.tally_bits = room.tally_bits;
        options.pass_bits = room.pass_bits;
        options.lane_units = room.lane_units;
        options.value_words = room.value_words;
        if (!recording->instrumented.plan.has_lane_words() && options.lane_units + options.value_words == 0)
            continue;
        recording = engine.record(options);
        ASSERT_TRUE(recording) << recording.error().message;
        expect_agreement(*recording, mode);
        if (recording->instrumented.plan.lane_bytes > 0 && recording->instrumented.plan.value_words == 0) {
            EXPECT_LE(recording->decoded.written_bytes, bytes);
        }
    }
}

/// A kernel of tests/hardware/uncut, its first blocks.
Result<EngineRecording> of_uncut(const char* kernel, instr::RecordMode mode, std::uint32_t log_words,
                                 std::uint32_t pass_bits = 0) {
    WARPLENS_TRY(auto loaded, hardware::load_kernel(
                                  {.folder = "tests/hardware/uncut", .kernel = kernel, .parameters = {}}));
    RecordingEngine engine(std::move(loaded));
    EngineRecordingOptions options;
    options.mode = mode;
    options.executed = options.recorded = {0, 1};
    options.known_launch = options.predict_whole = options.replay = true;
    options.log_words = log_words;
    options.pass_bits = pass_bits;
    options.chunk_units = 1u << 12;
    return engine.record(options);
}

TEST(recorded_untuned, many_tallies_of_a_lane_lie_side_by_side) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    auto loaded = hardware::load_kernel(
        {.folder = "tests/hardware/unopened", .kernel = "varint_decode", .parameters = {}});
    ASSERT_TRUE(loaded) << loaded.error().message;
    RecordingEngine engine(std::move(*loaded));
    EngineRecordingOptions options;
    options.executed = options.recorded = {0, 1};
    options.known_launch = options.predict_whole = options.replay = true;
    options.chunk_units = 1u << 10;
    const auto rows = engine.record(options);
    options.tally_bits = 4;
    const auto shared = engine.record(options);
    ASSERT_TRUE(rows && shared);
    expect_agreement(*rows, options.mode);
    expect_agreement(*shared, options.mode);
    EXPECT_EQ(rows->instrumented.plan.tally_rows(), 16u);
    EXPECT_EQ(shared->instrumented.plan.tally_rows(), 3u);
    EXPECT_LT(shared->decoded.written_bytes, rows->decoded.written_bytes / 3);
}

TEST(recorded_untuned, a_loop_until_a_barrier_finds_nothing_to_do_leaves_no_records) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full}) {
        const auto recording = of_uncut("sandpile_tile", mode, 8);
        ASSERT_TRUE(recording) << recording.error().message;
        expect_agreement(*recording, mode);
        EXPECT_THAT(recording->instrumented.plan.blocks,
                    testing::Contains(testing::Field(&instr::BlockPlan::clock_of_arrival, true)));
        EXPECT_LE(recording->decoded.records, 6 * recording->decoded.warps.size())
            << "those before and behind";
    }
}

TEST(recorded_untuned, a_lane_has_room_for_the_passes_that_one_lane_counts) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    const auto bits = of_uncut("huffman_chunks", instr::RecordMode::light, 32);
    ASSERT_TRUE(bits) << bits.error().message;
    const LaneRoom room = lane_room(bits->instrumented.plan, bits->clean->program, bits->decoded,
                                    bits->decoded.warps.size(), 1u << 20);
    EXPECT_EQ(room.pass_bits, 3u) << "at most seven passes";
    EXPECT_GE(room.log_words, 8u);
    EXPECT_LE(room.log_words, 16u) << "however many warps there are";
}

TEST(recorded_untuned, a_loop_in_a_loop_counts_its_passes) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    const auto counts = testing::Contains(testing::Field(&instr::BlockPlan::counts_passes, true));
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full}) {
        const auto bits = of_uncut("huffman_chunks", mode, 32);
        ASSERT_TRUE(bits) << bits.error().message;
        expect_agreement(*bits, mode);
        EXPECT_THAT(bits->instrumented.plan.blocks, testing::Not(counts));
        const auto counted = of_uncut("huffman_chunks", mode, 32, 3);
        ASSERT_TRUE(counted) << counted.error().message;
        expect_agreement(*counted, mode);
        EXPECT_THAT(counted->instrumented.plan.blocks, counts);
    }
    const auto few = of_uncut("huffman_chunks", instr::RecordMode::light, 32, 2);
    ASSERT_TRUE(few) << few.error().message;
    EXPECT_TRUE(few->decoded.slabs_full) << "lanes pass seven times";
}

/// A kernel whose addresses or branches come from memory, its first blocks.
Result<EngineRecording> with_loads(const std::string& folder, const std::string& kernel,
                                   instr::RecordMode mode, bool replay_loads) {
    WARPLENS_TRY(
        auto loaded,
        hardware::load_kernel({.folder = "tests/hardware/" + folder, .kernel = kernel, .parameters = {}}));
    RecordingEngine engine(std::move(loaded));
    EngineRecordingOptions options;
    options.mode = mode;
    options.executed = options.recorded = {0, 1};
    options.known_launch = options.predict_whole = options.replay = true;
    options.replay_loads = replay_loads;
    options.log_words = 512;
    options.value_words = 512;
    options.chunk_units = 1u << 14;
    options.pool_chunks = 4;
    return engine.record(options);
}

TEST(recorded_loads, of_memory_that_a_kernel_only_reads_are_executed_again) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    for (const auto& [folder, kernel] :
         {std::pair{"unopened", "bfs_level"}, std::pair{"unasked", "rope_walk"},
          std::pair{"unheard", "list_walk"}}) {
        SCOPED_TRACE(kernel);
        const auto values = with_loads(folder, kernel, instr::RecordMode::full, false);
        const auto loads = with_loads(folder, kernel, instr::RecordMode::full, true);
        ASSERT_TRUE(values) << values.error().message;
        ASSERT_TRUE(loads) << loads.error().message;
        EXPECT_FALSE(values->instrumented.plan.replays_loads());
        EXPECT_TRUE(loads->instrumented.plan.replays_loads());
        expect_agreement(*values, instr::RecordMode::full);
        expect_agreement(*loads, instr::RecordMode::full);
        EXPECT_LT(loads->instrumented.plan.values, values->instrumented.plan.values);
        EXPECT_LT(loads->decoded.written_bytes, values->decoded.written_bytes);
    }
}

TEST(recorded_loads, show_where_branches_on_them_lead) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    const auto hashes = testing::Contains(testing::Field(&instr::BlockPlan::hashes_branch, true));
    for (const auto& [folder, kernel] :
         {std::pair{"unheard", "rle_rows"}, std::pair{"uncut", "huffman_chunks"},
          std::pair{"unasked", "csv_fields"}, std::pair{"unshown", "sieve_segments"},
          std::pair{"unopened", "bfs_level"}})
        for (const auto mode :
             {instr::RecordMode::light, instr::RecordMode::proof, instr::RecordMode::full}) {
            SCOPED_TRACE(fmt::format("{} {}", kernel, static_cast<int>(mode)));
            auto recording = with_loads(folder, kernel, mode, true);
            ASSERT_TRUE(recording) << recording.error().message;
            expect_agreement(*recording, mode);
            EXPECT_THAT(recording->instrumented.plan.blocks, hashes);
            recording->read.memory.clear();  // other data than the kernel had
            const auto decoded = instr::decode(recording->instrumented.plan, recording->clean->program,
                                               recording->clean->launch.geometry, recording->read, nullptr);
            ASSERT_TRUE(decoded) << decoded.error().message;
            EXPECT_GT(decoded->left_out(), 0u);
        }
}

/// nested_exits, whose lanes lead records of their own in its function.
Result<EngineRecording> with_parts(std::uint32_t lane_units, std::uint32_t log_words) {
    WARPLENS_TRY(auto loaded, hardware::load_kernel({.folder = "tests/hardware/machine_code",
                                                     .kernel = "nested_exits",
                                                     .parameters = {},
                                                     .code = "tests/hardware/machine_code/code"}));
    RecordingEngine engine(std::move(loaded));
    EngineRecordingOptions options;
    options.executed = options.recorded = {0, 1};
    options.known_launch = options.predict_whole = options.replay = true;
    options.log_words = log_words;
    options.lane_units = lane_units;
    options.pool_chunks = 1;
    return engine.record(options);
}

TEST(recorded_parts, lanes_that_lead_take_no_chunks_where_each_has_its_part_of_the_slab) {
    const auto recording = with_parts(128, 32);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_GE(recording->instrumented.plan.lane_units, 128u);
    EXPECT_EQ(recording->instrumented.ptx.find("atom.global.add.u32 %warplens_new"), std::string::npos);
    expect_agreement(*recording, instr::RecordMode::light);
}

TEST(recorded_parts, what_has_no_room_in_its_part_is_reported) {
    const auto recording = with_parts(1, 0);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_TRUE(recording->decoded.slabs_full);
    EXPECT_TRUE(recording->same_results);
}

/// Full mode of a kernel whose loop over data takes all addresses from memory.
Result<EngineRecording> with_columns(const std::string& kernel, std::uint32_t value_words) {
    WARPLENS_TRY(auto loaded, hardware::load_kernel({.folder = "tests/hardware/unseen",
                                                     .kernel = kernel,
                                                     .parameters = {},
                                                     .code = "tests/hardware/unseen/code"}));
    RecordingEngine engine(std::move(loaded));
    EngineRecordingOptions options;
    options.mode = instr::RecordMode::full;
    options.executed = options.recorded = {0, 1};
    options.known_launch = options.predict_whole = options.replay = true;
    options.log_words = 32;
    options.value_words = value_words;
    options.pool_chunks = 1;
    return engine.record(options);
}

TEST(recorded_columns, hold_the_addresses_of_loops_that_then_leave_no_records) {
    const auto recording = with_columns("merge_path", 255);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_GE(recording->instrumented.plan.value_words, 255u);
    EXPECT_EQ(recording->instrumented.ptx.find("atom.global.add.u32 %warplens_new"), std::string::npos);
    EXPECT_LE(recording->decoded.records, recording->decoded.warps.size());
    expect_agreement(*recording, instr::RecordMode::full);
}

TEST(recorded_columns, without_a_loop_have_the_words_of_all_blocks) {
    const auto recording = with_columns("compact_ballot", 255);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_LT(recording->instrumented.plan.value_words, 16u);
    EXPECT_GT(recording->instrumented.plan.value_words, 0u);
    expect_agreement(*recording, instr::RecordMode::full);
}

/// Likewise of merge_path, in the form that relies on nothing.
Result<EngineRecording> with_columns_alone(std::uint32_t lane_units, std::uint32_t value_words) {
    WARPLENS_TRY(auto loaded, hardware::load_kernel({.folder = "tests/hardware/unseen",
                                                     .kernel = "merge_path",
                                                     .parameters = {},
                                                     .code = "tests/hardware/unseen/code"}));
    RecordingEngine engine(std::move(loaded));
    EngineRecordingOptions options;
    options.mode = instr::RecordMode::full;
    options.executed = options.recorded = {0};
    options.known_launch = options.replay = true;
    options.lane_units = lane_units;
    options.value_words = value_words;
    options.pool_chunks = lane_units > 0 ? 1 : 512;
    return engine.record(options);
}

TEST(recorded_columns, go_with_records_in_the_parts_of_lanes_or_in_chunks) {
    const auto values = with_columns_alone(0, 0);
    ASSERT_TRUE(values) << values.error().message;
    EXPECT_EQ(values->instrumented.plan.value_words, 0u);
    expect_agreement(*values, instr::RecordMode::full);
    for (const std::uint32_t lane_units : {0u, 256u}) {
        SCOPED_TRACE(lane_units);
        const auto columns = with_columns_alone(lane_units, 255);
        ASSERT_TRUE(columns) << columns.error().message;
        const instr::RecordingPlan& plan = columns->instrumented.plan;
        EXPECT_FALSE(plan.has_lane_words());
        EXPECT_EQ(plan.lane_units > 0, lane_units > 0);
        EXPECT_GE(plan.value_words, 255u);
        EXPECT_GE(plan.values_offset, 16 * 32 * plan.lane_units) << "behind the parts";
        EXPECT_FALSE(columns->decoded.slabs_full);
        expect_agreement(*columns, instr::RecordMode::full);
        EXPECT_LT(columns->decoded.written_bytes, values->decoded.written_bytes);
    }
}

TEST(recorded_columns, without_predictions_that_are_too_short_are_reported) {
    for (const std::uint32_t lane_units : {0u, 256u}) {
        const auto recording = with_columns_alone(lane_units, 16);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_EQ(recording->decoded.slabs_full, recording->instrumented.plan.value_words < 255);
        EXPECT_TRUE(recording->same_results);
    }
}

TEST(recorded_columns, that_are_too_short_are_reported) {
    const auto recording = with_columns("merge_path", 16);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_TRUE(recording->decoded.slabs_full);
    EXPECT_TRUE(recording->same_results);
}

INSTANTIATE_TEST_SUITE_P(of_tests_hardware, RecordedUntuned, testing::ValuesIn(every(3, untuned())),
                         [](const auto& info) { return info.param.kernel; });
INSTANTIATE_TEST_SUITE_P(others_long, RecordedUntuned, testing::ValuesIn(all_but_every(3, untuned())),
                         [](const auto& info) { return info.param.kernel; });

}  // namespace
}  // namespace warplens::app
