// A sum that is examined as an address together with an examined pair leaves in registers what the sum alone
// leaves, and knows of the address what examining it finds.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>

#include "simt/functional/execute/executor_table.h"
#include "simt/functional/execute/lanes/request_addresses.h"

namespace warplens::simt {
namespace {

using lanes_baseline::Examined;
using Addresses = std::array<u64, warp_size>;

constexpr u32 everyone = 0xffffffffu;
constexpr Row row_bytes = warp_size * sizeof(u32);
// Rows: the sum and the pair have two.
enum Place : Row {
    sum = 0,
    factor = 2,
    constant = 3,
    source = 4,
    known_source = 6,
    known_sum = 7,
    places = 8
};
constexpr Row at(Place place) { return place * row_bytes; }

/// A warp of one allocation, and its registers.
struct Registers {
    explicit Registers(const Window& memory) : window(memory) {
        words.fill(0xabababab);
        warp.registers = reinterpret_cast<std::byte*>(words.data());
        warp.windows = &window;
    }
    u32* row_of(Place place) { return words.data() + place * warp_size; }
    Examined& known(Place place) { return *reinterpret_cast<Examined*>(row_of(place)); }
    u64 sum_of(std::size_t lane) { return row_of(sum)[lane] | u64{row_of(sum)[lane + warp_size]} << 32; }
    void run(const std::string& key, Execute inner, Place address, Place known, u32 mask, bool is_signed) {
        DecodedOp op;
        op.rows[1] = at(factor);
        op.rows[2] = at(constant);
        op.rows[3] = at(source);
        op.rows[4] = at(known_source);
        op.rows[address_row] = at(address);
        op.rows[examined_row] = at(known);
        op.space = Space::global;
        op.paired_address = true;
        op.sign_extends = is_signed;
        op.inner = inner;
        find_executor(key)->execute(warp, op, mask);
    }

    alignas(64) std::array<u32, places * warp_size> words{};
    Window window;
    Warp warp;
};

struct Pattern {
    const char* name;
    std::function<u64(u64 lane, u64 bytes)> address;
};
const Pattern patterns[] = {
    {"one row", [](u64 i, u64 bytes) { return i * bytes; }},
    {"two rows", [](u64 i, u64 bytes) { return (i / 16 * 40 + i % 16) * bytes; }},
    {"one place", [](u64, u64) { return u64{0}; }},
    {"a row and a place", [](u64 i, u64 bytes) { return i < 16 ? i * bytes : 0; }},
    {"backwards", [](u64 i, u64 bytes) { return (40 - i) * bytes; }},
};

struct Factor {
    const char* name;
    u32 first, step;
    u32 constant;
};
constexpr Factor factors[] = {
    {"nothing", 0, 0, 4},      {"a row further", 64, 0, 4},
    {"back", 0u - 3, 0, 8},    {"far outside", 1u << 30, 0, 4},
    {"of each lane", 1, 1, 4}, {"misaligned", 1, 0, 3},
};

class AddressSums : public testing::TestWithParam<u32> {};

/// A sum by itself, then examined, against both at once.
void expect_the_same(const std::string& width, const Window& window, const Addresses& addresses,
                     const Factor& of, bool is_signed, u32 mask, u32& known_sums) {
    const Execute alone =
        find_executor(is_signed ? "machine.imad.wide.s32" : "machine.imad.wide.u32")->execute;
    Registers apart(window);
    for (u32 lane = 0; lane < warp_size; ++lane) {
        apart.row_of(factor)[lane] = of.first + of.step * lane;
        apart.row_of(constant)[lane] = of.constant;
        apart.row_of(source)[lane] = static_cast<u32>(addresses[lane]);
        apart.row_of(source)[lane + warp_size] = static_cast<u32>(addresses[lane] >> 32);
    }
    const std::string examine = "examine." + width + "@4+4";
    apart.run(examine, nullptr, source, known_source, everyone, is_signed);
    Registers together(window);
    together.words = apart.words;
    apart.run(is_signed ? "machine.imad.wide.s32" : "machine.imad.wide.u32", nullptr, sum, known_sum, mask,
              is_signed);
    apart.run(examine, nullptr, sum, known_sum, mask, is_signed);
    together.run("examine.sum." + width, alone, sum, known_sum, mask, is_signed);
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        ASSERT_EQ(together.sum_of(lane), apart.sum_of(lane)) << "lane " << lane;
    const Examined &expected = apart.known(known_sum), &found = together.known(known_sum);
    ASSERT_EQ(found.offsets, expected.offsets);
    if (expected.offsets == 0) return;
    ++known_sums;
    ASSERT_EQ(found.low.first, expected.low.first);
    ASSERT_EQ(found.low.step, expected.low.step);
    ASSERT_EQ(found.high.first, expected.high.first);
    ASSERT_EQ(found.high.step, expected.high.step);
    ASSERT_EQ(found.nearest, expected.nearest);
    ASSERT_EQ(found.zero, expected.zero);
}

TEST_P(AddressSums, are_known_as_if_they_were_examined) {
    const u64 bytes = GetParam();
    alignas(64) static std::array<std::byte, 1 << 16> memory;
    u32 known_sums = 0;
    // The last one begins so that addresses pass a multiple of 2^32.
    for (const u64 base : {u64{0x7'0000'1000}, u64{0x1000}, u64{0x3'ffff'ff00}})
        for (const Pattern& pattern : patterns)
            for (const Factor& of : factors)
                for (const bool is_signed : {false, true})
                    for (const u32 mask : {everyone, 0x5a3c0ff1u}) {
                        SCOPED_TRACE(testing::Message() << std::hex << base << ' ' << pattern.name << ' '
                                                        << of.name << ' ' << is_signed << ' ' << mask);
                        Addresses addresses{};
                        for (u64 lane = 0; lane < warp_size; ++lane)
                            addresses[lane] = base + 64 + pattern.address(lane, bytes);
                        const Window window{base, memory.size() - bytes + 1, memory.data()};
                        expect_the_same(std::to_string(bytes), window, addresses, of, is_signed, mask,
                                        known_sums);
                    }
    EXPECT_GT(known_sums, 20u);
}

INSTANTIATE_TEST_SUITE_P(widths, AddressSums, testing::Values(1u, 2u, 4u, 8u, 16u));

}  // namespace
}  // namespace warplens::simt
