#include "simt/functional/memory/device_heap.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace warplens::simt {
namespace {

constexpr std::uint64_t base = 0x7'0000'0000;

TEST(device_heap, gives_aligned_blocks_that_do_not_touch) {
    DeviceHeap heap(base, 1 << 20);
    std::uint64_t last = 0;
    for (const std::uint64_t bytes : {0, 1, 15, 16, 17, 100, 64, 4096}) {
        const std::uint64_t address = heap.allocate(bytes, {});
        ASSERT_NE(address, 0u) << bytes;
        EXPECT_EQ(address % 16, 0u);
        EXPECT_GT(address, last);
        EXPECT_TRUE(heap.is_live(address, bytes));
        EXPECT_FALSE(heap.is_live(address, bytes + 1)) << "one past the end";
        EXPECT_FALSE(heap.is_live(address - 1, 1)) << "one before the beginning";
        last = address + bytes;
    }
}

TEST(device_heap, an_access_from_one_block_into_the_next_is_in_neither) {
    DeviceHeap heap(base, 1 << 20);
    const std::uint64_t first = heap.allocate(64, {}), second = heap.allocate(64, {});
    EXPECT_FALSE(heap.is_live(first, second - first + 1));
    EXPECT_FALSE(heap.is_live(first + 60, 8));
}

TEST(device_heap, is_full_after_its_bytes_and_has_room_again_for_what_was_given_back) {
    DeviceHeap heap(base, 8 << 20);
    std::vector<std::uint64_t> blocks;
    while (const std::uint64_t block = heap.allocate(1 << 20, {})) blocks.push_back(block);
    EXPECT_EQ(blocks.size(), 7u) << "eight blocks of 1 MiB leave no room between them";
    EXPECT_EQ(heap.allocate(1 << 20, {}), 0u);
    EXPECT_EQ(heap.release(blocks[3], {}), Release::done);
    EXPECT_FALSE(heap.is_live(blocks[3], 1));
    EXPECT_EQ(heap.allocate(1 << 20, {}), blocks[3]);
    EXPECT_TRUE(heap.is_live(blocks[3], 1 << 20));
    EXPECT_EQ(heap.allocate(9 << 20, {}), 0u);
    EXPECT_EQ(heap.allocate(~std::uint64_t{0}, {}), 0u);
}

TEST(device_heap, neighbours_that_were_given_back_make_room_for_a_larger_block) {
    DeviceHeap heap(base, 4096);
    std::vector<std::uint64_t> blocks;
    while (const std::uint64_t block = heap.allocate(112, {})) blocks.push_back(block);
    ASSERT_EQ(blocks.size(), 32u);
    EXPECT_EQ(heap.release(blocks[4], {}), Release::done);
    EXPECT_EQ(heap.allocate(200, {}), 0u);
    EXPECT_EQ(heap.release(blocks[5], {}), Release::done);
    EXPECT_EQ(heap.allocate(200, {}), blocks[4]);
    EXPECT_TRUE(heap.is_live(blocks[6], 112));
}

TEST(device_heap, shows_a_second_release_from_one_of_nothing_and_who_came_first) {
    DeviceHeap heap(base, 1 << 20);
    const HeapCall giver{3, {1, 0, 0}, {2, 0, 0}}, taker{9, {1, 0, 0}, {5, 0, 0}};
    const std::uint64_t block = heap.allocate(40, giver);
    EXPECT_EQ(heap.release(block + 8, taker), Release::no_block);
    EXPECT_EQ(heap.release(base + 5000, taker), Release::no_block);
    EXPECT_EQ(heap.release(block, taker), Release::done);
    EXPECT_EQ(heap.release(block, giver), Release::freed_before);
    ASSERT_NE(heap.nearest(block + 100), nullptr);
    EXPECT_EQ(heap.nearest(block + 100)->allocated_by.site, 3u);
    EXPECT_EQ(heap.nearest(block + 100)->freed_by.site, 9u);
}

/// Compared with a list of bytes in use.
TEST(device_heap, blocks_in_use_never_overlap_whatever_comes_and_goes) {
    constexpr std::uint64_t size = 20'000;
    DeviceHeap heap(base, size);
    std::vector<bool> used(size);
    struct Block {
        std::uint64_t address, bytes;
    };
    std::vector<Block> live;
    std::mt19937 random(7);
    int full = 0;
    for (int i = 0; i < 20'000; ++i) {
        if (random() % 2 == 0 && !live.empty()) {
            const std::size_t at = random() % live.size();
            ASSERT_EQ(heap.release(live[at].address, {}), Release::done);
            for (std::uint64_t b = 0; b < live[at].bytes; ++b) used[live[at].address - base + b] = false;
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
            continue;
        }
        const std::uint64_t bytes = random() % 900;
        const std::uint64_t address = heap.allocate(bytes, {});
        full += address == 0;
        if (address == 0) continue;
        ASSERT_LE(address - base + bytes, size);
        for (std::uint64_t b = 0; b < bytes; ++b) {
            ASSERT_FALSE(used[address - base + b]) << "round " << i;
            used[address - base + b] = true;
        }
        live.push_back({address, bytes});
    }
    EXPECT_GT(full, 0) << "the heap never was full: the test is too easy";
    for (const Block& block : live) EXPECT_TRUE(heap.is_live(block.address, block.bytes));
}

}  // namespace
}  // namespace warplens::simt
