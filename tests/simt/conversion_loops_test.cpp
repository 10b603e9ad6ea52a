// Conversions that are loops over lanes give what the exact conversion of one value gives.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "simt/functional/execute/convert.h"

namespace warplens::simt {
namespace {

using ptx::Type;

/// Numbers around the limits of the formats and halves between integers, then any bits.
std::vector<u32> hard_words() {
    std::vector<u32> words;
    for (const float x :
         {0.0f,          0.5f,     1.0f,     1.5f,       2.5f,       127.0f,      128.5f,
          255.0f,        32767.5f, 65535.0f, 8388607.5f, 8388608.0f, 16777216.0f, 2147483648.0f,
          4294967296.0f, 9.3e18f,  1e-45f,   0x1p-126f,  3e38f,      INFINITY,    NAN})
        for (const u32 sign : {0u, 0x80000000u})
            for (const int step : {-1, 0, 1})
                words.push_back((std::bit_cast<u32>(x) + static_cast<u32>(step)) ^ sign);
    for (const u32 x :
         {0x00ffffffu, 0x01000001u, 0x7fffffffu, 0x80000001u, 0xfeffffffu, 0xffffff80u, 0xffffffffu})
        words.push_back(x);
    for (u32 half = 0; half < 0x10000; ++half) words.push_back(half);
    std::mt19937 random(12);
    for (int i = 0; i < 20000; ++i) words.push_back(static_cast<u32>(random()));
    // Magnitudes that have a fraction and fit a word.
    for (int i = 0; i < 20000; ++i)
        words.push_back((static_cast<u32>(random()) & 0x807fffffu) | (120u + static_cast<u32>(i) % 44) << 23);
    words.resize(words.size() / warp_size * warp_size);
    return words;
}

/// The loop's results for the lanes of the mask; the others keep what was there.
std::array<u32, warp_size> converted(Execute execute, const u32* words, u32 mask, u32 there) {
    alignas(64) std::array<u32, 2 * warp_size> registers;
    registers.fill(there);
    std::copy_n(words, warp_size, registers.begin() + warp_size);
    Warp warp;
    warp.registers = reinterpret_cast<std::byte*>(registers.data());
    DecodedOp op;
    op.rows[1] = warp_size * sizeof(u32);
    execute(warp, op, mask);
    std::array<u32, warp_size> results{};
    std::copy_n(registers.begin(), warp_size, results.begin());
    return results;
}

void expect_exact(ConvertFlags flags) {
    SCOPED_TRACE(testing::Message() << ptx::to_string(flags.to) << " from " << ptx::to_string(flags.from)
                                    << ", rounding " << int(flags.rounding) << ", ftz " << flags.ftz);
    const ExecutorRow* loop = conversion_loop(flags);
    ASSERT_NE(loop, nullptr);
    constexpr u32 some = 0x5a3c0ff1u, there = 0x12345678u;
    static const std::vector<u32> words = hard_words();
    for (std::size_t at = 0; at < words.size(); at += warp_size)
        for (const u32 mask : {0xffffffffu, some}) {
            const auto results = converted(loop->execute, words.data() + at, mask, there);
            for (std::size_t lane = 0; lane < warp_size; ++lane) {
                const u32 word = words[at + lane];
                const u32 expected =
                    (mask >> lane & 1) != 0 ? static_cast<u32>(convert_value(flags, word)) : there;
                ASSERT_EQ(results[lane], expected) << std::hex << word;
            }
        }
}

TEST(conversion_loops, from_f32_to_integral_values_are_exact_in_every_rounding) {
    for (const Rounding rounding :
         {Rounding::nearest_even, Rounding::toward_zero, Rounding::down, Rounding::up})
        for (const Type to : {Type::f32, Type::s32, Type::u32})
            for (const bool ftz : {false, true})
                expect_exact(
                    {.to = to, .from = Type::f32, .rounding = rounding, .integral = true, .ftz = ftz});
}

TEST(conversion_loops, from_halves_to_f32_are_exact) {
    for (const Type from : {Type::f16, Type::bf16}) expect_exact({.to = Type::f32, .from = from});
}

TEST(conversion_loops, from_integers_to_f32_are_exact) {
    for (const Type from : {Type::s8, Type::u8, Type::s16, Type::u16, Type::s32, Type::u32})
        expect_exact({.to = Type::f32, .from = from});
    for (const Rounding rounding : {Rounding::toward_zero, Rounding::down, Rounding::up})
        for (const Type from : {Type::s32, Type::u32})
            expect_exact({.to = Type::f32, .from = from, .rounding = rounding});
}

TEST(conversion_loops, from_f32_to_f64_are_exact) {
    const ConvertFlags flags{.to = Type::f64, .from = Type::f32};
    const ExecutorRow* loop = conversion_loop(flags);
    ASSERT_NE(loop, nullptr);
    const std::vector<u32> words = hard_words();
    for (std::size_t at = 0; at < words.size(); at += warp_size)
        for (const u32 mask : {0xffffffffu, 0x5a3c0ff1u}) {
            constexpr u64 there = 0x123456789abcdef0u;
            alignas(64) std::array<u64, warp_size + warp_size / 2> registers;
            registers.fill(there);
            std::memcpy(registers.data() + warp_size, words.data() + at, warp_size * sizeof(u32));
            Warp warp;
            warp.registers = reinterpret_cast<std::byte*>(registers.data());
            DecodedOp op;
            op.rows[1] = warp_size * sizeof(u64);
            loop->execute(warp, op, mask);
            for (std::size_t lane = 0; lane < warp_size; ++lane) {
                const u32 word = words[at + lane];
                const u64 expected = (mask >> lane & 1) != 0 ? convert_value(flags, word) : there;
                ASSERT_EQ(registers[lane], expected) << std::hex << word;
            }
        }
}

}  // namespace
}  // namespace warplens::simt
