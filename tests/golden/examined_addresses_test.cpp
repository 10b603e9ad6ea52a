// Which addresses need not be examined again, by instructions of a real kernel.
#ifdef WARPLENS_SASS

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sass/live_registers.h"
#include "sass/printer.h"
#include "simt/functional/machine/registers_ahead.h"
#include "tests/support/folders.h"

namespace warplens::simt {
namespace {

/// The first instruction of matmul_naive's machine code whose text begins like this.
sass::Instruction instruction_of_matmul(const std::string& text) {
    std::ifstream stream(source_folder() + "/tests/hardware/machine_code/code/matmul_naive.cubin",
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

/// As the only instruction of a block.
void forget_written(const sass::Instruction& instruction, ExaminedAddresses& examined) {
    forget_written(registers_ahead({&instruction, 1}, 90).front(), examined);
}

AddressRegister pair(u32 first, u32 bytes = 4) { return {first, 2, bytes, Space::global}; }

TEST(examined_addresses, are_forgotten_when_an_instruction_writes_one_of_their_registers) {
    const sass::Instruction load = instruction_of_matmul("LDG.E R28, desc[UR6][R26.64]"),
                            sum = instruction_of_matmul("IMAD.WIDE R26, R3, 0x4, R26");
    constexpr u32 window = 7;
    ExaminedAddresses examined;
    for (const u32 first : {24u, 26u, 27u, 28u}) examined.add(pair(first), window);
    const AddressRegister word{28, 1, 4, Space::shared}, next{29, 1, 4, Space::shared};
    examined.add(word, window);
    examined.add(next, window);
    ASSERT_TRUE(examined.find(pair(26)));
    EXPECT_EQ(examined.find(pair(26))->window, window);
    EXPECT_FALSE(examined.find(pair(26, 8)));  // their runs of places are others
    forget_written(load, examined);
    EXPECT_FALSE(examined.find(pair(27)));
    EXPECT_FALSE(examined.find(pair(28)));
    EXPECT_FALSE(examined.find(word));
    EXPECT_TRUE(examined.find(next));
    EXPECT_TRUE(examined.find(pair(26)));
    examined.add(pair(25), window);
    examined.add(pair(28), window);
    forget_written(sum, examined);
    EXPECT_FALSE(examined.find(pair(25)));
    EXPECT_FALSE(examined.find(pair(26)));
    EXPECT_TRUE(examined.find(pair(24)));
    EXPECT_TRUE(examined.find(pair(28)));
}

TEST(examined_addresses, sums_know_the_accesses_that_follow_in_their_block) {
    const sass::Instruction sum = instruction_of_matmul("IMAD.WIDE R20, R0.reuse, 0x4, R26"),
                            of_sum = instruction_of_matmul("LDG.E R18, desc[UR6][R20.64]"),
                            of_source = instruction_of_matmul("LDG.E R28, desc[UR6][R26.64]"),
                            in_place = instruction_of_matmul("IMAD.WIDE R26, R3, 0x4, R26");
    const auto of = [](const std::vector<sass::Instruction>& block) {
        return registers_ahead(block, 90).front();
    };
    constexpr AddressRegister none{0, 0};
    EXPECT_EQ(of({sum, of_sum}).result, pair(20));
    EXPECT_EQ(of({sum, of_sum}).source, none);
    EXPECT_EQ(of({sum, of_source}).result, none);
    EXPECT_EQ(of({sum, of_source}).source, pair(26));
    EXPECT_EQ(of({sum, sum, of_sum}).result, none);  // written again before
    EXPECT_EQ(of({sum, in_place, of_source}).source, none);
    EXPECT_EQ(of({in_place, of_source}).result, pair(26));
    EXPECT_EQ(of({in_place, of_source}).source, none);  // another value
    EXPECT_EQ(of({sum}).result, none);
}

TEST(examined_addresses, the_oldest_gives_its_place_away) {
    ExaminedAddresses examined;
    for (u32 i = 0; i <= ExaminedAddresses::slots; ++i) examined.add(pair(2 * i), i);
    EXPECT_FALSE(examined.find(pair(0)));
    ASSERT_TRUE(examined.find(pair(2 * ExaminedAddresses::slots)));
    EXPECT_EQ(examined.find(pair(2 * ExaminedAddresses::slots))->slot, 0u);
    EXPECT_TRUE(examined.find(pair(2)));
    examined.forget_all();
    EXPECT_FALSE(examined.find(pair(2)));
}

}  // namespace
}  // namespace warplens::simt

#endif
