#include "app/scene/instruction_diff.h"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

using Kind = InstructionPair::Kind;

Program program_of(const std::vector<std::pair<std::string, std::string>>& instructions) {
    Program program;
    for (const auto& [opcode, operands] : instructions) {
        Site site;
        site.opcode = opcode;
        site.text = opcode + " " + operands;
        program.sites.push_back(site);
    }
    return program;
}

TEST(instruction_diff, a_form_leaves_out_register_numbers_and_constants) {
    Site site;
    site.opcode = "IMAD.WIDE";
    site.text = "@!P0 IMAD.WIDE R4, R2, 0x1f, c[0x0][0x210]";
    EXPECT_EQ(form_of(site), "@!P IMAD.WIDE R, R, #, c[#][#]");
}

TEST(instruction_diff, renamed_registers_do_not_hide_what_was_added) {
    const Program before = program_of({{"S2R", "R0, SR_TID.X"}, {"LDS", "R2, [R3]"}, {"EXIT", ""}});
    const Program after = program_of(
        {{"S2R", "R0, SR_TID.X"}, {"IADD3", "R5, R5, 0x4, RZ"}, {"LDS", "R7, [R5]"}, {"EXIT", ""}});
    const InstructionDiff diff = diff_instructions(before, after);
    const std::vector<InstructionPair> expected{
        {Kind::same, 0, 0}, {Kind::added, no_index, 1}, {Kind::operands, 1, 2}, {Kind::same, 2, 3}};
    EXPECT_EQ(diff.pairs, expected);
    EXPECT_EQ(diff.opcodes.at("IADD3"), (std::pair<std::size_t, std::size_t>{0, 1}));
    EXPECT_EQ(diff.count(Kind::same), 2u);
}

}  // namespace
}  // namespace warplens::app
