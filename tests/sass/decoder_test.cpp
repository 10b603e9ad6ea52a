// Decoded fields of single instructions, and the result for bits that are not an instruction.
#include "sass/decoder.h"

#include <gtest/gtest.h>

#include "sass/instruction_table.h"
#include "sass/printer.h"

namespace warplens::sass {

namespace {

TEST(instruction_table, can_be_read) {
    const Status status = check_table();
    EXPECT_TRUE(status.has_value()) << (status ? "" : status.error().message);
    EXPECT_GT(rows().size(), 300u);
    for (const Row& row : rows()) {
        EXPECT_LE(row.first_sm, row.last_sm) << row.id_name;
        EXPECT_FALSE(row.meaning.empty()) << row.id_name;
    }
}

TEST(decoder, gives_the_operands_of_a_load_as_fields) {
    const Instruction load = decode({0x00000404020d7981ull, 0x000f68000c1e1900ull}, 0, 90);
    ASSERT_TRUE(load.known());
    EXPECT_EQ(print(load, 90), "LDG.E R13, desc[UR4][R2.64+0x4]");
    ASSERT_EQ(load.operands.size(), 2u);
    EXPECT_EQ(load.operands[0].kind, OperandKind::general_register);
    EXPECT_TRUE(load.operands[0].destination);
    EXPECT_EQ(load.operands[0].index, 13);
    EXPECT_EQ(load.operands[1].kind, OperandKind::address);
    EXPECT_EQ(load.operands[1].index, 2);
    EXPECT_EQ(load.operands[1].uniform, 4);
    EXPECT_EQ(load.operands[1].value, 4);
    EXPECT_TRUE(load.operands[1].wide_register);
    EXPECT_TRUE(load.operands[1].descriptor);
    EXPECT_EQ(load.modifier("E"), 1u);
    EXPECT_EQ(load.row->pipe, Pipe::load_store);
}

/// ptxas makes `x * c / 8` one product, as in the twiddle factors of an FFT.
TEST(decoder, names_every_scale_of_a_product) {
    const auto text = [](std::uint64_t scale) {
        return print_opcode(decode({0xc0c90fdb00057820ull, 0x000fca0000000000ull | scale << 20}, 0, 90));
    };
    EXPECT_EQ(text(1), "FMUL.D8");
    EXPECT_EQ(text(2), "FMUL.D4");
    EXPECT_EQ(text(3), "FMUL.D2");
    EXPECT_EQ(text(4), "FMUL");
    EXPECT_EQ(text(7), "FMUL.M8");
}

TEST(decoder, reads_the_control_fields) {
    // S2R R0, SR_TID.X
    const Control control = control_of({0x0000000000007919ull, 0x000e2e0000002100ull});
    EXPECT_EQ(control.stall, 7);
    EXPECT_EQ(control.write_scoreboard, 0);
    EXPECT_EQ(control.read_scoreboard, 7);
    EXPECT_EQ(control.wait_mask, 0);
    // @!P0 ... waits for scoreboard 4
    EXPECT_EQ(control_of({0, 0x010fe80000000000ull}).wait_mask, 16);
}

TEST(decoder, says_that_unknown_bits_are_unknown) {
    const Instruction none = decode({0x0000000000000fffull, 0}, 0, 90);
    EXPECT_FALSE(none.known());
    EXPECT_EQ(print(none, 90), "??? /* 0x0000000000000fff 0x0000000000000000 */");
    EXPECT_EQ(print_opcode(none), "???");
}

TEST(decoder, distinguishes_generations) {
    // The same opcode bits are HFMA2.MMA on sm_90 and IADD on sm_120.
    EXPECT_EQ(print_opcode(decode({0x00000000060d7c35ull, 0x004fc6000f8e0000ull}, 0, 120)), "IADD");
    EXPECT_NE(print_opcode(decode({0x00000000060d7c35ull, 0x004fc6000f8e0000ull}, 0, 90)), "IADD");
}

}  // namespace

}  // namespace warplens::sass
