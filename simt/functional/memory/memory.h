// GlobalMemory: the device allocations of a launch, bounds-checked. Addresses are those that the kernel uses.
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
    std::vector<std::uint8_t> written;  // per byte: 1 once stored to; empty: all bytes count as written
    bool guessed_length = false;        // the program's may be longer
    std::uint64_t reached = 0;          // of a guessed length: bytes from base that accesses past it needed
};

class DeviceHeap;
class LaunchBuffers;

class GlobalMemory {
  public:
    GlobalMemory();
    ~GlobalMemory();
    GlobalMemory(GlobalMemory&&) noexcept;
    GlobalMemory& operator=(GlobalMemory&&) noexcept;

    /// Returns the device address. Allocations are separated by at least 64 KiB of unmapped addresses, so
    /// that accesses past one's end never silently reach another.
    std::uint64_t allocate(std::string name, std::vector<std::byte> data);
    /// Allocates uninitialised memory, as cudaMalloc does: reading bytes before they are stored to is a
    /// problem.
    std::uint64_t allocate_unwritten(std::string name, std::uint64_t bytes);
    /// The length of the latest allocation is a guess: an access past its end may be right in the program.
    /// Addresses behind it stay free, so that it does not reach another allocation.
    void guess_length();
    /// Remembers an access past the end of an allocation with a guessed length. Safe on several threads.
    static void reach(const Allocation& allocation, std::uint64_t end);
    /// Marks the allocation's contents as uninitialised.
    void forget_contents(std::string_view name);
    /// Allocates at a given address, such as the one on a GPU; other allocations may be adjacent. The error
    /// names the allocation that it would overlap; `data` is then as before.
    Status allocate_at(std::uint64_t base, std::string name, std::vector<std::byte>&& data);

    /// The bytes at [address, address + bytes), or nullptr if any of them is outside all allocations.
    std::byte* at(std::uint64_t address, std::uint64_t bytes);
    const std::byte* at(std::uint64_t address, std::uint64_t bytes) const;

    std::span<const Allocation> allocations() const { return allocations_; }
    const Allocation* find(std::string_view name) const;
    /// The allocation that holds the address, or else the nearest one below it; nullptr if there is none.
    const Allocation* nearest(std::uint64_t address) const;
    /// Not the engine's own: the arguments of launched grids, which no program has a name for.
    bool is_of_program(const Allocation& allocation) const;
    /// As nearest(), of the allocations that are the program's.
    const Allocation* nearest_of_program(std::uint64_t address) const;
    /// Whether an allocation was created uninitialised.
    bool tracks_writes() const { return tracks_writes_; }
    /// Whether any of the bytes was stored to; they must be in one allocation.
    bool is_written(std::uint64_t address, std::uint64_t bytes) const;
    void mark_written(std::uint64_t address, std::uint64_t bytes);

    /// The heap of malloc in device code; null until a kernel that calls malloc was launched.
    DeviceHeap* heap() { return heap_.get(); }
    const DeviceHeap* heap() const { return heap_.get(); }
    /// Creates the heap with `bytes` unless it exists: it outlives a launch.
    DeviceHeap& make_heap(std::uint64_t bytes);

    /// The arguments of grids that device code launches; null until a kernel that launches was launched.
    LaunchBuffers* launch_buffers() { return launch_buffers_.get(); }
    /// Creates them unless they exist, and makes all of them free.
    LaunchBuffers& make_launch_buffers();

    /// Marks bytes as uninitialised if their allocation was created so.
    void forget(std::uint64_t address, std::uint64_t bytes);

    /// Textures and surfaces over these allocations.
    Images& images() { return images_; }
    const Images& images() const { return images_; }

  private:
    Images images_;
    std::vector<Allocation> allocations_;  // ascending by base
    bool tracks_writes_ = false;
    std::unique_ptr<DeviceHeap> heap_;               // divides one of the allocations
    std::unique_ptr<LaunchBuffers> launch_buffers_;  // likewise
};

}  // namespace warplens::simt
