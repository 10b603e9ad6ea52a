// The search for races at both levels: in the catalogue and in the wrong kernels of tests/problems it finds
// the same pairs of lines in the machine code as in the PTX, but for those that are named here with the
// reason.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "both_levels.h"
#include "catalogue_kernels.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/support/folders.h"

namespace warplens::app {
namespace {

using RaceLines = std::set<std::string>;

/// "shared_race at lines 8 and 12".
RaceLines races_of(const std::shared_ptr<const instrumentation::KernelFile>& kernel, Level level,
                   const std::map<std::string, std::string>& settings, ExecuteOptions::Races how) {
    LaunchRequest request{kernel, settings, {}, {}};
    request.level = level;
    auto loaded = levels_pipeline().load(request);
    EXPECT_TRUE(loaded) << loaded.error().message;
    if (!loaded) return {};
    ExecuteOptions options;
    options.races = how;
    options.max_steps_per_warp = 200'000;
    auto executed = levels_pipeline().execute(std::move(*loaded), options);
    EXPECT_TRUE(executed) << executed.error().message;
    if (!executed) return {};
    EXPECT_GT(executed->report->races.blocks, 0u) << executed->report->races.note;
    RaceLines found;
    for (const Problem& problem : executed->report->problems) {
        if (problem.kind != ProblemKind::shared_race && problem.kind != ProblemKind::global_race) continue;
        EXPECT_TRUE(problem.other) << problem.message;
        const std::uint32_t other = problem.other ? problem.other->line : 0;
        found.insert(fmt::format("{} at lines {} and {}", to_string(problem.kind),
                                 std::min(problem.line, other), std::max(problem.line, other)));
    }
    return found;
}

std::vector<std::string> wrong_kernels() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/tests/problems"))
        if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
    std::ranges::sort(names);
    return names;
}

/// Wrong kernels of which the machine code has fewer races, and why.
const std::map<std::string, std::string>& fewer_races() {
    static const std::map<std::string, std::string> reasons{
        {"race_half_warps",
         "the assembler leaves a NOP, which has no mask, for the __syncwarp() of half a warp"},
        {"race_struct_field", "the assembler merges the stores of two lines, of which one is named"},
    };
    return reasons;
}

class MachineRaces : public testing::TestWithParam<std::string> {};

TEST_P(MachineRaces, are_those_of_the_ptx) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC";
    auto read = instrumentation::load_kernel_file(
        fmt::format("{}/tests/problems/{}.cu", source_folder(), GetParam()));
    ASSERT_TRUE(read) << read.error().message;
    const auto kernel = std::make_shared<const instrumentation::KernelFile>(std::move(*read));
    for (const char* fixed : {"0", "1"}) {
        SCOPED_TRACE(fixed);
        std::map<std::string, std::string> settings;
        if (!kernel->parameters.empty()) settings["FIXED"] = fixed;
        const auto on = ExecuteOptions::Races::on;
        const RaceLines machine = races_of(kernel, Level::machine, settings, on);
        const RaceLines ptx = races_of(kernel, Level::ptx, settings, on);
        if (std::string_view(fixed) == "0" && fewer_races().contains(GetParam())) {
            EXPECT_LT(machine.size(), ptx.size());
            EXPECT_TRUE(std::ranges::includes(ptx, machine));
        } else {
            EXPECT_EQ(machine, ptx);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(problems, MachineRaces, testing::ValuesIn(wrong_kernels()),
                         [](const auto& info) { return info.param; });

class MachineRacesOfCatalogue
    : public testing::TestWithParam<std::shared_ptr<const instrumentation::KernelFile>> {};

TEST_P(MachineRacesOfCatalogue, are_those_of_the_ptx) {
    const auto how = ExecuteOptions::Races::within_budget;
    EXPECT_EQ(races_of(GetParam(), Level::machine, {}, how), races_of(GetParam(), Level::ptx, {}, how));
}

INSTANTIATE_TEST_SUITE_P(catalogue, MachineRacesOfCatalogue, testing::ValuesIn(every(4, catalogue_kernels())),
                         [](const auto& info) { return info.param->name; });
INSTANTIATE_TEST_SUITE_P(others_long, MachineRacesOfCatalogue,
                         testing::ValuesIn(all_but_every(4, catalogue_kernels())),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace warplens::app

#endif
