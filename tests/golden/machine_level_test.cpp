// The machine level against the PTX level: every kernel of the catalogue is executed from its PTX and from
// the machine code that the same compilation gave, and both leave the same bytes in every buffer. What is not
// executed yet is named here and says so itself.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"
#include "catalogue_kernels.h"

namespace warplens::app {
namespace {

using instrumentation::KernelFile;

/// Kernels that the machine level does not execute to their end, and an instruction that it refuses in each.
struct Refused {
    std::string_view kernel, opcode;
};
constexpr Refused refused[] = {
    {"print_lanes", "CALL.ABS.NOINC"},
    {"texture_blur", "TEX.LL"},
    {"mma_matmul", "HMMA.16816.F32"},
    {"wmma_matmul", "HMMA.16816.F32"},
};
/// Wrong on purpose: what it computes depends on which warp is first.
constexpr std::string_view depends_on_order[] = {"missing_barrier"};

Pipeline& machine_pipeline() {
    static const auto shared = make_pipeline();
    return *shared;
}

Executed run(const std::shared_ptr<const KernelFile>& kernel, Level level) {
    LaunchRequest request{kernel, {}, "", {}};
    request.level = level;
    auto loaded = machine_pipeline().load(request);
    EXPECT_TRUE(loaded) << loaded.error().message;
    if (!loaded) return {};
    auto executed = machine_pipeline().execute(std::move(*loaded), {});
    EXPECT_TRUE(executed) << executed.error().message;
    return executed ? std::move(*executed) : Executed{};
}

std::set<std::string> kinds(const Executed& run) {
    std::set<std::string> kinds;
    for (const Problem& problem : run.report->problems)
        kinds.insert(fmt::format("{} at line {}", to_string(problem.kind), problem.line));
    return kinds;
}

class MachineLevel : public testing::TestWithParam<std::shared_ptr<const KernelFile>> {};

bool has_nvrtc() { return machine_pipeline().compiler().description().starts_with("NVRTC "); }

/// Shipped PTX has no machine code beside it.
void expect_a_sentence(const std::shared_ptr<const KernelFile>& kernel) {
    LaunchRequest request{kernel, {}, "", {}};
    request.level = Level::machine;
    const auto loaded = machine_pipeline().load(request);
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, testing::HasSubstr("there is no machine code"));
}

TEST_P(MachineLevel, leaves_the_same_bytes_as_the_ptx_level) {
    if (!has_nvrtc()) return expect_a_sentence(GetParam());
    const Executed machine = run(GetParam(), Level::machine);
    ASSERT_TRUE(machine.report);
    EXPECT_EQ(machine.report->level, Level::machine);
    const auto missing = std::ranges::find(refused, GetParam()->name, &Refused::kernel);
    if (missing != std::end(refused)) {
        ASSERT_TRUE(machine.report->unsupported);
        EXPECT_THAT(*machine.report->unsupported,
                    testing::Contains(testing::Field(&analysis::UnsupportedForm::form, missing->opcode)));
        EXPECT_FALSE(machine.report->problems.empty()) << "it does not say that it stopped";
        return;
    }
    EXPECT_TRUE(machine.report->unsupported->empty());
    if (std::ranges::find(depends_on_order, GetParam()->name) != std::end(depends_on_order)) return;
    const Executed ptx = run(GetParam(), Level::ptx);
    ASSERT_TRUE(ptx.report);
    EXPECT_EQ(kinds(machine), kinds(ptx));
    ASSERT_EQ(machine.memory.allocations().size(), ptx.memory.allocations().size());
    for (std::size_t i = 0; i < ptx.memory.allocations().size(); ++i) {
        const simt::Allocation &expected = ptx.memory.allocations()[i],
                               &found = machine.memory.allocations()[i];
        EXPECT_TRUE(found.data == expected.data) << expected.name << " differs";
    }
}

INSTANTIATE_TEST_SUITE_P(catalogue, MachineLevel, testing::ValuesIn(catalogue_kernels()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace warplens::app

#endif
