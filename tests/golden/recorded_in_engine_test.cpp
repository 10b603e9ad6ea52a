// The whole path of a recording without a GPU: every kernel of the catalogue is instrumented, executed by
// the CPU engine, read back, and must have done exactly what the kernel did as it is.
#include <gmock/gmock.h>

#include "app/pipeline/block_sample.h"
#include "catalogue_kernels.h"
#include "tests/golden/recorded_in_engine.h"

namespace warplens::app {
namespace {

using instr::RecordMode;
using instrumentation::KernelFile;

/// The correct kernels: the results of the others on a GPU are undefined.
CatalogueKernels right_ones() {
    return catalogue_kernels([](const KernelFile& kernel) { return kernel.wrong.empty(); });
}

LoadedLaunch load(const std::shared_ptr<const KernelFile>& kernel,
                  const std::map<std::string, std::string>& overrides = {}) {
    static const auto pipeline = make_pipeline();
    auto loaded = pipeline->load({kernel, overrides, "", {}});
    if (!loaded) {
        ADD_FAILURE() << loaded.error().message;
        return {};
    }
    return std::move(*loaded);
}

void expect_agreement(const EngineRecording& recording, bool addresses) {
    EXPECT_TRUE(recording.same_results) << "the instrumented kernel left other results";
    EXPECT_THAT(recording.decoded.damaged, testing::IsEmpty());
    EXPECT_THAT(recording.decoded.incomplete, testing::IsEmpty());
    EXPECT_EQ(recording.decoded.dropped_records, 0u);
    const Status kept = trace::check(*recording.recorded);
    EXPECT_TRUE(kept) << kept.error().message;
    const auto agreement = trace::compare(*recording.clean, *recording.recorded, {addresses});
    EXPECT_TRUE(agreement.exact()) << agreement.warps_that_differ << " of " << agreement.warps
                                   << " warps differ: " << (agreement.first ? agreement.first->sentence : "");
    EXPECT_GT(agreement.records, 0u);
}

/// Blocks of a cooperative grid wait for each other in a loop; the engine knows a wait by its changing
/// nothing, and a round that is recorded changes the recording. What a GPU recorded of such a grid is held to
/// the engine instead. Kernels that launch kernels are not recorded.
bool runs_instrumented(const LoadedLaunch& launch) {
    return !launch.launch.geometry.cooperative && !launch.code->launches_grids();
}

class RecordedInEngine : public testing::TestWithParam<std::shared_ptr<const KernelFile>> {
  protected:
    /// The first blocks of the grid, some in between and the last.
    EngineRecordingOptions some_blocks(const LaunchGeometry& geometry, RecordMode mode) const {
        EngineRecordingOptions options;
        options.mode = mode;
        // Both kinds of code, alternately.
        options.known_launch = GetParam()->name.size() % 2 == 0;
        options.executed = options.recorded = spread_blocks(geometry.blocks(), 4);
        return options;
    }
};

TEST_P(RecordedInEngine, light_records_contain_every_visit_mask_and_branch) {
    RecordingEngine engine(load(GetParam()));
    if (!runs_instrumented(engine.launch())) return;
    const auto recording = engine.record(some_blocks(engine.launch().launch.geometry, RecordMode::light));
    ASSERT_TRUE(recording) << recording.error().message;
    expect_agreement(*recording, false);
}

TEST_P(RecordedInEngine, full_records_contain_every_address_and_guard) {
    RecordingEngine engine(load(GetParam()));
    if (!runs_instrumented(engine.launch())) return;
    auto options = some_blocks(engine.launch().launch.geometry, RecordMode::full);
    options.pool_chunks = 1u << 15;
    for (const bool narrow : {true, false}) {
        options.narrow = options.replay = narrow;
        const auto recording = engine.record(options);
        ASSERT_TRUE(recording) << recording.error().message;
        expect_agreement(*recording, true);
        EXPECT_FALSE(recording->decoded.outside_narrow);
        EXPECT_FALSE(recording->decoded.replay_differs);
    }
}

TEST_P(RecordedInEngine, hashes_of_the_proof_are_those_of_the_engines_addresses) {
    RecordingEngine engine(load(GetParam()));
    // A cluster's shared addresses are not proven but recorded.
    if (!runs_instrumented(engine.launch()) || engine.launch().launch.geometry.cluster.count() > 1) return;
    const auto recording = engine.record(some_blocks(engine.launch().launch.geometry, RecordMode::proof));
    ASSERT_TRUE(recording) << recording.error().message;
    expect_agreement(*recording, false);
    EXPECT_FALSE(recording->hash_difference) << recording->hash_difference->sentence;
    EXPECT_EQ(recording->decoded.hashes.size(), recording->decoded.warps.size());
}

TEST_P(RecordedInEngine, what_relies_on_whole_warps_agrees_or_says_that_it_was_wrong) {
    RecordingEngine engine(load(GetParam()));
    if (!runs_instrumented(engine.launch())) return;
    auto options = some_blocks(engine.launch().launch.geometry, RecordMode::light);
    options.predict_whole = true;
    options.log_words = 128;
    options.chunk_units = 1u << 12;
    options.pool_chunks = 64;
    for (const bool known : {true, false}) {
        options.known_launch = options.predict_bounds = options.replay = known;
        const auto recording = engine.record(options);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_TRUE(recording->same_results) << "the instrumented kernel left other results";
        if (recording->decoded.warps_apart || recording->decoded.slabs_full) continue;
        expect_agreement(*recording, false);
    }
}

INSTANTIATE_TEST_SUITE_P(catalogue, RecordedInEngine, testing::ValuesIn(every(2, right_ones())),
                         [](const auto& info) { return info.param->name; });
INSTANTIATE_TEST_SUITE_P(others_long, RecordedInEngine, testing::ValuesIn(all_but_every(2, right_ones())),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace warplens::app
