#include "simt/functional/memory/memory.h"

#include <algorithm>
#include <atomic>

#include "simt/functional/memory/device_heap.h"
#include "simt/functional/memory/launch_buffers.h"

namespace warplens::simt {

namespace {

// Where device memory begins: far from 0, so that a null pointer with a small offset is unmapped.
constexpr std::uint64_t first_address = 0x7'0000'0000;
constexpr std::uint64_t base_alignment = 256;
constexpr std::uint64_t gap = 64 * 1024;
constexpr std::uint64_t guessed_gap = std::uint64_t{1} << 32;  // after a guessed length
constexpr std::string_view heap_name = "device heap";

Allocation make_allocation(std::uint64_t base, std::string name, std::vector<std::byte> data) {
    Allocation allocation;
    allocation.name = std::move(name);
    allocation.base = base;
    allocation.bytes = data.size();
    data.resize((data.size() + 15) / 16 * 16);
    allocation.data = std::move(data);
    return allocation;
}

}  // namespace

GlobalMemory::GlobalMemory() = default;
GlobalMemory::~GlobalMemory() = default;
GlobalMemory::GlobalMemory(GlobalMemory&&) noexcept = default;
GlobalMemory& GlobalMemory::operator=(GlobalMemory&&) noexcept = default;

std::uint64_t GlobalMemory::allocate(std::string name, std::vector<std::byte> data) {
    std::uint64_t base = first_address;
    if (!allocations_.empty()) {
        const Allocation& last = allocations_.back();
        const std::uint64_t end = last.base + last.bytes + (last.guessed_length ? guessed_gap : gap);
        base = std::max(base, (end + base_alignment - 1) / base_alignment * base_alignment);
    }
    allocations_.push_back(make_allocation(base, std::move(name), std::move(data)));
    return base;
}

std::uint64_t GlobalMemory::allocate_unwritten(std::string name, std::uint64_t bytes) {
    const std::uint64_t base = allocate(std::move(name), std::vector<std::byte>(bytes));
    allocations_.back().written.resize(bytes);
    tracks_writes_ = true;
    return base;
}

void GlobalMemory::guess_length() { allocations_.back().guessed_length = true; }

void GlobalMemory::reach(const Allocation& allocation, std::uint64_t end) {
    std::atomic_ref reached(const_cast<std::uint64_t&>(allocation.reached));
    std::uint64_t known = reached.load(std::memory_order_relaxed);
    const std::uint64_t bytes = end - allocation.base;
    while (known < bytes && !reached.compare_exchange_weak(known, bytes, std::memory_order_relaxed)) {
    }
}

void GlobalMemory::forget_contents(std::string_view name) {
    for (Allocation& allocation : allocations_) {
        if (allocation.name != name) continue;
        allocation.written.assign(allocation.bytes, 0);
        tracks_writes_ = true;
    }
}

void GlobalMemory::forget(std::uint64_t address, std::uint64_t bytes) {
    auto* allocation = const_cast<Allocation*>(nearest(address));
    if (!allocation || allocation->written.empty()) return;
    const auto from = allocation->written.begin() + static_cast<std::ptrdiff_t>(address - allocation->base);
    std::fill_n(from, bytes, std::uint8_t{0});
}

DeviceHeap& GlobalMemory::make_heap(std::uint64_t bytes) {
    if (!heap_)
        heap_ = std::make_unique<DeviceHeap>(allocate_unwritten(std::string(heap_name), bytes), bytes);
    return *heap_;
}

LaunchBuffers& GlobalMemory::make_launch_buffers() {
    if (!launch_buffers_)
        launch_buffers_ = std::make_unique<LaunchBuffers>(
            allocate(std::string(LaunchBuffers::name), std::vector<std::byte>(LaunchBuffers::bytes)));
    launch_buffers_->clear();
    return *launch_buffers_;
}

bool GlobalMemory::is_written(std::uint64_t address, std::uint64_t bytes) const {
    const Allocation* allocation = nearest(address);
    if (!allocation || allocation->written.empty()) return true;
    // Blocks on several threads may store to the same byte.
    for (std::uint64_t i = 0; i < bytes; ++i) {
        auto& flag = const_cast<std::uint8_t&>(allocation->written[address - allocation->base + i]);
        if (std::atomic_ref(flag).load(std::memory_order_relaxed) != 0) return true;
    }
    return false;
}

void GlobalMemory::mark_written(std::uint64_t address, std::uint64_t bytes) {
    auto* allocation = const_cast<Allocation*>(nearest(address));
    if (!allocation || allocation->written.empty()) return;
    for (std::uint64_t i = 0; i < bytes; ++i)
        std::atomic_ref(allocation->written[address - allocation->base + i])
            .store(1, std::memory_order_relaxed);
}

Status GlobalMemory::allocate_at(std::uint64_t base, std::string name, std::vector<std::byte>&& data) {
    const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), base,
                                        [](std::uint64_t at, const Allocation& a) { return at < a.base; });
    // An empty allocation still has a unique address.
    const auto end = [](std::uint64_t from, std::uint64_t bytes) {
        return from + std::max<std::uint64_t>(bytes, 1);
    };
    if (base % base_alignment != 0 || base == 0 || end(base, data.size()) < base)
        return fail(
            "\"{}\" of {} bytes cannot begin at {:#x}: allocations begin at multiples of {}, not at 0", name,
            data.size(), base, base_alignment);
    const Allocation* other = nullptr;
    if (after != allocations_.begin() && end((after - 1)->base, (after - 1)->bytes) > base)
        other = &*(after - 1);
    else if (after != allocations_.end() && end(base, data.size()) > after->base) other = &*after;
    if (other)
        return fail("\"{}\" of {} bytes at {:#x} would overlap \"{}\", {} bytes at {:#x}", name, data.size(),
                    base, other->name, other->bytes, other->base);
    allocations_.insert(after, make_allocation(base, std::move(name), std::move(data)));
    return {};
}

const Allocation* GlobalMemory::nearest(std::uint64_t address) const {
    auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                  [](std::uint64_t at, const Allocation& a) { return at < a.base; });
    return after == allocations_.begin() ? nullptr : &*(after - 1);
}

bool GlobalMemory::is_of_program(const Allocation& allocation) const {
    return !launch_buffers_ || allocation.base != launch_buffers_->base();
}

const Allocation* GlobalMemory::nearest_of_program(std::uint64_t address) const {
    const Allocation* found = nearest(address);
    if (found && !is_of_program(*found)) return nearest(found->base - 1);
    return found;
}

const std::byte* GlobalMemory::at(std::uint64_t address, std::uint64_t bytes) const {
    const Allocation* allocation = nearest(address);
    if (!allocation) return nullptr;
    std::uint64_t offset = address - allocation->base;
    if (offset > allocation->bytes || bytes > allocation->bytes - offset) return nullptr;
    if (heap_ && allocation->base == heap_->base() && !heap_->is_live(address, bytes)) return nullptr;
    if (launch_buffers_ && allocation->base == launch_buffers_->base() &&
        !launch_buffers_->is_live(address, bytes))
        return nullptr;
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
