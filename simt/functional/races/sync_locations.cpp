#include "simt/functional/races/sync_locations.h"

#include <algorithm>

namespace warplens::simt {

void Knowledge::add(const SyncLocation& location, u32 entries) {
    for (From& known : from) {
        if (known.location != &location) continue;
        known.entries = std::max(known.entries, entries);
        return;
    }
    from.push_back({&location, entries});
}

bool Knowledge::covers(u64 block, u32 warp, u32 time) const {
    if (from.empty()) return false;
    std::unordered_map<const SyncLocation*, u32> visited;
    std::vector<From> open = from;
    while (!open.empty()) {
        const From next = open.back();
        open.pop_back();
        u32& seen = visited[next.location];
        if (seen >= next.entries) continue;
        seen = next.entries;
        if (auto at = next.location->by_block.find(block); at != next.location->by_block.end()) {
            for (const u32 entry : at->second.entries) {
                if (entry >= next.entries) break;
                const WarpTimes& times = next.location->entries[entry].beyond;
                if (warp < times.size() && times[warp] > time) return true;
            }
        }
        for (const SyncLocation::Link& link : next.location->links) {
            if (link.entry >= next.entries) break;
            open.push_back(link.from);
        }
    }
    return false;
}

void SyncLocations::leave(u64 address, u64 block, WarpTimes in_block, WarpTimes beyond,
                          const Knowledge& known) {
    if (in_block.empty() && beyond.empty()) return;
    auto& place = places_[address];
    if (!place) place = std::make_unique<SyncLocation>();
    if (auto at = place->by_block.find(block); at != place->by_block.end()) {
        const SyncLocation::Left& last = place->entries[at->second.entries.back()];
        if (last.in_block == in_block && last.beyond == beyond) return;
    }
    const u32 entry = static_cast<u32>(place->entries.size());
    SyncLocation::OfBlock& mine = place->by_block[block];
    mine.entries.push_back(entry);
    join(mine.in_block, in_block);
    place->entries.push_back({block, std::move(in_block), std::move(beyond)});
    for (const Knowledge::From& from : known.from) {
        if (from.location == place.get()) continue;
        const bool there = std::any_of(place->links.begin(), place->links.end(), [&](const auto& link) {
            return link.from.location == from.location && link.from.entries >= from.entries;
        });
        if (!there) place->links.push_back({from, entry});
    }
}

}  // namespace warplens::simt
