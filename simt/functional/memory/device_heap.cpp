#include "simt/functional/memory/device_heap.h"

#include <algorithm>
#include <iterator>

namespace warplens::simt {

namespace {

constexpr std::uint64_t alignment = 16;
constexpr std::uint64_t between_blocks = 16;  // minimum gap
constexpr std::uint64_t least_room = 80;      // the smallest block on an H100

/// The heap bytes of a block; more than any heap has if the sum overflows 64 bits.
std::uint64_t room_for(std::uint64_t bytes) {
    constexpr std::uint64_t largest = ~std::uint64_t{0} / 2;
    if (bytes > largest) return largest;
    return std::max(least_room, (bytes + alignment - 1) / alignment * alignment + between_blocks);
}

}  // namespace

std::uint64_t DeviceHeap::place(std::uint64_t base, std::uint64_t room, std::uint64_t bytes,
                                const HeapCall& by) {
    // Forgets freed blocks in the new block's range.
    blocks_.erase(blocks_.lower_bound(base), blocks_.lower_bound(base + room));
    blocks_[base] = {base, bytes, false, by, {}};
    untouched_ = std::max(untouched_, base + room);
    return base;
}

/// The lowest gap that is large enough, without what is now used of it; 0: none. The last gap goes on to the
/// end of the heap where nothing was allocated behind it.
std::uint64_t DeviceHeap::take_gap(std::uint64_t room) {
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        const auto [begin, end] = *gap;
        const std::uint64_t limit = end == untouched_ ? base_ + bytes_ : end;
        if (limit - begin < room) continue;
        gaps_.erase(gap);
        if (begin + room < end) gaps_[begin + room] = end;
        return begin;
    }
    return 0;
}

/// Joins it with the gaps on both sides.
void DeviceHeap::add_gap(std::uint64_t begin, std::uint64_t end) {
    auto after = gaps_.lower_bound(begin);
    if (after != gaps_.end() && after->first == end) {
        end = after->second;
        after = gaps_.erase(after);
    }
    if (after != gaps_.begin() && std::prev(after)->second == begin) std::prev(after)->second = end;
    else gaps_[begin] = end;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes, const HeapCall& by) {
    const std::uint64_t room = room_for(bytes);
    if (room <= base_ + bytes_ - untouched_) return place(untouched_, room, bytes, by);
    if (room >= known_not_to_fit_) return 0;
    const std::uint64_t gap = room <= bytes_ ? take_gap(room) : 0;
    if (gap == 0) {
        known_not_to_fit_ = room;
        return 0;
    }
    return place(gap, room, bytes, by);
}

Release DeviceHeap::release(std::uint64_t address, const HeapCall& by) {
    const auto at = blocks_.find(address);
    if (at == blocks_.end()) return Release::no_block;
    if (at->second.freed) return Release::freed_before;
    at->second.freed = true;
    at->second.freed_by = by;
    add_gap(address, address + room_for(at->second.bytes));
    known_not_to_fit_ = ~std::uint64_t{0};
    return Release::done;
}

const HeapBlock* DeviceHeap::nearest(std::uint64_t address) const {
    auto after = blocks_.upper_bound(address);
    return after == blocks_.begin() ? nullptr : &(--after)->second;
}

bool DeviceHeap::is_live(std::uint64_t address, std::uint64_t bytes) const {
    const HeapBlock* const block = nearest(address);
    if (!block || block->freed) return false;
    const std::uint64_t offset = address - block->base;
    return offset <= block->bytes && bytes <= block->bytes - offset;
}

}  // namespace warplens::simt
