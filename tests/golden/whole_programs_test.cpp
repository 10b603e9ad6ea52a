// Whole programs, built for this machine and run on the CPU engine from their first launch to their last.
// Each computes its results once more on the host, and its exit code says whether they agree.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/command_line/run_program.h"
#include "app/command_line/target.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/support/folders.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::string> programs() {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(fs::path(source_folder()) / "tests/golden/programs"))
        names.push_back(file.path().stem().string());
    std::ranges::sort(names);
    return names;
}

class WholeProgram : public testing::TestWithParam<std::string> {};

TEST_P(WholeProgram, its_results_are_those_of_the_host) {
    const auto pipeline = make_pipeline();
    if (!pipeline->compiler().description().starts_with("NVRTC ")) GTEST_SKIP() << "needs NVRTC";
    ProgramInputsRequest request;
    auto kernel = instrumentation::load_kernel_file(
        (fs::path(source_folder()) / "tests/golden/programs" / (GetParam() + ".cu")).string());
    ASSERT_TRUE(kernel) << kernel.error().message;
    request.kernel = std::move(*kernel);
    LaunchRequest asked;
    asked.kernel = std::make_shared<const instrumentation::KernelFile>(request.kernel);
    auto entries = pipeline->entries(asked);
    ASSERT_TRUE(entries) << entries.error().message;
    request.entries = std::move(*entries);
    std::size_t told = 0;
    const auto ran = run_whole_program(*pipeline, request, [&](const ProgramLaunches&) { ++told; });
    if (!ran && ran.error().message.find("a C++ compiler is needed") != std::string::npos)
        GTEST_SKIP() << ran.error().message;
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_TRUE(ran->ended);
    EXPECT_EQ(ran->failed, "");
    EXPECT_THAT(ran->printed, HasSubstr("PASS"));
    std::size_t launches = 0;
    for (const ProgramKernel& one : ran->kernels) {
        launches += one.launches;
        EXPECT_EQ(one.executed, one.launches) << one.kernel << ": " << one.why_not_executed;
        EXPECT_EQ(one.problem, "") << one.kernel;
        EXPECT_FALSE(one.symbol.empty()) << one.kernel;
        EXPECT_LE(one.most_steps, one.steps);
    }
    EXPECT_EQ(told, launches);
    EXPECT_GE(by_kernel(ran->kernels).size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(programs, WholeProgram, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warplens::app
