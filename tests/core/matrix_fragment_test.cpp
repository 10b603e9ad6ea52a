// Which lane holds which element: wmma as measured on an H200, mma by the PTX ISA's formulas.
#include "core/matrix_fragment.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/hardware/measured_table.h"

namespace warplens {
namespace {

std::string lane_bits(const MatrixFragment& fragment) {
    auto word = [](MatrixPlace bit) -> std::string {
        if (bit == MatrixPlace{}) return " -";
        int power = 0;
        while ((bit.row | bit.column) >> power != 1) ++power;
        return (bit.row != 0 ? " r" : " c") + std::to_string(power);
    };
    std::string text = "lane";
    for (const MatrixPlace bit : fragment.lane_bits) text += word(bit);
    text += " element";
    for (std::size_t i = 0; 1 << i < fragment.elements; ++i) text += word(fragment.element_bits[i]);
    return text;
}

TEST(matrix_fragment, wmma_fragments_lie_as_measured_on_an_h200) {
    const auto rows = hardware::read_measured_table("h200_fragments.csv");
    ASSERT_EQ(rows.size(), 78u);
    for (const auto& row : rows) {
        const std::string opcode = "wmma.load." + row.text("operand") + ".sync.aligned." +
                                   row.text("memory") + "." + row.text("shape") + "." + row.text("type");
        const auto matrix = matrix_instruction(opcode);
        ASSERT_TRUE(matrix) << opcode;
        EXPECT_EQ(lane_bits(matrix->fragments[0]), row.text("bits")) << opcode;
        EXPECT_EQ(matrix->fragments[0].elements, static_cast<int>(row.number("elements"))) << opcode;
    }
}

// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
TEST(matrix_fragment, m16n8k16_follows_the_formulas_of_the_ptx_isa) {
    const auto matrix = matrix_instruction("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    ASSERT_TRUE(matrix);
    const MatrixFragment &d = matrix->fragments[0], &a = matrix->fragments[1], &b = matrix->fragments[2];
    EXPECT_EQ(a.registers(), 4);
    EXPECT_EQ(b.registers(), 2);
    EXPECT_EQ(d.registers(), 4);
    for (int lane = 0; lane < 32; ++lane) {
        const int group = lane >> 2, within = lane % 4;
        for (int i = 0; i < 8; ++i) {
            const bool upper = i < 2 || (4 <= i && i < 6);
            EXPECT_EQ(a.place(lane, i),
                      (MatrixPlace{upper ? group : group + 8, within * 2 + (i & 1) + (i < 4 ? 0 : 8)}));
        }
        for (int i = 0; i < 4; ++i) {
            EXPECT_EQ(b.place(lane, i), (MatrixPlace{within * 2 + (i & 1) + (i < 2 ? 0 : 8), group}));
            EXPECT_EQ(d.place(lane, i), (MatrixPlace{i < 2 ? group : group + 8, within * 2 + (i & 1)}));
        }
    }
}

TEST(matrix_fragment, every_fragment_covers_its_matrix_once) {
    for (const char* opcode : {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                               "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                               "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32",
                               "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32",
                               "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
                               "mma.m8n8k16.sync.aligned.row.col.s32.u8.u8.s32",
                               "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
                               "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32",
                               "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
                               "wmma.mma.sync.aligned.row.col.m8n32k16.s32.u8.u8.s32",
                               "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16"}) {
        const auto matrix = matrix_instruction(opcode);
        ASSERT_TRUE(matrix) << opcode;
        for (const MatrixFragment& fragment : matrix->fragments) {
            std::set<std::pair<int, int>> seen;
            for (int lane = 0; lane < 32; ++lane)
                for (int e = 0; e < fragment.elements; ++e) {
                    if (fragment.repeats(e)) continue;
                    const MatrixPlace at = fragment.place(lane, e);
                    EXPECT_TRUE(seen.insert({at.row, at.column}).second) << opcode;
                    EXPECT_TRUE(at.row < fragment.rows && at.column < fragment.columns) << opcode;
                }
            EXPECT_EQ(seen.size(), static_cast<std::size_t>(fragment.rows * fragment.columns)) << opcode;
        }
    }
}

TEST(matrix_fragment, requests_are_the_contiguous_pieces_of_a_lane) {
    const auto row = matrix_instruction("wmma.load.a.sync.aligned.row.m16n16k16.global.f16");
    EXPECT_EQ(row->requests(), 4);  // of two neighbouring elements each
    EXPECT_EQ(row->bytes_per_request(), 4);
    const auto column = matrix_instruction("wmma.load.a.sync.aligned.col.m16n16k16.global.f16");
    EXPECT_EQ(column->requests(), 8);
    EXPECT_EQ(column->bytes_per_request(), 2);
    EXPECT_EQ(matrix_instruction("ldmatrix.sync.aligned.m8n8.x4.shared.b16")->bytes_per_request(), 16);
    EXPECT_EQ(matrix_instruction("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64")->requests(), 0);
}

TEST(matrix_fragment, forms_without_a_known_layout_are_refused) {
    for (const char* opcode :
         {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "add.f32", "wmma",
          "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32",
          "wmma.load.a.sync.aligned.row.m8n8k128.global.b1", "movmatrix.sync.aligned.m8n8.b16"})
        EXPECT_FALSE(matrix_instruction(opcode)) << opcode;
}

}  // namespace
}  // namespace warplens
