// Where PTX leaves rounding to the assembler, a recording's machine code takes other branches than the PTX
// does in the CPU engine. Agreement names the rounding, and all else agrees.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "app/pipeline/agree.h"
#include "both_levels.h"
#include "tests/golden/assembled_form.h"
#include "tests/hardware/timing_run.h"

namespace warplens::app {
namespace {

trace::Agreement agreement_of(const std::string& kernel, std::uint64_t block, bool assembled) {
    auto loaded =
        hardware::load_kernel({.folder = "tests/hardware/unsung", .kernel = kernel, .parameters = {}});
    EXPECT_TRUE(loaded) << loaded.error().message;
    RecordingEngine engine(std::move(*loaded));
    AssembledForm form;
    EngineRecordingOptions options;
    options.mode = instr::RecordMode::full;
    options.executed = options.recorded = {block};
    options.known_launch = options.predict_whole = options.replay = options.replay_loads = true;
    options.lane_units = 1500;
    options.chunk_units = 1u << 13;
    options.pool_chunks = 64;
    options.form = assembled ? &form : nullptr;
    const auto recording = engine.record(options);
    EXPECT_TRUE(recording) << recording.error().message;
    return recording ? compare_traces(*recording->clean, *recording->recorded, true) : trace::Agreement{};
}

// A difference of two products, which becomes one FFMA; an argument of a sine, which is multiplied twice.
TEST(open_rounding, machine_code_that_rounds_otherwise_is_named_by_the_agreement) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    struct Case {
        const char *kernel, *reason;
        std::uint64_t block;
    };
    for (const Case& each : {Case{"hull_next", "rounding of sub.f32 (hull_next.cu:", 1},
                             Case{"romberg_areas", "rounding of ", 11}}) {
        SCOPED_TRACE(each.kernel);
        const trace::Agreement of_ptx = agreement_of(each.kernel, each.block, false);
        EXPECT_TRUE(of_ptx.exact());
        EXPECT_EQ(of_ptx.warps_that_depend_on_the_run, 0u);
        const trace::Agreement of_machine_code = agreement_of(each.kernel, each.block, true);
        EXPECT_TRUE(of_machine_code.lane_by_lane())
            << (of_machine_code.first ? of_machine_code.first->sentence : "");
        EXPECT_GT(of_machine_code.warps_that_depend_on_the_run, 0u);
        EXPECT_LT(of_machine_code.warps_that_depend_on_the_run, of_machine_code.warps);
        EXPECT_THAT(of_machine_code.reasons, testing::Contains(testing::StartsWith(each.reason)));
    }
}

}  // namespace
}  // namespace warplens::app

#endif
