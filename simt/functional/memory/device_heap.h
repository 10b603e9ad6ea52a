// DeviceHeap: which bytes of the heap are allocated by malloc in device code. The contents are in an
// allocation of GlobalMemory. Blocks are never adjacent, and freed blocks are remembered until their space is
// reused, so that pointers to them are detected.
//
// It does not model a GPU's allocator, which divides the heap differently, is full sooner and returns other
// addresses.
#pragma once

#include <cstdint>
#include <map>

#include "core/launch.h"
#include "core/program.h"

namespace warplens::simt {

/// The call of malloc or free.
struct HeapCall {
    SiteId site = no_index;
    Dim3 block{0, 0, 0};
    Dim3 thread{0, 0, 0};
};

struct HeapBlock {
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;  // as requested
    bool freed = false;
    HeapCall allocated_by, freed_by;
};

enum class Release : std::uint8_t { done, freed_before, no_block };

class DeviceHeap {
  public:
    /// `base` is a multiple of 16.
    DeviceHeap(std::uint64_t base, std::uint64_t bytes) : base_(base), bytes_(bytes), untouched_(base) {}

    std::uint64_t base() const { return base_; }
    std::uint64_t bytes() const { return bytes_; }
    /// The address of a new block, a multiple of 16; 0 when there is no room for it.
    std::uint64_t allocate(std::uint64_t bytes, const HeapCall& by);
    /// Frees the block that begins at the address.
    Release release(std::uint64_t address, const HeapCall& by);
    /// Whether all the bytes are in one block that was not freed.
    bool is_live(std::uint64_t address, std::uint64_t bytes) const;
    /// The block that holds the address, or else the nearest one below it; nullptr if there is none.
    const HeapBlock* nearest(std::uint64_t address) const;
    bool holds(std::uint64_t address) const { return address >= base_ && address - base_ < bytes_; }

  private:
    std::uint64_t take_gap(std::uint64_t room);
    void add_gap(std::uint64_t begin, std::uint64_t end);
    std::uint64_t place(std::uint64_t base, std::uint64_t room, std::uint64_t bytes, const HeapCall& by);

    std::uint64_t base_, bytes_;
    std::map<std::uint64_t, std::uint64_t> gaps_;  // what was freed, from begin to end, never side by side
    std::uint64_t untouched_;                      // nothing was allocated from here on
    std::map<std::uint64_t, HeapBlock> blocks_;    // by base; freed ones until their space is reused
    std::uint64_t known_not_to_fit_ =
        ~std::uint64_t{0};  // a gap of this size was not found since the last release
};

}  // namespace warplens::simt
