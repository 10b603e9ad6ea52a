// The machine level against the PTX level: every kernel of the catalogue is executed from its PTX and from
// the machine code that the same compilation produced, and both leave the same bytes in every buffer and
// print the same.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/command_line/commands.h"
#include "app/pipeline/machine_level.h"
#include "both_levels.h"
#include "catalogue_kernels.h"

namespace warplens::app {
namespace {

using instrumentation::KernelFile;

/// Wrong on purpose: what it computes depends on which warp is first.
constexpr std::string_view depends_on_order[] = {"missing_barrier"};

/// Where the machine code has other FP32 operations than the PTX, and why: docs/report_json.md.
enum class Why { divides, divides_integers, inverts, removes };
struct OtherOperations {
    std::string_view kernel;
    Why why;
};
constexpr OtherOperations other_operations[] = {
    {"adaptive_area", Why::divides},
    {"attention_naive", Why::divides},
    {"attention_tiled", Why::divides},
    {"block_reduce", Why::divides},
    {"conv1d_naive", Why::divides},
    {"conv1d_shared", Why::divides},
    {"grid_barrier", Why::divides},
    {"mandelbrot", Why::divides},
    {"streams_pipeline", Why::divides},
    {"branch_switch", Why::divides_integers},
    {"print_lanes", Why::divides_integers},
    {"early_exit", Why::divides_integers},
    {"reduce_interleaved", Why::divides_integers},
    {"branch_parity", Why::removes},
    {"reduce_shuffle", Why::removes},
    {"texture_blur", Why::inverts},
};

void expect_the_same_operations(const LevelRun& ptx, const LevelRun& machine) {
    const analysis::Roofline of_ptx = roofline(*ptx.report, ptx.program, default_gpu(), nullptr);
    const analysis::Roofline of_machine = roofline(*machine.report, machine.program, default_gpu(), nullptr);
    EXPECT_EQ(of_machine.fp16_operations, of_ptx.fp16_operations);
    EXPECT_EQ(of_machine.fp64_operations, of_ptx.fp64_operations);
    EXPECT_EQ(of_machine.tensor_operations, of_ptx.tensor_operations);
    const double more = of_machine.fp32_operations - of_ptx.fp32_operations;
    const auto other =
        std::ranges::find(other_operations, ptx.report->launch.kernel, &OtherOperations::kernel);
    if (other == std::end(other_operations)) {
        EXPECT_EQ(more, 0);
    } else if (other->why == Why::removes) {
        EXPECT_LT(more, 0);
    } else {
        EXPECT_GT(more, 0);
        EXPECT_TRUE(executes(machine, other->why == Why::divides ? "FCHK" : "MUFU.RCP"));
        EXPECT_EQ(executes(ptx, "div.rn.f32"), other->why == Why::divides);
        EXPECT_TRUE(other->why != Why::inverts || executes(ptx, "rcp.rn.f32"));
    }
}

/// Without the line where the assembler made a guard of the branch around a barrier: the fault is at the
/// barrier inside then, and from PTX at the one behind.
std::set<std::string> kinds(const Executed& run) {
    std::set<std::string> kinds;
    for (const Problem& problem : run.report->problems)
        kinds.insert(problem.kind == ProblemKind::diverged_barrier
                         ? std::string(to_string(problem.kind))
                         : fmt::format("{} at line {}", to_string(problem.kind), problem.line));
    return kinds;
}

class MachineLevel : public testing::TestWithParam<std::shared_ptr<const KernelFile>> {};

TEST_P(MachineLevel, leaves_the_same_bytes_as_the_ptx_level) {
    const LevelRun machine = run_at(GetParam(), Level::machine);
    ASSERT_TRUE(machine.report);
    EXPECT_EQ(machine.report->level, Level::machine);
    EXPECT_TRUE(machine.report->unsupported->empty());
    if (std::ranges::find(depends_on_order, GetParam()->name) != std::end(depends_on_order)) return;
    const LevelRun ptx = run_at(GetParam(), Level::ptx);
    ASSERT_TRUE(ptx.report);
    EXPECT_EQ(kinds(machine), kinds(ptx));
    expect_the_same_bytes(ptx, machine);
    expect_the_same_printed(ptx, machine);
    expect_the_same_operations(ptx, machine);
}

INSTANTIATE_TEST_SUITE_P(catalogue, MachineLevel, testing::ValuesIn(every(2, catalogue_kernels())),
                         [](const auto& info) { return info.param->name; });
INSTANTIATE_TEST_SUITE_P(others_long, MachineLevel, testing::ValuesIn(all_but_every(2, catalogue_kernels())),
                         [](const auto& info) { return info.param->name; });

TEST(machine_level, needs_machine_code) {
    LoadedLaunch launch;
    const auto used = use_machine_code(launch, KernelCode{});
    ASSERT_FALSE(used);
    EXPECT_EQ(used.error().message, "there is no machine code, which NVRTC or ptxas would make");
}

TEST(machine_code_listing, shows_what_each_instruction_of_a_kernel_did) {
    LaunchFlags flags;
    flags.target = "saxpy";
    testing::internal::CaptureStdout();
    const auto code = list_machine_code(flags);
    const std::string text = testing::internal::GetCapturedStdout();
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(*code, exit_success);
    EXPECT_THAT(text, testing::StartsWith("kernel saxpy  sm_90"));
    // 313 warps of 10,000 threads load a word each.
    EXPECT_THAT(text, testing::ContainsRegex("  313 +31.9 +1,250 +LDG.E "));
    EXPECT_THAT(text, testing::HasSubstr("EXIT"));
}

}  // namespace
}  // namespace warplens::app

#endif
