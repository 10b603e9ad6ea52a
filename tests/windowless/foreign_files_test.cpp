// Files as other people write them, with main, launches, allocations and headers of the host, in
// tests/foreign_files: each opens without a flag, and its launch, read from its host code, runs without
// problems.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const fs::path foreign = fs::path(WARPLENS_SOURCE_FOLDER) / "tests" / "foreign_files";

using ForeignFiles = TypedCommands;

TEST_F(ForeignFiles, nine_of_ten_run_with_no_flag) {
    int files = 0;
    std::vector<std::string> failed;
    for (const auto& entry : fs::directory_iterator(foreign)) {
        if (entry.path().extension() != ".cu") continue;
        ++files;
        const Outcome outcome =
            warplens({"report", entry.path().string(), "--no-advice", "--format", "json"});
        if (!compiles(outcome)) return;
        const bool runs =
            outcome.code == 0 && outcome.error.find("is guessed from line") != std::string::npos;
        if (!runs) failed.push_back(entry.path().filename().string() + ": " + outcome.error);
    }
    EXPECT_GE(files, 20);
    EXPECT_LE(failed.size() * 10, static_cast<std::size_t>(files)) << testing::PrintToString(failed);
}

TEST_F(ForeignFiles, guesses_say_their_lines_and_flags_override_them) {
    const std::string source = (foreign / "saxpy_blog.cu").string();
    const Outcome guessed = warplens({"report", source, "--no-advice", "--format", "json"});
    if (!compiles(guessed)) return;
    ASSERT_EQ(guessed.code, 0) << guessed.error;
    EXPECT_THAT(guessed.error,
                AllOf(HasSubstr("guessed from line 29"), HasSubstr("n=1048576 (line 12)"),
                      HasSubstr("x f32[n]=constant:1 (line 17)"), HasSubstr("--set NAME=VALUE")));
    const Outcome smaller =
        warplens({"report", source, "--set", "n=2048", "--no-advice", "--format", "json"});
    ASSERT_EQ(smaller.code, 0) << smaller.error;
    EXPECT_EQ(nlohmann::json::parse(smaller.out)["global_store"]["requests"], 64);
    const Outcome fewer = warplens({"report", source, "--grid", "2", "--no-advice", "--format", "json"});
    ASSERT_EQ(fewer.code, 0) << fewer.error;
    EXPECT_EQ(nlohmann::json::parse(fewer.out)["global_store"]["requests"], 16);
}

TEST_F(ForeignFiles, lines_stay_those_of_the_file) {
    const std::string source = file("wrong.cu",
                                    "#include <vector>\nint main() {\n  k<<<1, 32>>>();\n}\n__global__ void "
                                    "k() {\n  undefined_name = 1;\n}\n");
    const Outcome outcome = warplens({"report", source});
    if (!compiles(outcome)) return;
    EXPECT_THAT(outcome.error, HasSubstr("wrong.cu:6: error:"));
}

}  // namespace
}  // namespace warplens::app
