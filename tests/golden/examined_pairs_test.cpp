// Which pairs of registers an access need not examine again, by instructions of a real kernel.
#ifdef WARPLENS_SASS

#include "simt/functional/machine/examined_pairs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sass/printer.h"

namespace warplens::simt {
namespace {

/// The first instruction of matmul_naive's machine code whose text begins like this.
sass::Instruction instruction_of_matmul(const std::string& text) {
    std::ifstream stream(WARPLENS_SOURCE_FOLDER "/tests/hardware/machine_code/code/matmul_naive.cubin",
                         std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const auto cubin = sass::read_cubin(bytes);
    if (!cubin) return {};
    const auto machine = sass::number_machine_sites(*cubin, cubin->functions.front().name);
    if (!machine) return {};
    for (std::size_t i = 0; i < machine->instructions.size(); ++i)
        if (machine->program.sites[i].text.starts_with(text)) return machine->instructions[i];
    ADD_FAILURE() << "no instruction begins with " << text;
    return {};
}

TEST(examined_pairs, are_forgotten_when_an_instruction_writes_one_of_the_two) {
    const sass::Instruction load = instruction_of_matmul("LDG.E R28, desc[UR6][R26.64]"),
                            sum = instruction_of_matmul("IMAD.WIDE R26, R3, 0x4, R26");
    constexpr u32 window = 7;
    ExaminedPairs examined;
    for (const u32 pair : {24u, 26u, 27u, 28u}) examined.add(pair, 4, window);
    EXPECT_EQ(examined.window(26, 4), window);
    EXPECT_EQ(examined.window(26, 8), no_index);  // their runs of places are others
    examined.forget_written(load);
    EXPECT_EQ(examined.window(27, 4), no_index);
    EXPECT_EQ(examined.window(28, 4), no_index);
    EXPECT_EQ(examined.window(26, 4), window);
    examined.add(25, 4, window);
    examined.add(28, 4, window);
    examined.forget_written(sum);
    EXPECT_EQ(examined.window(25, 4), no_index);
    EXPECT_EQ(examined.window(26, 4), no_index);
    EXPECT_EQ(examined.window(24, 4), window);
    EXPECT_EQ(examined.window(28, 4), window);
}

}  // namespace
}  // namespace warplens::simt

#endif
