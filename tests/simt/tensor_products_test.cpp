// Matrix products compared with those of an H200, bit for bit: tests/hardware/h200_matrix_products.csv, from
// tests/hardware/tensor_probes.cu, whose generation of inputs matrix_product_inputs.h repeats.
#include "tests/hardware/measured_table.h"
#include "tests/simt/matrix_product_inputs.h"

namespace warplens::simt {
namespace {

TEST(tensor_products, every_form_gives_what_an_h200_gave_bit_for_bit) {
    const auto rows = hardware::read_measured_table("h200_matrix_products.csv");
    ASSERT_GE(rows.size(), 40u);
    for (const hardware::MeasuredRow& row : rows) {
        const std::string& opcode = row.text("form");
        const auto form = matrix_instruction(opcode);
        ASSERT_TRUE(form) << opcode;
        const auto seed = static_cast<std::uint32_t>(row.number("seed")),
                   spread = static_cast<std::uint32_t>(row.number("spread"));
        const std::vector<std::uint32_t> words = matrix_inputs::products(opcode, seed, spread);
        std::string got, expected = row.text("words of d");
        if (form->fragments[0].element == MatrixElement::f64)
            for (std::size_t i = 0; i < words.size(); i += 2)
                got += fmt::format("{:08x}{:08x} ", words[i + 1], words[i]);
        else
            for (const std::uint32_t word : words) got += fmt::format("{:08x} ", word);
        got.pop_back();
        EXPECT_EQ(got, expected) << opcode << " spread " << spread << " seed " << seed;
    }
}

}  // namespace
}  // namespace warplens::simt
