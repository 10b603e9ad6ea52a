// Recording a launch, from the options to report and Trace, on a GPU emulated by the CPU engine.
#include "app/pipeline/gpu/record_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "app/pipeline/agree.h"
#include "app/pipeline/gpu/sampled_options.h"
#include "tests/app/emulated_gpu.h"
#include "trace/check.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using instr::GpuFailure;
using instr::RecordMode;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::shared_ptr<Pipeline> pipeline() {
    static const auto one = make_pipeline();
    return one;
}

LoadedLaunch load(const std::string& name, const std::vector<std::string>& set = {}) {
    LaunchFlags flags;
    flags.target = name;
    flags.set = set;
    const auto request = launch_request(flags);
    EXPECT_TRUE(request) << request.error().message;
    auto loaded = pipeline()->load(*request);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return std::move(*loaded);
}

GpuRecordOptions options_for(RecordMode mode) {
    GpuRecordOptions gpu_options;
    gpu_options.mode = mode;
    return gpu_options;
}

TEST(record_launch, light_mode_shows_visits_times_and_costs_and_no_addresses) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    const auto recorded = launcher.record(load("saxpy", {"n=1000"}), options_for(RecordMode::light));
    ASSERT_TRUE(recorded) << recorded.error().message;
    const trace::Trace& trace = *recorded->trace;
    EXPECT_TRUE(trace::check(trace)) << trace::check(trace).error().message;
    EXPECT_EQ(trace.launch.engine, "cuda");
    EXPECT_EQ(trace.launch.gpu, "H200");
    EXPECT_EQ(trace.launch.provenance, Provenance::measured);
    EXPECT_EQ(trace.launch.resources.registers_per_thread, 24u);
    EXPECT_THAT(trace.accesses, IsEmpty());
    ASSERT_NE(trace.measured, nullptr);
    EXPECT_EQ(trace.measured->warps.size(), 32u);
    EXPECT_EQ(trace.measured->device, "NVIDIA H200");
    EXPECT_EQ(trace.measured->addresses, "");
    ASSERT_THAT(trace.measured->perturbations, SizeIs(1));
    EXPECT_EQ(trace.measured->perturbations[0].mode, "light");
    EXPECT_DOUBLE_EQ(trace.measured->perturbations[0].slowdown(), 1.25);
    EXPECT_TRUE(trace.measured->perturbations[0].identical_results);
    EXPECT_EQ(recorded->report->golden, "passed");
    EXPECT_EQ(recorded->report->measured, trace.measured);
    EXPECT_THAT(recorded->notes, IsEmpty());
    const auto agreement = agree_with_engine(*pipeline(), load("saxpy", {"n=1000"}), trace);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
}

TEST(record_launch, only_the_chosen_blocks_are_recorded_though_all_run) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    gpu_options.blocks = {1, 3};
    const auto recorded = launcher.record(load("reduce_interleaved", {"n=2048"}), gpu_options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(trace::recorded_blocks(*recorded->trace), (std::vector<std::uint64_t>{1, 3}));
    EXPECT_EQ(recorded->report->golden, "passed");
}

TEST(record_launch, a_grid_can_be_timed_whole_with_the_visits_of_the_chosen_blocks_alone) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::full);
    gpu_options.blocks = {0, 3};
    gpu_options.time_grids_up_to = 64;
    const auto recorded = launcher.record(load("saxpy", {"n=1000"}), gpu_options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    const trace::Measured& measured = *recorded->measured;
    EXPECT_EQ(trace::check(measured), "");
    EXPECT_THAT(measured.warps, SizeIs(32));
    EXPECT_EQ(trace::recorded_blocks(*recorded->trace), gpu_options.blocks);
    for (const trace::MeasuredWarp& warp : measured.warps)
        EXPECT_EQ(warp.visits_begin < warp.visits_end, warp.block == 0 || warp.block == 3) << warp.block;
    gpu_options.time_grids_up_to = 31;
    const auto less = launcher.record(load("saxpy", {"n=1000"}), gpu_options);
    ASSERT_TRUE(less) << less.error().message;
    EXPECT_THAT(less->measured->warps, SizeIs(16));
}

TEST(record_launch, a_space_too_small_is_tried_again_with_what_would_have_been_enough) {
    EmulatedGpu emulated;
    emulated.most_space = 8 << 10;
    GpuLauncher launcher(emulated.gpu());
    const auto recorded = launcher.record(load("collatz", {"n=1024"}), options_for(RecordMode::light));
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_THAT(emulated.asked, SizeIs(3)) << "too small, enough, and with fewer records";
    EXPECT_GT(emulated.asked[1].front().space_bytes, emulated.most_space);
    EXPECT_EQ(recorded->trace->measured->perturbations[0].dropped_records, 0u);
    EXPECT_THAT(recorded->notes, IsEmpty());
    const auto agreement = agree_with_engine(*pipeline(), load("collatz", {"n=1024"}), *recorded->trace);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
}

TEST(record_launch, a_recording_over_the_limit_is_reported_with_the_size_it_needs) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    gpu_options.most_space_bytes = 8 << 10;
    const auto recorded = launcher.record(load("collatz", {"n=1024"}), gpu_options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    const trace::Perturbation& cost = recorded->trace->measured->perturbations[0];
    EXPECT_GT(cost.dropped_records, 0u);
    EXPECT_GT(cost.enough_bytes, gpu_options.most_space_bytes);
    ASSERT_THAT(recorded->notes, SizeIs(1));
    EXPECT_THAT(recorded->notes[0], HasSubstr("would have been enough"));
}

TEST(record_launch, the_condition_of_the_caches_is_part_of_what_was_measured) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    const auto warm = launcher.record(load("saxpy", {"n=1000"}), gpu_options);
    gpu_options.caches = Caches::cold;
    const auto cold = launcher.record(load("saxpy", {"n=1000"}), gpu_options);
    ASSERT_TRUE(warm && cold);
    EXPECT_EQ(warm->measured->caches, Caches::warm);
    EXPECT_EQ(cold->measured->caches, Caches::cold);
    EXPECT_TRUE(trace::under_measured_condition(*warm->measured).data_in_l2);
    EXPECT_FALSE(trace::under_measured_condition(*cold->measured).data_in_l2);
}

TEST(record_launch, whole_warps_are_relied_on_once_a_launch_has_shown_how_much_a_warp_writes) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    gpu_options.predict_whole = true;
    const auto recorded = launcher.record(load("reduce_interleaved", {"n=2048"}), gpu_options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    ASSERT_THAT(emulated.asked, SizeIs(2));
    EXPECT_THAT(emulated.asked[0].front().ptx, testing::Not(HasSubstr("%warplens_apart")));
    EXPECT_THAT(emulated.asked[1].front().ptx, HasSubstr("%warplens_apart"));
    const auto agreement =
        agree_with_engine(*pipeline(), load("reduce_interleaved", {"n=2048"}), *recorded->trace);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
}

TEST(record_launch, addresses_are_those_of_the_run_that_recorded_them) {
    EmulatedGpu emulated;
    emulated.moves_buffers = true;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::full);
    gpu_options.predict_whole = false;
    const auto recorded = launcher.record(load("collatz", {"n=1024"}), gpu_options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    ASSERT_THAT(emulated.asked, SizeIs(2));
    EXPECT_THAT(emulated.asked[1], SizeIs(1)) << "light mode once more";
    const auto agreement = agree_with_engine(*pipeline(), load("collatz", {"n=1024"}), *recorded->trace);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
}

TEST(record_launch, a_partial_last_warp_is_recorded_with_the_lanes_that_it_has) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    gpu_options.predict_whole = true;
    const auto recorded = launcher.record(load("saxpy", {"n=1000"}), gpu_options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    ASSERT_THAT(emulated.asked, SizeIs(2));
    EXPECT_THAT(emulated.asked[1].front().ptx, HasSubstr("%warplens_apart"));
    const auto agreement = agree_with_engine(*pipeline(), load("saxpy", {"n=1000"}), *recorded->trace);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
}

TEST(record_launch, warps_leave_as_a_whole_at_a_bounds_check_until_one_parts_there) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    gpu_options.predict_whole = true;
    const auto leaves_at_once = [&](std::size_t run) {
        return emulated.asked[run].front().ptx.find("%warplens_leave0") != std::string::npos;
    };
    const auto expect_agreement = [&](const std::vector<std::string>& parameters) {
        const auto recorded = launcher.record(load("saxpy", parameters), gpu_options);
        ASSERT_TRUE(recorded) << recorded.error().message;
        const auto agreement = agree_with_engine(*pipeline(), load("saxpy", parameters), *recorded->trace);
        ASSERT_TRUE(agreement) << agreement.error().message;
        EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
    };
    expect_agreement({"n=992"});
    ASSERT_THAT(emulated.asked, SizeIs(2));
    EXPECT_TRUE(leaves_at_once(1)) << "the last warp has nothing to do";
    expect_agreement({"n=1000"});
    ASSERT_THAT(emulated.asked, SizeIs(4));
    EXPECT_TRUE(leaves_at_once(2));
    EXPECT_FALSE(leaves_at_once(3)) << "a warp parted";
    expect_agreement({"n=992"});
    ASSERT_THAT(emulated.asked, SizeIs(5));
    EXPECT_FALSE(leaves_at_once(4)) << "which is remembered";
}

TEST(record_launch, addresses_outside_the_narrow_window_are_recorded_again_in_full_width) {
    EmulatedGpu emulated;
    emulated.outside_narrow = true;
    GpuLauncher launcher(emulated.gpu());
    const auto recorded = launcher.record(load("saxpy", {"n=1000"}), options_for(RecordMode::light));
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_THAT(emulated.asked, SizeIs(2));
}

TEST(record_launch, addresses_that_are_not_those_that_were_replayed_are_recorded) {
    EmulatedGpu emulated;
    emulated.other_addresses = true;
    GpuLauncher launcher(emulated.gpu());
    for (const std::size_t runs : {2u, 1u}) {  // the second time it is remembered
        emulated.asked.clear();
        const auto recorded = launcher.record(load("saxpy", {"n=1000"}), options_for(RecordMode::full));
        ASSERT_TRUE(recorded) << recorded.error().message;
        ASSERT_THAT(emulated.asked, SizeIs(runs));
        EXPECT_EQ(emulated.asked[0].back().ptx.find("%warplens_hash") != std::string::npos, runs == 2);
        EXPECT_THAT(emulated.asked.back().back().ptx, testing::Not(HasSubstr("%warplens_hash")));
        const auto agreement = agree_with_engine(*pipeline(), load("saxpy", {"n=1000"}), *recorded->trace);
        ASSERT_TRUE(agreement) << agreement.error().message;
        EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
    }
}

TEST(record_launch, a_failure_is_handed_on_and_the_next_recording_works) {
    EmulatedGpu emulated;
    emulated.failures.push_back(
        {GpuFailure::Kind::kernel_fault, "an illegal address was read", ProblemKind::out_of_bounds});
    GpuLauncher launcher(emulated.gpu());
    const LoadedLaunch launch = load("saxpy", {"n=1000"});
    const auto failed = launcher.record(launch, options_for(RecordMode::light));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().kind, GpuFailure::Kind::kernel_fault);
    EXPECT_EQ(failed.error().message, "an illegal address was read");
    const auto report = faulted_report(launch, failed.error());
    ASSERT_THAT(report->problems, SizeIs(1));
    EXPECT_EQ(report->problems[0].kind, ProblemKind::out_of_bounds);
    EXPECT_TRUE(launcher.record(launch, options_for(RecordMode::light)));
}

TEST(record_launch_long, what_runs_on_the_chosen_sms_is_recorded) {
    for (const char* kernel : {"saxpy", "transpose_tiled"}) {
        const LoadedLaunch launch = load(kernel, {});
        for (const RecordMode mode : {RecordMode::light, RecordMode::full}) {
            EmulatedGpu emulated;
            GpuLauncher launcher(emulated.gpu());
            GpuRecordOptions gpu_options = options_for(mode);
            gpu_options.sms = {0, 1, 2, 3};
            const auto all = launcher.record(launch, gpu_options);
            ASSERT_TRUE(all) << all.error().message;
            EXPECT_EQ(all->report->blocks_executed, launch.launch.geometry.blocks()) << kernel;
            EXPECT_THAT(all->notes, IsEmpty());
            gpu_options.sms = {5};
            const auto none = launcher.record(launch, gpu_options);
            ASSERT_TRUE(none) << none.error().message;
            EXPECT_EQ(none->report->blocks_executed, 0u) << kernel;
        }
    }
}

/// How much a warp writes is not known from the plan.
GpuRecordOptions every_pass() {
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    gpu_options.predict_whole = false;
    return gpu_options;
}

TEST(record_launch, times_are_not_taken_while_warps_still_outgrow_their_first_chunks) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    ASSERT_TRUE(launcher.record(load("collatz", {"n=1024"}), every_pass()));
    ASSERT_THAT(emulated.asked, SizeIs(2)) << "once to see what its warps write, once to time it";
    EXPECT_GT(emulated.asked[1][0].chunk_units, emulated.asked[0][0].chunk_units);
}

TEST(record_launch, a_kernel_seen_before_is_given_chunks_of_the_size_it_fills) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    const LoadedLaunch launch = load("collatz", {"n=1024"});
    ASSERT_TRUE(launcher.record(launch, every_pass()));
    ASSERT_TRUE(launcher.record(launch, every_pass()));
    EXPECT_GT(emulated.asked[1][0].chunk_units, emulated.asked[0][0].chunk_units);
}

TEST(record_launch, light_mode_with_too_many_registers_is_assembled_again_with_fewer) {
    EmulatedGpu emulated;
    emulated.registers = 31;
    GpuLauncher launcher(emulated.gpu());
    for (const RecordMode mode : {RecordMode::light, RecordMode::proof}) {
        const auto recorded = launcher.record(load("saxpy", {"n=1024"}), options_for(mode));
        ASSERT_TRUE(recorded) << recorded.error().message;
        const bool few = mode == RecordMode::light;
        EXPECT_EQ(recorded->measured->perturbations[0].traced_registers, few ? 30 : 31);
        EXPECT_EQ(emulated.asked.back()[0].few_registers, few);
    }
}

// As while a knob turns: the other value's code is other code, and its first form has the room already.
TEST(record_launch, a_turned_knob_is_given_chunks_of_the_size_that_its_value_before_filled) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions live = every_pass();
    live.live = true;
    ASSERT_TRUE(launcher.record(load("matmul_tiled", {"N=64", "TILE=8"}), live));
    const std::size_t before = emulated.asked.size();
    EXPECT_EQ(before, 2u) << "once to see what its warps write, once to time it";
    ASSERT_TRUE(launcher.record(load("matmul_tiled", {"N=64", "TILE=16"}), live));
    EXPECT_EQ(emulated.asked.size(), before + 1);
}

TEST(record_launch, slabs_of_a_plan_that_bounds_what_a_warp_writes_have_no_room_to_spare) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    const LoadedLaunch launch = load("saxpy", {"n=1024"});
    ASSERT_TRUE(launcher.record(launch, options_for(RecordMode::light)));
    ASSERT_TRUE(launcher.record(launch, options_for(RecordMode::light)));
    EXPECT_EQ(emulated.asked.back()[0].chunk_units, 2u) << "a head";
}

// An atomic with a result in a loop makes the assembler let lanes go on apart behind it.
TEST(record_launch, lanes_of_a_kernel_that_calls_functions_take_no_chunks) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    for (const RecordMode mode : {RecordMode::light, RecordMode::full}) {
        const auto recorded = launcher.record(load("adaptive_area"), options_for(mode));
        ASSERT_TRUE(recorded) << recorded.error().message;
        EXPECT_THAT(recorded->notes, IsEmpty());
        for (const auto& run : emulated.asked)
            for (const instr::GpuVariant& form : run)
                EXPECT_THAT(form.ptx, testing::Not(HasSubstr("atom.global.add.u32 %warplens_new")));
    }
}

TEST(record_launch, parts_that_are_too_small_give_way_to_chunks) {
    EmulatedGpu emulated;
    GpuLauncher launcher(emulated.gpu());
    GpuRecordOptions gpu_options = options_for(RecordMode::light);
    const LoadedLaunch launch = load("adaptive_area");
    const auto warps = launch.launch.geometry.blocks() *
                       static_cast<std::uint64_t>(launch.launch.geometry.warps_per_block());
    // A quarter of it: 64 units for each lane.
    gpu_options.most_space_bytes = 4 * warps * 32 * 64 * instr::unit_bytes;
    const auto recorded = launcher.record(launch, gpu_options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_THAT(recorded->notes, IsEmpty());
    ASSERT_THAT(emulated.asked, SizeIs(testing::Ge(2u)));
    EXPECT_THAT(emulated.asked[1].front().ptx, HasSubstr("atom.global.add.u32 %warplens_new"));
    const auto agreement = agree_with_engine(*pipeline(), load("adaptive_area"), *recorded->trace);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
}

}  // namespace
}  // namespace warplens::app
