// Recordings of random kernels at the machine level: what ptxas makes of a recording form leaves the results
// and the records of the kernel as it is, or shares a uniform register between lanes that are apart.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "both_levels.h"
#include "tests/golden/assembled_form.h"
#include "tests/hardware/timing_run.h"
#include "tests/support/random_kernel.h"

namespace warplens::app {
namespace {

struct AtMachineLevel {
    std::string wrong;  // empty: results and records are the kernel's own
    std::vector<std::string> shared_registers;
};

/// `lane_units`: as in InstrumentOptions; 0: lanes take chunks. `predict`: the form that relies on whole
/// warps.
AtMachineLevel recorded_at_machine_level(std::uint64_t seed, instr::RecordMode mode,
                                         std::uint32_t lane_units = 0, bool predict = false) {
    const auto kernel = kernel_of(fmt::format("random_{}", seed), random_kernel(seed));
    auto loaded = levels_pipeline().load({kernel, {}, "", {}});
    if (!loaded) return {loaded.error().message, {}};
    RecordingEngine engine(std::move(*loaded));
    AssembledForm form;
    EngineRecordingOptions options;
    options.mode = mode;
    options.known_launch = true;
    options.chunk_units = 1u << 13;
    options.pool_chunks = 1024;
    options.lane_units = lane_units;
    options.predict_whole = options.replay = options.replay_loads = predict;
    if (predict) options.log_words = options.value_words = 64;
    options.form = &form;
    const auto recording = engine.record(options);
    if (!recording) return {recording.error().message, form.shared_registers()};
    AtMachineLevel found{recording->difference, form.shared_registers()};
    const auto agreement =
        trace::compare(*recording->clean, *recording->recorded, {mode == instr::RecordMode::full});
    if (found.wrong.empty() && !agreement.lane_by_lane()) found.wrong = agreement.first->sentence;
    return found;
}

TEST(recorded_machine_code, agrees_where_no_uniform_register_is_shared) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    for (const std::uint64_t seed : {6001, 6004, 6008})
        for (const auto mode : {instr::RecordMode::light, instr::RecordMode::full}) {
            SCOPED_TRACE(fmt::format("seed {}", seed));
            const AtMachineLevel found = recorded_at_machine_level(seed, mode);
            EXPECT_EQ(found.wrong, "");
            EXPECT_THAT(found.shared_registers, testing::IsEmpty());
        }
}

// With chunks, which lanes take by an atomic with a result, ptxas 13.0 lets lanes go on apart behind the
// kernels' loops, and their records cannot be read or the kernels leave other results.
TEST(recorded_machine_code_long, agrees_where_each_lane_has_its_part_of_the_slab) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    for (const std::uint64_t seed : {10246, 41630, 56515, 500047})
        for (const auto mode : {instr::RecordMode::light, instr::RecordMode::full}) {
            SCOPED_TRACE(fmt::format("seed {}", seed));
            EXPECT_EQ(recorded_at_machine_level(seed, mode, 1500).wrong, "");
        }
}

// As a parameter the space's address stands in UR6 and UR7, which ptxas 13.0 has functions write that other
// lanes call: on a GPU the records of 640141 then went to no buffer.
TEST(recorded_machine_code, keeps_where_to_record_in_registers_of_each_lane_beside_calls) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    const AtMachineLevel found = recorded_at_machine_level(640141, instr::RecordMode::full, 1500);
    EXPECT_EQ(found.wrong, "");
    EXPECT_THAT(found.shared_registers, testing::IsEmpty());
}

// The upper half of the divisors stood in UR4 throughout a loop, in which lanes give way, and lanes that had
// left it wrote UR4: on a GPU a quotient of 770038 and a local address that follows from it were others.
TEST(recorded_machine_code, keeps_what_is_divided_in_registers_of_each_lane_beside_calls) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    for (const auto mode : {instr::RecordMode::light, instr::RecordMode::full}) {
        const AtMachineLevel found = recorded_at_machine_level(770038, mode, 1500, true);
        EXPECT_EQ(found.wrong, "");
        EXPECT_THAT(found.shared_registers, testing::IsEmpty());
    }
}

// 55 records of a clock and a ballot, which lanes keep in four registers. Where the mask of those here was in
// a uniform register, ptxas 13.0 put the sum of the hashes under a predicate of the lanes that had nothing to
// do with it.
TEST(recorded_machine_code, adds_up_hashes_beside_the_words_that_lanes_keep) {
    if (!AssembledForm::has_assembler()) GTEST_SKIP() << "needs ptxas";
    auto loaded = hardware::load_kernel({.folder = "tests/hardware/machine_code",
                                         .kernel = "bitonic_sort",
                                         .parameters = {},
                                         .code = "tests/hardware/machine_code/code"});
    ASSERT_TRUE(loaded) << loaded.error().message;
    RecordingEngine engine(std::move(*loaded));
    AssembledForm form;
    EngineRecordingOptions options;
    options.mode = instr::RecordMode::proof;
    options.executed = options.recorded = {0};
    options.known_launch = options.predict_whole = options.replay = true;
    options.form = &form;
    const auto recording = engine.record(options);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_EQ(recording->instrumented.plan.kept_words, 128u);
    EXPECT_EQ(recording->difference, "");
    EXPECT_EQ(recording->decoded.left_out(), 0u) << recording->decoded.first_damage;
    EXPECT_FALSE(recording->hash_difference) << recording->hash_difference->sentence;
}

// ptxas 13.0 keeps the number of chunks in UR5 on one side of a branch while the other writes UR5: records
// are lost as if there were no room. On a GPU as well.
TEST(recorded_machine_code, names_the_uniform_register_that_spoils_a_recording) {
    if (!can_compile() || !AssembledForm::has_assembler()) GTEST_SKIP() << "needs NVRTC and ptxas";
    const AtMachineLevel found = recorded_at_machine_level(111857, instr::RecordMode::light);
    if (found.wrong.empty()) GTEST_SKIP() << "this ptxas does not share it";
    EXPECT_THAT(found.shared_registers, testing::Contains(testing::HasSubstr("was written before")));
}

}  // namespace
}  // namespace warplens::app

#endif
