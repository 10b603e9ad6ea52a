// Loops of which a recording holds less than a record for each pass: it must still show every visit, and
// notice when its shortcut does not fit.
#include <gmock/gmock.h>

#include <array>
#include <cstddef>

#include "catalogue_kernels.h"
#include "tests/golden/recorded_in_engine.h"

namespace warplens::app {
namespace {

using Source = instr::BlockPlan::Source;

struct LoopCase {
    const char* kernel;
    Source source;               // how the visits of some block of a loop are known
    double most_records_a_warp;  // that are left
    bool replay = false;
};

class RecordedLoops : public testing::TestWithParam<LoopCase> {
  protected:
    EngineRecording record(instr::RecordMode mode, std::uint32_t log_bits = 0, std::uint32_t tally_bits = 0) {
        const auto kernels = catalogue_kernels(
            [](const instrumentation::KernelFile& kernel) { return kernel.name == GetParam().kernel; });
        auto loaded = make_pipeline()->load({kernels.at(0), {}, "", {}});
        EXPECT_TRUE(loaded) << loaded.error().message;
        RecordingEngine engine(std::move(*loaded));
        EngineRecordingOptions options;
        options.mode = mode;
        options.executed = options.recorded = {0, 1};
        options.known_launch = options.predict_whole = true;
        options.replay = GetParam().replay;
        options.log_words = 64;
        options.log_bits = log_bits;
        options.tally_bits = tally_bits;
        options.chunk_units = 1u << 12;
        options.pool_chunks = 64;
        auto recording = engine.record(options);
        EXPECT_TRUE(recording) << recording.error().message;
        program_ = engine.launch().program;
        geometry_ = engine.launch().launch.geometry;
        return std::move(*recording);
    }

    Program program_;
    LaunchGeometry geometry_;
};

TEST_P(RecordedLoops, show_every_visit_with_few_records) {
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::proof}) {
        const EngineRecording recording = record(mode);
        EXPECT_TRUE(recording.same_results);
        EXPECT_THAT(recording.instrumented.plan.blocks,
                    testing::Contains(testing::Field(&instr::BlockPlan::source, GetParam().source)));
        EXPECT_FALSE(recording.decoded.warps_apart);
        EXPECT_FALSE(recording.decoded.slabs_full);
        EXPECT_EQ(recording.decoded.left_out(), 0u) << recording.decoded.first_damage;
        const auto agreement = trace::compare(*recording.clean, *recording.recorded, {false});
        EXPECT_TRUE(agreement.exact()) << (agreement.first ? agreement.first->sentence : "");
        const auto warps = static_cast<double>(recording.decoded.warps.size());
        EXPECT_LE(static_cast<double>(recording.decoded.records) / warps, GetParam().most_records_a_warp);
        EXPECT_GT(static_cast<double>(recording.decoded.visits.size()) / warps,
                  2 * GetParam().most_records_a_warp);
        EXPECT_FALSE(recording.hash_difference);
    }
}

class PackedLoops : public RecordedLoops {};

TEST_P(PackedLoops, say_that_a_lane_needs_more_bits_than_it_has) {
    const EngineRecording fits = record(instr::RecordMode::light, 3, 12);
    EXPECT_EQ(fits.instrumented.plan.lane_bytes, 2u);
    EXPECT_FALSE(fits.decoded.slabs_full);
    EXPECT_TRUE(trace::compare(*fits.clean, *fits.recorded, {false}).exact());
    EXPECT_LT(fits.decoded.written_bytes, record(instr::RecordMode::light).decoded.written_bytes);
    const EngineRecording overflows = record(instr::RecordMode::light, 3, 2);
    EXPECT_EQ(overflows.instrumented.plan.lane_bytes, 1u);
    EXPECT_TRUE(overflows.decoded.slabs_full);
}

/// Where the first warp keeps the hash of its lanes, or of the first of them, and its first tally.
std::array<std::size_t, 2> hash_and_tally(const instr::RecordingPlan& plan) {
    const std::size_t slab = instr::head_bytes(plan.symbols.size());
    const std::size_t hash = plan.hash_in_head ? offsetof(instr::WarpHead, exit_mask) : plan.tally_offset;
    return {slab + hash, slab + plan.tally_offset + plan.hash_bytes()};
}

TEST_P(PackedLoops, of_lanes_that_were_apart_are_noticed) {
    EngineRecording recording = record(instr::RecordMode::light, 3, 12);
    const instr::RecordingPlan& plan = recording.instrumented.plan;
    for (const std::size_t byte : hash_and_tally(plan)) {
        std::vector<std::byte> changed = recording.space;
        changed[byte] ^= std::byte{1};
        recording.read.bytes = changed;
        const auto decoded = instr::decode(plan, program_, geometry_, recording.read, nullptr);
        ASSERT_TRUE(decoded) << decoded.error().message;
        EXPECT_TRUE(decoded->warps_apart) << "byte " << byte;
    }
}

class TalliedLoops : public RecordedLoops {};

TEST_P(TalliedLoops, of_lanes_that_were_apart_are_noticed) {
    EngineRecording recording = record(instr::RecordMode::light);
    const instr::RecordingPlan& plan = recording.instrumented.plan;
    for (const std::size_t byte : hash_and_tally(plan)) {
        std::vector<std::byte> changed = recording.space;
        changed[byte] ^= std::byte{1};
        recording.read.bytes = changed;
        const auto decoded = instr::decode(plan, program_, geometry_, recording.read, nullptr);
        ASSERT_TRUE(decoded) << decoded.error().message;
        EXPECT_TRUE(decoded->warps_apart) << "byte " << byte;
    }
}

INSTANTIATE_TEST_SUITE_P(of_the_catalogue, RecordedLoops,
                         testing::Values(LoopCase{"matmul_naive", Source::passed, 8},
                                         LoopCase{"reduce_sequential", Source::passed, 10},
                                         LoopCase{"matmul_naive", Source::passed, 2, true},
                                         LoopCase{"matmul_tiled", Source::passed, 2, true},
                                         LoopCase{"reduce_sequential", Source::passed, 2, true},
                                         LoopCase{"scan_blelloch", Source::passed, 4, true},
                                         LoopCase{"collatz", Source::tallied, 4},
                                         LoopCase{"mandelbrot", Source::logged, 2},
                                         LoopCase{"early_exit", Source::logged, 4}),
                         [](const auto& info) {
                             return std::string(info.param.kernel) + (info.param.replay ? "_replayed" : "");
                         });
INSTANTIATE_TEST_SUITE_P(of_the_catalogue, PackedLoops,
                         testing::Values(LoopCase{"collatz", Source::tallied, 4}),
                         [](const auto& info) { return std::string(info.param.kernel); });
INSTANTIATE_TEST_SUITE_P(of_the_catalogue, TalliedLoops,
                         testing::Values(LoopCase{"collatz", Source::tallied, 4},
                                         LoopCase{"mandelbrot", Source::logged, 2}),
                         [](const auto& info) { return std::string(info.param.kernel); });

}  // namespace
}  // namespace warplens::app
