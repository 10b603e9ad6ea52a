#include "instrumentation/host_code/named_numbers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace warplens::instrumentation::host_code {
namespace {

using testing::ElementsAre;

TEST(named_numbers, are_macros_constants_and_variables_of_one_number) {
    const std::string source =
        "#define BLOCK 256  // threads\n"
        "#  define TILE (16u)\n"
        "#define AREA TILE*TILE\n"
        "#define LESS(n) 4\n"
        "#define REAL 2.5f\n"
        "#define MASK 0x20\n"
        "#define BITS 010\n"
        "constexpr int rows = 8, columns = 4;\n"
        "static const unsigned long many = 128UL;\n"
        "int main() { int threads = 64; threads = 32; float x = 1.0f; f(4); }\n"
        "enum { NX = 1024, TILE_X = 16 };\n"
        "enum class Kind : int { Idle, Active = 5, Dead = Idle };\n"
        "#define LAST \\\n  512\n";
    std::vector<std::string> found;
    for (const NamedNumber& number : named_numbers(source)) {
        found.push_back(fmt::format("{} {} in line {}", number.name, number.value, number.line));
        EXPECT_EQ(source.substr(number.offset, number.digits), std::to_string(number.value));
    }
    EXPECT_THAT(found, ElementsAre("BLOCK 256 in line 1", "TILE 16 in line 2", "rows 8 in line 8",
                                   "many 128 in line 9", "threads 64 in line 10", "NX 1024 in line 11",
                                   "TILE_X 16 in line 11", "Active 5 in line 12", "LAST 512 in line 14"));
    EXPECT_TRUE(named_numbers("enum").empty());
    EXPECT_TRUE(named_numbers("enum { A = 4").empty());
    EXPECT_TRUE(named_numbers("").empty());
    EXPECT_TRUE(named_numbers("#").empty());
}

}  // namespace
}  // namespace warplens::instrumentation::host_code
