// A stored trace with measured times, on the command line: what `report` and `export` make of it on a machine
// with no GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command_line/commands.h"
#include "tests/support/read_json.h"
#include "tests/support/synthetic_measured.h"
#include "trace/file/trace_file.h"
#include "trace/light.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using Json = nlohmann::json;

class MeasuredTrace : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    /// Its standard output; it must succeed.
    static std::string warplens(std::vector<std::string> words) {
        words.insert(words.begin(), "warplens");
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        testing::internal::CaptureStdout();
        EXPECT_EQ(run_command_line(static_cast<int>(arguments.size()), arguments.data()), 0);
        return testing::internal::GetCapturedStdout();
    }
    static Json json_of(const std::string& file) {
        std::ifstream stream(file);
        return read_json(std::string(std::istreambuf_iterator<char>(stream), {}));
    }

    fs::path folder_;
};

TEST_F(MeasuredTrace, is_reported_with_its_times_and_what_recording_cost) {
    const trace::Trace trace = trace::make_measured_example({12, 200, 3});
    ASSERT_TRUE(trace::write(trace, path("a.wltrace")));
    const Json report = read_json(warplens({"report", path("a.wltrace"), "--format", "json"}));
    EXPECT_EQ(report["perturbation"]["extra_registers"], 3);
    EXPECT_EQ(report["perturbation"]["clean_us"], trace.measured->perturbations[0].clean_us);
    EXPECT_EQ(report["measured"]["device"], "synthetic");
    EXPECT_EQ(report["measured"]["warps"], 12 * 7);
    EXPECT_THAT(warplens({"report", path("a.wltrace")}),
                AllOf(HasSubstr("Time (measured)"), HasSubstr("light takes 1.25 times as long")));
}

TEST_F(MeasuredTrace, is_exported_with_the_model_or_alone_where_there_is_none) {
    trace::Trace trace = trace::make_measured_example({12, 200, 3});
    ASSERT_TRUE(trace::write(trace, path("a.wltrace")));
    EXPECT_THAT(warplens({"export", path("a.wltrace"), "-o", path("a.json")}),
                AllOf(HasSubstr("on one SM of H200, modelled; "),
                      HasSubstr("visits of 84 warps, measured on synthetic; open it")));
    EXPECT_EQ(json_of(path("a.json"))["otherData"]["measured"]["device"], "synthetic");
    trace::drop_accesses(trace);
    ASSERT_TRUE(trace::write(trace, path("light.wltrace")));
    EXPECT_THAT(warplens({"export", path("light.wltrace"), "-o", path("light.json")}),
                HasSubstr("light.json: 1,"));
    EXPECT_FALSE(json_of(path("light.json"))["traceEvents"].empty());
}

}  // namespace
}  // namespace warplens::app
