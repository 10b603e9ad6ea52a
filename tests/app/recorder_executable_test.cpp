// warplens-record as it is copied to a GPU server: one file that needs only libc, with kernels/ and assets/
// next to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/folders.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;
using testing::MatchesRegex;

struct Outcome {
    int code = -1;
    std::string text;
};

Outcome outcome_of(const std::string& command) {
    Outcome outcome;
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) outcome.text += buffer;
    outcome.code = WEXITSTATUS(::pclose(pipe));
    return outcome;
}

TEST(recorder_executable, needs_no_shared_object_but_those_of_libc) {
    const Outcome ldd = outcome_of("ldd " + build_folder() + "/warplens-record");
    ASSERT_EQ(ldd.code, 0) << ldd.text;
    std::vector<std::string> names;
    std::istringstream lines(ldd.text);  // "libc.so.6 => /lib/libc.so.6 (0x…)", indented
    for (std::string line, file; std::getline(lines, line);) {
        std::istringstream words(line);
        words >> file;
        if (file.find(".so") != std::string::npos) names.push_back(file.substr(0, file.find(".so")));
    }
    EXPECT_THAT(names, Contains("libc"));
    // A sanitizer's build needs the sanitizer's library on top.
    EXPECT_THAT(names,
                Each(MatchesRegex(".*/?(libc|libm|libdl|libpthread|librt|libresolv|linux-vdso|ld-linux.*|"
                                  "lib[a-z]+san|libstdc\\+\\+|libgcc_s)")));
    const bool sanitized = ldd.text.find("san.so") != std::string::npos;
    EXPECT_TRUE(sanitized || !std::ranges::count(names, "libstdc++")) << ldd.text;
}

TEST(recorder_executable, records_and_reports_where_only_its_bundle_was_copied) {
    std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
    const fs::path folder = ::mkdtemp(name.data());
    const fs::path source = source_folder();
    fs::create_directories(folder / "kernels");
    fs::copy_file(source / "kernels/saxpy.cu", folder / "kernels/saxpy.cu");
    fs::create_directories(folder / "assets/ptx/saxpy");
    fs::copy_file(source / "assets/ptx/saxpy.json", folder / "assets/ptx/saxpy.json");
    fs::copy(source / "assets/ptx/saxpy", folder / "assets/ptx/saxpy");
    fs::copy_file(build_folder() + "/warplens-record", folder / "warplens-record");

    const std::string start = "cd '" + folder.string() + "' && env -u WARPLENS_HOME WARPLENS_NVRTC=off " +
                              "XDG_CACHE_HOME=. ./warplens-record ";
    const Outcome recorded = outcome_of(start + "record saxpy --set n=256 -o saxpy.wltrace");
    EXPECT_EQ(recorded.code, 0) << recorded.text;
    EXPECT_THAT(recorded.text, HasSubstr("saxpy.wltrace: 1 of 1 blocks"));
    const Outcome reported = outcome_of(start + "report saxpy.wltrace");
    EXPECT_EQ(reported.code, 0) << reported.text;
    EXPECT_THAT(reported.text, AllOf(HasSubstr("SAXPY"), HasSubstr("1 block")));
    const Outcome wordless = outcome_of(start);
    EXPECT_EQ(wordless.code, 2) << wordless.text;
    EXPECT_THAT(wordless.text, HasSubstr("warplens-record"));
    fs::remove_all(folder);
}

/// On a machine with a GPU these would record, so the driver is hidden from the loader.
TEST(recorder_executable, says_in_one_sentence_that_there_is_no_gpu_and_what_works_without) {
    const std::string start = "env CUDA_VISIBLE_DEVICES= " + build_folder() + "/warplens-record ";
    for (const char* words :
         {"report saxpy --engine cuda", "record saxpy --engine cuda --mode proof -o x.wltrace", "agree saxpy",
          "recordings -o x"}) {
        const Outcome outcome = outcome_of(start + words);
        EXPECT_EQ(outcome.code, 2) << words;
        EXPECT_EQ(std::ranges::count(outcome.text, '\n'), 1) << outcome.text;
        EXPECT_THAT(outcome.text, ContainsRegex("GPU|driver")) << words;
    }
    EXPECT_FALSE(fs::exists("x.wltrace"));
    EXPECT_FALSE(fs::exists("x"));
}

}  // namespace
}  // namespace warplens
