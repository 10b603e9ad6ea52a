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
        const bool header = file.path.ends_with(".h") && file.path != "trace/file/json_members.h";
        for (const std::string& line : file.lines) {
            if (header && line == "#include <nlohmann/json.hpp>")
                wrong.push_back(file.path + ": include <nlohmann/json_fwd.hpp> in a header");
            if (line == "#include <regex>")
                wrong.push_back(file.path + ": std::regex takes seconds to compile");
            if (line.find("fmt::format_to(") != std::string::npos)
                wrong.push_back(file.path + ": use fmt::format, which is compiled in the library");
        }
    }
    EXPECT_THAT(wrong, testing::IsEmpty());
}

}  // namespace
