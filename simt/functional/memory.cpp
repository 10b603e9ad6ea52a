#include "simt/functional/memory.h"

#include <algorithm>

namespace warplens::simt {

namespace {

// Where device memory begins: far from 0, so that a null pointer with any small offset is unmapped.
constexpr std::uint64_t first_address = 0x7'0000'0000;
constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t gap = 64 * 1024;

}  // namespace

std::uint64_t GlobalMemory::allocate(std::string name, std::vector<std::byte> data) {
    Allocation allocation;
    allocation.name = std::move(name);
    allocation.bytes = data.size();
    allocation.base = first_address;
    if (!allocations_.empty()) {
        const Allocation& last = allocations_.back();
        allocation.base = (last.base + last.bytes + gap + alignment - 1) / alignment * alignment;
    }
    data.resize((data.size() + 15) / 16 * 16);
    allocation.data = std::move(data);
    allocations_.push_back(std::move(allocation));
    return allocations_.back().base;
}

const Allocation* GlobalMemory::nearest(std::uint64_t address) const {
    auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                  [](std::uint64_t at, const Allocation& a) { return at < a.base; });
    return after == allocations_.begin() ? nullptr : &*(after - 1);
}

const std::byte* GlobalMemory::at(std::uint64_t address, std::uint64_t bytes) const {
    const Allocation* allocation = nearest(address);
    if (!allocation) return nullptr;
    std::uint64_t offset = address - allocation->base;
    if (offset > allocation->bytes || bytes > allocation->bytes - offset) return nullptr;
    return allocation->data.data() + offset;
}

std::byte* GlobalMemory::at(std::uint64_t address, std::uint64_t bytes) {
    return const_cast<std::byte*>(static_cast<const GlobalMemory*>(this)->at(address, bytes));
}

const Allocation* GlobalMemory::find(std::string_view name) const {
    auto found = std::find_if(allocations_.begin(), allocations_.end(),
                              [&](const Allocation& a) { return a.name == name; });
    return found == allocations_.end() ? nullptr : &*found;
}

}  // namespace warplens::simt
