// Matrix products of every form that the engine executes, 64 warps each, compared with recorded hashes of
// what one loop over the terms of each element gave (recorded_products.tsv, written before products were
// computed in lanes). The inputs hold subnormal numbers, infinities and NaN often (spread 900) and seldom
// (950), the ends of the exponents without these (901), and exponents that differ by up to `spread`.
#include <fstream>
#include <sstream>

#include "tests/simt/matrix_product_inputs.h"
#include "tests/support/folders.h"

namespace warplens::simt {
namespace {

/// FNV-1a of the words. NaN of f64 are one: which of two the processor keeps is its own affair.
std::uint64_t hash_of(std::vector<std::uint32_t> words, bool wide) {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (std::size_t i = 1; wide && i < words.size(); i += 2)
        if ((words[i] & 0x7ff00000u) == 0x7ff00000u && ((words[i] & 0xfffffu) | words[i - 1]) != 0)
            words[i] = 0x7ff80000u, words[i - 1] = 0;
    for (const std::uint32_t word : words) hash = (hash ^ word) * 0x100000001b3ull;
    return hash;
}

TEST(recorded_products, every_form_gives_what_it_gave_term_by_term) {
    std::ifstream file(source_folder() + "/tests/simt/recorded_products.tsv");
    std::string opcode, spread, expected;
    int count = 0;
    while (std::getline(file, opcode, '\t') && std::getline(file, spread, '\t') &&
           std::getline(file, expected)) {
        const auto form = matrix_instruction(opcode);
        ASSERT_TRUE(form) << opcode;
        const auto words =
            matrix_inputs::products(opcode, 77, static_cast<std::uint32_t>(std::stoul(spread)), 64);
        const bool wide = form->fragments[0].element == MatrixElement::f64;
        EXPECT_EQ(fmt::format("{:016x}", hash_of(words, wide)), expected) << opcode << '\t' << spread;
        ++count;
    }
    EXPECT_GE(count, 300);
}

}  // namespace
}  // namespace warplens::simt
