// Places as good as drawn, which another SM may have drawn as well, and places that are in some order.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "simt/timing/memory_share.h"

namespace warplens::simt {
namespace {

constexpr std::size_t rows = 8192, granules_per_row = 16;

template <class RowOf>
std::vector<bool> rows_at(std::size_t count, std::size_t granules, RowOf&& row_of) {
    std::vector<bool> out(rows * granules_per_row, false);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t first = row_of(i) % rows * granules_per_row;
        for (std::size_t j = 0; j < granules; ++j) out[first + j] = true;
    }
    return out;
}

TEST(random_places, rows_and_pieces_drawn_at_random_are) {
    std::mt19937 random(7);
    for (const std::size_t granules : {granules_per_row, granules_per_row / 4, std::size_t{1}}) {
        for (const std::size_t count : {std::size_t{64}, std::size_t{500}})
            EXPECT_TRUE(at_random_places(rows_at(count, granules, [&](std::size_t) { return random(); })))
                << count << " of " << granules;
    }
}

TEST(random_places, strides_tiles_lattices_and_runs_of_nearly_one_length_are_not) {
    std::mt19937 random(7);
    const auto in_order = [](auto&& row_of) { return rows_at(128, granules_per_row / 2, row_of); };
    EXPECT_FALSE(at_random_places(in_order([](std::size_t i) { return i * 61; })));
    EXPECT_FALSE(at_random_places(in_order([](std::size_t i) { return i % 8 * 3 + i / 8 * 500; })));
    EXPECT_FALSE(at_random_places(in_order([](std::size_t i) { return i * 3169; })));  // a golden section
    EXPECT_FALSE(at_random_places(in_order([&](std::size_t i) { return i * 61 + random() % 20; })));
}

TEST(random_places, a_few_runs_say_nothing) {
    std::mt19937 random(7);
    EXPECT_FALSE(at_random_places(rows_at(10, 4, [&](std::size_t) { return random(); })));
    EXPECT_FALSE(at_random_places(std::vector<bool>(4096, true)));
}

}  // namespace
}  // namespace warplens::simt
