// Text from files reaches a terminal through app/command_line/output.h alone, which removes control
// characters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "source_text.h"

namespace {

TEST(house_rules, commands_print_through_output_h_alone) {
    std::vector<std::string> wrong;
    for (const auto& file : files_below({"app/command_line"}, code_endings)) {
        if (file.path == "app/command_line/output.cpp") continue;
        for (const std::string& line : file.lines) {
            // The one line that moves the cursor is progress, of numbers alone.
            const bool is_progress = line.find("\\r\\x1b[K") != std::string::npos;
            for (const char* call : {"fmt::print(", "std::cout", "std::cerr", "std::printf(", "std::puts(",
                                     "std::fputs(", "std::fwrite(", "std::fprintf("})
                if (line.find(call) != std::string::npos && !is_progress)
                    wrong.push_back(file.path + ": " + line);
        }
    }
    EXPECT_THAT(wrong, testing::IsEmpty());
}

}  // namespace
