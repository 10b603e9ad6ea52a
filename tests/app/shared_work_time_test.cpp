// Blocks that take their work from a counter: their modelled time is near what an H100 took
// (tests/hardware/h100_shared_work.csv).
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/folders.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

const std::string hardware = source_folder() + "/tests/hardware/";

/// Cycles with flushed caches, the mean of three launches; 0: the table has no such kernel.
double measured_cycles(const std::string& kernel) {
    std::ifstream table(hardware + "h100_shared_work.csv");
    for (std::string line; std::getline(table, line);) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        if (cells.size() > 5 && cells[0] == kernel)
            return (std::stod(cells[3]) + std::stod(cells[4]) + std::stod(cells[5])) / 3;
    }
    return 0;
}

using shared_work_time_long = TypedCommands;

TEST_F(shared_work_time_long, is_that_of_the_hardware) {
    for (const std::string kernel : {"queue_rows", "queue_warps"}) {
        const Outcome outcome = warplens(
            {"report", hardware + "shared_work/" + kernel + ".cu", "--gpu", "H100", "--format", "json"});
        if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
        ASSERT_EQ(outcome.code, 0) << outcome.error;
        const double measured = measured_cycles(kernel);
        EXPECT_NEAR(read_json(outcome.out)["schedule"]["cycles"].get<double>(), measured, measured * 0.06)
            << kernel;
    }
}

/// Attempts that fail make it longer on a GPU (h200_shared_work.csv), which the report says.
TEST_F(shared_work_time_long, of_compare_and_swap_is_shared_and_lacks_failed_attempts) {
    const Outcome outcome = warplens({"report", hardware + "shared_work/queue_swaps.cu", "--format", "json"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto schedule = read_json(outcome.out)["schedule"];
    EXPECT_LT(schedule["cycles"].get<double>(), 200'000) << "one block after another: 28 million";
    EXPECT_THAT(schedule["notes"].dump(), testing::HasSubstr("attempts that fail"));
}

}  // namespace
}  // namespace warplens::app
