// `__restrict__` is offered where it made a kernel faster on an H200 (tests/hardware/h200_restricted.csv) and
// nowhere else: 18 kernels, written for this before they were measured.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/pipeline/advice/restrict_proposal.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/read_file.h"
#include "tests/hardware/measured_table.h"
#include "tests/support/folders.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using restricted_kernels_long = TypedCommands;

/// A change that saves less is not offered.
constexpr double least_saving = 0.05;

TEST_F(restricted_kernels_long, are_faster_in_the_model_where_they_are_on_the_hardware) {
    const std::string hardware = source_folder() + "/tests/hardware/";
    const auto cycles_of = [&](const std::string& path) {
        const Outcome outcome = warplens({"report", path, "--format", "json"});
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return read_json(outcome.out)["schedule"]["cycles"].get<double>();
    };
    std::size_t faster = 0;
    for (const hardware::MeasuredRow& row : hardware::read_measured_table("h200_restricted.csv")) {
        if (row.text("caches") != "flushed") continue;
        const std::string& kernel = row.text("kernel");
        const std::string path = hardware + "restricted/" + kernel + ".cu";
        if (!compiles(warplens({"report", path}))) GTEST_SKIP() << "needs NVRTC";
        const auto source = read_file(path);
        ASSERT_TRUE(source) << kernel;
        const auto edits = restrict_edits(*source, kernel);
        ASSERT_FALSE(edits.empty()) << kernel;
        const std::string changed = file(kernel + ".cu", with_edits(*source, edits));
        const double measured = 1 - row.real("restricted_cycles") / row.real("cycles"),
                     modelled = 1 - cycles_of(changed) / cycles_of(path);
        if (measured > least_saving) {
            ++faster;
            EXPECT_GT(modelled, measured / 3) << kernel << ": measured " << measured;
        } else {
            EXPECT_LT(modelled, least_saving) << kernel << ": measured " << measured;
        }
    }
    EXPECT_EQ(faster, 10u);
}

}  // namespace
}  // namespace warplens::app
