// What a block has observed of others, followed step by step, is what a search through all that was stored
// finds.
#include "simt/functional/races/sync_locations.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warplens::simt {
namespace {

/// Knowledge::covers by its definition: everything stored there by then, and what its writers had observed.
bool is_reached(const std::vector<Knowledge::From>& from, u64 block, u32 warp, u32 time) {
    std::map<const SyncLocation*, u32> seen;
    std::vector<Knowledge::From> open = from;
    while (!open.empty()) {
        const Knowledge::From next = open.back();
        open.pop_back();
        if (seen[next.location] >= next.entries) continue;
        seen[next.location] = next.entries;
        for (const SyncLocation::Link& link : next.location->links)
            if (link.entry < next.entries) open.push_back(link.from);
    }
    for (const auto& [location, entries] : seen)
        for (u32 i = 0; i < entries; ++i) {
            const SyncLocation::Left& left = location->entries[i];
            if (left.block == block && warp < left.beyond.size() && left.beyond[warp] > time) return true;
        }
    return false;
}

TEST(sync_locations, knowledge_that_grows_is_what_a_search_finds) {
    constexpr u64 blocks = 6, words = 9;
    std::mt19937 random(5);
    const auto below = [&](u64 count) { return random() % count; };
    int covered = 0, open = 0;
    for (int round = 0; round < 40; ++round) {
        SyncLocations places;
        std::vector<Knowledge> known(blocks);
        std::vector<u32> now(blocks, 1);
        for (int step = 0; step < 120; ++step) {
            const u64 block = below(blocks), word = below(words);
            if (below(2) == 0) {
                places.leave(word, block, {}, {++now[block], below(3) == 0 ? now[block] : 0}, known[block]);
            } else if (const SyncLocation* place = places.find(word)) {
                known[block].add(*place, static_cast<u32>(place->entries.size()));
            }
            const u64 of = below(blocks);
            const u32 warp = static_cast<u32>(below(2)), time = static_cast<u32>(below(now[of] + 1));
            const bool expected = is_reached(known[block].from(), of, warp, time);
            EXPECT_EQ(known[block].covers(of, warp, time), expected) << round << ", " << step;
            ++(expected ? covered : open);
        }
    }
    EXPECT_GT(covered, 500);
    EXPECT_GT(open, 500);
}

TEST(sync_locations, a_block_that_begins_knows_nothing) {
    SyncLocations places;
    places.leave(4, 0, {}, {7}, {});
    Knowledge known;
    known.add(*places.find(4), 1);
    EXPECT_TRUE(known.covers(0, 0, 6));
    EXPECT_FALSE(known.covers(0, 0, 7));
    known.clear();
    EXPECT_FALSE(known.covers(0, 0, 6));
    EXPECT_TRUE(known.from().empty());
}

}  // namespace
}  // namespace warplens::simt
