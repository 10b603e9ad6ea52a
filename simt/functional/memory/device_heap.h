// DeviceHeap: which bytes of the heap malloc and free of device code have handed out. It keeps no contents:
// those are of an allocation of GlobalMemory. Blocks never touch, what is given back stays known until its
// room is needed again, so that a pointer to it is told from a good one.
//
// It is no model of a GPU's allocator: that one divides the heap otherwise and is full sooner, and its
// addresses are others.
#pragma once

#include <cstdint>
#include <map>

#include "core/launch.h"
#include "core/program.h"

namespace warplens::simt {

/// Who called malloc or free.
struct HeapCall {
    SiteId site = no_index;
    Dim3 block{0, 0, 0};
    Dim3 thread{0, 0, 0};
};

struct HeapBlock {
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;  // as asked for
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
    /// Gives back the block that begins at the address.
    Release release(std::uint64_t address, const HeapCall& by);
    /// Whether all the bytes lie in one block that was not given back.
    bool is_live(std::uint64_t address, std::uint64_t bytes) const;
    /// The block that holds the address, or else the nearest one below it; nullptr: there is none.
    const HeapBlock* nearest(std::uint64_t address) const;
    bool holds(std::uint64_t address) const { return address >= base_ && address - base_ < bytes_; }

  private:
    std::uint64_t find_gap(std::uint64_t room) const;
    std::uint64_t place(std::uint64_t base, std::uint64_t room, std::uint64_t bytes, const HeapCall& by);

    std::uint64_t base_, bytes_;
    std::uint64_t untouched_;                    // from here on nothing was handed out yet
    std::map<std::uint64_t, HeapBlock> blocks_;  // by base; those given back until their room is needed
    std::uint64_t known_not_to_fit_ =
        ~std::uint64_t{0};  // this much room was not found since the last release
};

}  // namespace warplens::simt
