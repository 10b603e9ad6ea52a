// Inputs of matrix products, spread over powers of two, and a kernel that multiplies them: one warp a block.
// The inputs of one warp are those of tests/hardware/tensor_probes.cu.
#pragma once

#include <string>
#include <vector>

#include "core/matrix_fragment.h"
#include "tests/simt/kernel_under_test.h"

namespace warplens::simt::matrix_inputs {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline u32 drawn(u32 seed, u32 i) {
    u64 x = (u64{seed} << 32 | i) + 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return static_cast<u32>((x ^ x >> 31) >> 16);
}

inline u32 number(u32 random, u32 exponent_bits, u32 fraction_bits, u32 spread) {
    const u32 bias = (1u << (exponent_bits - 1)) - 1;
    u32 exponent = bias - spread / 2 + (random >> 24) % (spread + 1);
    u32 fraction = random >> 1 & ((1u << fraction_bits) - 1);
    if (spread == 950 && (random >> 1) % 61 != 0) {
        spread = 0;
        exponent = bias - 4 + (random >> 24) % 9;
    }
    if (spread >= 900) {
        const u32 largest = 2 * bias + 1;
        const u32 exponents[8] = {0,    0,        1,           bias,
                                  bias, bias + 1, largest - 1, spread != 901 ? largest : largest - 2};
        exponent = exponents[random >> 24 & 7];
        if ((random >> 20 & 7) == 0) fraction = 0;
    }
    return (random & 1) << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

inline u32 word_of(MatrixElement element, u32 seed, u32 i, u32 spread) {
    auto packed = [&](u32 count, u32 exponent_bits, u32 fraction_bits) {
        u32 word = 0;
        for (u32 k = 0; k < count; ++k)
            word |= number(drawn(seed, count * i + k), exponent_bits, fraction_bits, spread)
                    << 32 / count * k;
        return word;
    };
    switch (element) {
        case MatrixElement::f16:
            return packed(2, 5, 10);
        case MatrixElement::bf16:
            return packed(2, 8, 7);
        case MatrixElement::e4m3:
            return packed(4, 4, 3);
        case MatrixElement::e5m2:
            return packed(4, 5, 2);
        case MatrixElement::tf32:
        case MatrixElement::f32:
            return packed(1, 8, 23);
        case MatrixElement::s32:
            if (spread >= 900)  // near both ends
                return (drawn(seed, i) & 0x3ff) + ((drawn(seed, i) & 0x400) != 0 ? 0x80000000u : 0x7ffffc00u);
            [[fallthrough]];
        default:
            return drawn(seed, i) << 16 | (drawn(seed + 77, i) & 0xffff);
    }
}

/// From `random`, among the exponents at both ends and in the middle; 900: infinities and NaN, too.
inline u64 extreme_double(u64 random, u32 spread) {
    const u64 exponents[8] = {0, 0, 1, 1023, 1023, 1024, 2046, spread == 900 ? 2047u : 2045u};
    const u64 fraction = (random >> 48 & 7) == 0 ? 0 : random & 0xfffffffffffffull;
    return (random >> 63) << 63 | exponents[random >> 52 & 7] << 52 | fraction;
}

/// The probe's words of one operand for each of `warps` warps, 32 bits each; f64 takes two.
inline std::vector<u32> inputs(const MatrixFragment& fragment, u32 seed, u32 spread, int warps = 1) {
    std::vector<u32> words;
    for (u32 i = 0; i < static_cast<u32>(warps * warp_size * fragment.registers()); ++i) {
        if (fragment.element != MatrixElement::f64) {
            words.push_back(word_of(fragment.element, seed, i, spread));
            continue;
        }
        const u64 bits = u64{drawn(seed, 2 * i)} << 32 | drawn(seed, 2 * i + 1);
        const u64 number = spread >= 900
                               ? extreme_double(bits, spread)
                               : (bits & 0x800fffffffffffffull) | (1023 - 10 + (bits >> 52) % 21) << 52;
        words.push_back(static_cast<u32>(number));
        words.push_back(static_cast<u32>(number >> 32));
    }
    return words;
}

/// A kernel that reads each lane's registers of a, b and c one after another, multiplies, and writes those of
/// d.
inline std::string kernel_of(const std::string& opcode, const MatrixInstruction& form) {
    const bool wide = form.fragments[0].element == MatrixElement::f64;
    const std::string type = wide ? "f64" : "b32", bytes = wide ? "8" : "4";
    std::string text =
                    ".reg ." + type +
                    " %v<32>;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 32, %r1;\n",
                product = opcode;
    int next = 0;
    const std::string names[4] = {"d", "a", "b", "c"};
    std::string stores;
    for (std::size_t i = 0; i < 4; ++i) {
        const int count = form.fragments[i].registers();
        const std::string size = std::to_string(count * (wide ? 8 : 4));
        std::string moves = "ld.param.u64 %d1, [" + names[i] + "];\nmul.wide.u32 %d2, %r1, " + size +
                            ";\nadd.s64 %d1, %d1, %d2;\n";
        product += i == 0 ? " {" : ", {";
        for (int r = 0; r < count; ++r, ++next) {
            const std::string reg = "%v" + std::to_string(next);
            const std::string at = "[%d1+" + std::to_string(r * (wide ? 8 : 4)) + "]";
            moves += i == 0 ? "st.global." + type + " " + at + ", " + reg + ";\n"
                            : "ld.global." + type + " " + reg + ", " + at + ";\n";
            product += (r == 0 ? "" : ",") + reg;
        }
        product += "}";
        (i == 0 ? stores : text) += moves;
    }
    return text + product + ";\n" + stores + "ret;";
}

/// The words of D of the product `opcode` by `warps` warps, lane by lane.
inline std::vector<u32> products(const std::string& opcode, u32 seed, u32 spread, int warps = 1) {
    const auto form = *matrix_instruction(opcode);
    KernelUnderTest test(kernel_of(opcode, form),
                         ".param .u64 d, .param .u64 a, .param .u64 b, .param .u64 c");
    test.geometry.grid.x = static_cast<u32>(warps);
    const bool wide = form.fragments[0].element == MatrixElement::f64;
    test.buffer(
        zeros(static_cast<std::size_t>(warps * warp_size * form.fragments[0].registers()) * (wide ? 2 : 1)));
    for (u32 i = 1; i < 4; ++i)
        test.buffer(
            inputs(form.fragments[i], seed + i - 1, i == 3 && spread < 900 ? 2 * spread : spread, warps));
    const RunResult result = test.run();
    EXPECT_TRUE(result.completed && result.problems.empty()) << opcode;
    return test.contents();
}

}  // namespace warplens::simt::matrix_inputs
