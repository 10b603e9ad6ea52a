// Commands as a person types them: their output, their error messages, their exit code, and a folder for
// files.
#pragma once

#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/leftovers.h"
#include "tests/hear_ctrl_c.h"

namespace warplens::app {

struct Outcome {
    int code = 0;
    std::string out, error;
};

/// Defined once per test program, by typed() with the program's command line.
Outcome warplens(std::vector<std::string> words);

inline Outcome typed(int (*command_line)(int, char**), std::vector<std::string> words) {
    words.insert(words.begin(), "warplens");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    Outcome outcome;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    outcome.code = command_line(static_cast<int>(arguments.size()), arguments.data());
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.error = testing::internal::GetCapturedStderr();
    return outcome;
}

/// That the command ends without a result, and says so, once Ctrl+C was pressed. In a process of its own: an
/// interruption lasts, and the grace that would end the process is switched off.
inline void expect_stopped_by_ctrl_c(const std::vector<std::string>& words) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            hear_ctrl_c();
            watch_signals();
            ::raise(SIGINT);
            ::alarm(0);
            ::signal(SIGPROF, SIG_IGN);
            const Outcome outcome = warplens(words);
            std::fputs(outcome.error.c_str(), stderr);
            ::_exit(outcome.out.empty() ? outcome.code : 0);
        },
        testing::ExitedWithCode(exit_interrupted), "stopped by Ctrl\\+C");
}

/// The sentence on standard error, after checking that there was no other output.
inline std::string refusal(const std::vector<std::string>& words) {
    const Outcome outcome = warplens(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    return outcome.error;
}

/// True if user files can be compiled; otherwise the message about that is checked.
inline bool compiles(const Outcome& outcome) {
    if (outcome.error.find("libnvrtc is not in use") == std::string::npos &&
        outcome.error.find("shipped PTX only") == std::string::npos)
        return true;
    EXPECT_EQ(outcome.code, 2);
    return false;
}

class TypedCommands : public testing::Test {
  protected:
    std::filesystem::path folder;
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::string path(const std::string& name) const { return (folder / name).string(); }
    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name) << text;
        return path(name);
    }
};

}  // namespace warplens::app
