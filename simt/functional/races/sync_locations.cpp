#include "simt/functional/races/sync_locations.h"

#include <algorithm>

namespace warplens::simt {

void Knowledge::add(const SyncLocation& location, u32 entries) {
    const auto known = std::ranges::find(from_, &location, &From::location);
    if (known == from_.end()) from_.push_back({&location, entries});
    else known->entries = std::max(known->entries, entries);
    follow({{&location, entries}});
}

void Knowledge::follow(std::vector<From> open) {
    while (!open.empty()) {
        const From next = open.back();
        open.pop_back();
        const auto [place, is_new] = place_.try_emplace(next.location, reached_.size());
        if (is_new) reached_.push_back({next.location, 0});
        u32& seen = reached_[place->second].entries;
        const u32 before = seen;
        if (before >= next.entries) continue;
        seen = next.entries;
        const auto& links = next.location->links;
        for (auto link = std::ranges::lower_bound(links, before, {}, &SyncLocation::Link::entry);
             link != links.end() && link->entry < next.entries; ++link)
            open.push_back(link->from);
    }
}

bool Knowledge::covers(u64 block, u32 warp, u32 time) const {
    return std::ranges::any_of(reached_, [&](const From& known) {
        const auto of_block = known.location->by_block.find(block);
        if (of_block == known.location->by_block.end()) return false;
        for (const u32 entry : of_block->second.entries) {
            if (entry >= known.entries) break;
            const WarpTimes& times = known.location->entries[entry].beyond;
            if (warp < times.size() && times[warp] > time) return true;
        }
        return false;
    });
}

void Knowledge::clear() {
    from_.clear();
    reached_.clear();
    place_.clear();
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
    for (const Knowledge::From& from : known.from()) {
        if (from.location == place.get()) continue;
        u32& linked = place->linked[from.location];
        if (linked >= from.entries) continue;
        linked = from.entries;
        place->links.push_back({from, entry});
    }
}

}  // namespace warplens::simt
