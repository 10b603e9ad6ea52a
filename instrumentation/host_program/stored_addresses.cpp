#include "instrumentation/host_program/stored_addresses.h"

#include <cstring>

namespace warplens::instrumentation {

StoredAddresses stored_addresses(const ProgramLaunch& launch, const std::vector<std::size_t>& known,
                                 const std::vector<std::span<const std::byte>>& others,
                                 const ProgramMemory& memory) {
    StoredAddresses found;
    if (launch.allocations.empty()) return found;
    const std::uint64_t end = launch.allocations.back().offset + launch.allocations.back().bytes;
    std::vector<bool> reached(launch.allocations.size()), is_known(launch.allocations.size());
    std::vector<std::size_t> unread;
    const auto reach = [&](std::size_t allocation) {
        if (reached[allocation]) return;
        reached[allocation] = true;
        if (launch.allocations[allocation].filled) unread.push_back(allocation);
    };
    const auto read = [&](std::span<const std::byte> bytes) {
        for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, sizeof word);
            if (word - launch.arena >= end) continue;  // most words; also those below the arena
            const auto place = place_of(word, launch);
            if (!place) continue;
            found.any = true;
            reach(place->allocation);
        }
    };
    for (const std::size_t allocation : known) is_known[allocation] = true, reach(allocation);
    for (const std::span<const std::byte> bytes : others) read(bytes);
    while (!unread.empty()) {
        const ProgramAllocation& allocation = launch.allocations[unread.back()];
        unread.pop_back();
        read(memory(allocation));
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
        if (reached[i] && !is_known[i]) found.more.push_back(i);
    return found;
}

}  // namespace warplens::instrumentation
