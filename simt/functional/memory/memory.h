// GlobalMemory: the device allocations of a launch, bounds-checked. Addresses are those the kernel computes
// with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "simt/functional/memory/images.h"

namespace warplens::simt {

/// One device allocation. Starts are aligned to 256 bytes, like cudaMalloc's.
struct Allocation {
    std::string name;
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    std::vector<std::byte> data;        // bytes rounded up to a multiple of 16
    std::vector<std::uint8_t> written;  // by byte: 1 once stored to; empty: all counts as written
};

class DeviceHeap;

class GlobalMemory {
  public:
    GlobalMemory();
    ~GlobalMemory();
    GlobalMemory(GlobalMemory&&) noexcept;
    GlobalMemory& operator=(GlobalMemory&&) noexcept;

    /// Returns the device address. Allocations are separated by at least 64 KiB of unmapped addresses, so
    /// that running over one's end is never silently another's beginning.
    std::uint64_t allocate(std::string name, std::vector<std::byte> data);
    /// One that holds nothing yet, as cudaMalloc leaves it: a read of what was never stored to is a problem.
    std::uint64_t allocate_unwritten(std::string name, std::uint64_t bytes);
    /// The allocation's contents count as nothing from now on.
    void forget_contents(std::string_view name);
    /// At an address of the caller's choice, as where a GPU had it; others may lie next to it. The error
    /// names what it would overlap.
    Status allocate_at(std::uint64_t base, std::string name, std::vector<std::byte> data);

    /// The bytes at [address, address + bytes), or nullptr when any of them lies in no allocation.
    std::byte* at(std::uint64_t address, std::uint64_t bytes);
    const std::byte* at(std::uint64_t address, std::uint64_t bytes) const;

    std::span<const Allocation> allocations() const { return allocations_; }
    const Allocation* find(std::string_view name) const;
    /// The allocation that holds the address, or else the nearest one below it; nullptr when there is none.
    const Allocation* nearest(std::uint64_t address) const;
    /// Some allocation began unwritten.
    bool tracks_writes() const { return tracks_writes_; }
    /// Whether any of the bytes was stored to; they lie in one allocation.
    bool is_written(std::uint64_t address, std::uint64_t bytes) const;
    void mark_written(std::uint64_t address, std::uint64_t bytes);

    /// Where malloc in device code takes its memory from; null until a kernel that calls it was launched.
    DeviceHeap* heap() { return heap_.get(); }
    const DeviceHeap* heap() const { return heap_.get(); }
    /// Sets the heap up, `bytes` large, unless it is there: it outlives a launch.
    DeviceHeap& make_heap(std::uint64_t bytes);

    /// Bytes of an allocation that began unwritten count as nothing from now on.
    void forget(std::uint64_t address, std::uint64_t bytes);

    /// Textures and surfaces over these allocations.
    Images& images() { return images_; }
    const Images& images() const { return images_; }

  private:
    Images images_;
    std::vector<Allocation> allocations_;  // ascending by base
    bool tracks_writes_ = false;
    std::unique_ptr<DeviceHeap> heap_;  // hands out parts of one of the allocations
};

}  // namespace warplens::simt
