// The printed text of machine instructions compared with NVIDIA's disassembler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sass/decoder.h"
#include "sass/printer.h"
#include "tests/sass/nvdisasm_table.h"

namespace warplens::sass {

namespace {

using testing::IsEmpty;

/// Lines whose text differs, with what was printed; unknown ones are counted in `unknown`.
std::vector<std::string> differences(const std::vector<DisassembledLine>& table, std::size_t& unknown) {
    std::vector<std::string> wrong;
    for (const DisassembledLine& line : table) {
        const Instruction instruction = decode(line.encoding, line.offset, line.sm);
        if (!instruction.known()) {
            ++unknown;
            continue;
        }
        const std::string text = print(instruction, line.sm);
        if (text != line.text)
            wrong.push_back("sm_" + std::to_string(line.sm) + ": " + text + " instead of " + line.text);
    }
    return wrong;
}

class nvdisasm : public testing::TestWithParam<int> {};

TEST_P(nvdisasm, prints_every_instruction_of_the_catalogue_the_same) {
    const auto table =
        read_nvdisasm_table("catalogue_sm_" + std::to_string(GetParam()) + ".txt.zst", GetParam());
    ASSERT_GT(table.size(), 5000u);
    std::size_t unknown = 0;
    EXPECT_THAT(differences(table, unknown), IsEmpty());
    EXPECT_EQ(unknown, 0u);
}

INSTANTIATE_TEST_SUITE_P(targets, nvdisasm, testing::Values(75, 80, 86, 89, 90, 100, 120));

/// One line for each shape of instruction of some 110 other kernels and of PTX written for the purpose.
TEST(nvdisasm_forms, are_printed_the_same_or_said_to_be_unknown) {
    const auto table = read_nvdisasm_table("forms.txt.zst", 0);
    ASSERT_GT(table.size(), 13000u);
    std::size_t unknown = 0;
    EXPECT_THAT(differences(table, unknown), IsEmpty());
    EXPECT_EQ(unknown, 2u);  // UGETNEXTWORKID on sm_100 and sm_120
}

/// 21 kernels that were not used while the table was written; the README gives the first result.
TEST(nvdisasm_untuned, are_printed_the_same) {
    const auto table = read_nvdisasm_table("untuned.txt.zst", 0);
    ASSERT_GT(table.size(), 26000u);
    std::size_t unknown = 0;
    EXPECT_THAT(differences(table, unknown), IsEmpty());
    EXPECT_EQ(unknown, 0u);
}

}  // namespace

}  // namespace warplens::sass
