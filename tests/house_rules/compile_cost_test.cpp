// What takes long to compile stays in few units: docs/performance.md has the figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "source_text.h"

namespace {

TEST(house_rules, what_takes_long_to_compile_stays_in_few_units) {
    std::vector<std::string> wrong;
    for (const auto& file : files_below(stages, code_endings)) {
        for (const std::string& line : file.lines) {
            if (line.starts_with("#include <nlohmann/") && file.path != "core/json_text.cpp")
                wrong.push_back(file.path + ": JSON is core/json.h and core/json_text.h");
            if (line.starts_with("#include <CLI/") && file.path != "app/command_line/grammar.h")
                wrong.push_back(file.path + ": the grammar of the command line is in one batch");
            if (line == "#include \"app/command_line/grammar.h\"" && !file.path.ends_with("grammar.cpp") &&
                file.path != "app/command_line/recorder_command_line.cpp")
                wrong.push_back(file.path + ": each batch with CLI11 takes ten seconds more");
            if (line == "#include <regex>")
                wrong.push_back(file.path + ": std::regex takes seconds to compile");
            if (line.find("fmt::format_to(") != std::string::npos)
                wrong.push_back(file.path + ": use fmt::format, which is compiled in the library");
        }
    }
    EXPECT_THAT(wrong, testing::IsEmpty());
}

}  // namespace
