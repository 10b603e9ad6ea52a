// Images: the texture and surface objects of a launch. A kernel names one by its handle, an argument of 64
// bits, or by the name of a .texref or .surfref of its module. The texels are an allocation of GlobalMemory.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/image.h"

namespace warplens::simt {

struct BoundImage {
    ImageDescription description;
    std::uint64_t address = 0;  // of the first texel in device memory
};

class Images {
  public:
    /// Returns the handle. The memory at `address` holds description.bytes() bytes.
    std::uint64_t bind(ImageDescription description, std::uint64_t address) {
        bound_.push_back({std::move(description), address});
        return first_handle + bound_.size() - 1;
    }

    /// nullptr if there is none.
    const BoundImage* find(std::uint64_t handle) const {
        const std::uint64_t index = handle - first_handle;
        return index < bound_.size() ? &bound_[index] : nullptr;
    }
    const BoundImage* find(std::string_view name) const {
        for (const BoundImage& image : bound_)
            if (image.description.name == name) return &image;
        return nullptr;
    }

    /// What machine code leaves out of a handle: it passes the lower 32 bits.
    static constexpr std::uint64_t handle_upper() { return first_handle >> 32 << 32; }

  private:
    // Far from addresses and small numbers, so that neither is mistaken for a handle.
    static constexpr std::uint64_t first_handle = 0x0100'0000'0000'0001;
    std::vector<BoundImage> bound_;
};

}  // namespace warplens::simt
