// Shadow: who last wrote and who has read since, for every granule of a memory — the narrowest access that
// the kernel makes, so that neighbours of one word are never taken for one place.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/program.h"
#include "simt/functional/decoded_op.h"

namespace warplens::simt {

/// One site's accesses by one warp at one time of its clock.
struct Stamp {
    u64 block = 0;
    SiteId site = no_index;
    u32 warp = 0;
    u32 time = 0;
    bool strong = false;
};
using StampId = u32;  // index into a StampTable; 0: nobody

struct Cell {
    StampId write = 0;
    StampId read = 0;        // since the last write
    StampId other_read = 0;  // by a warp that `read` is not ordered with
    u32 value = 0;           // last written by a plain store
    u8 writer = 0, first_reader = 0, last_reader = 0, other_reader = 0;  // lanes
};

class StampTable {
  public:
    StampTable() : stamps_(1) {}
    const Stamp& operator[](StampId id) const { return stamps_[id]; }
    StampId add(const Stamp& stamp) {
        stamps_.push_back(stamp);
        return static_cast<StampId>(stamps_.size() - 1);
    }
    void clear() { stamps_.resize(1); }
    u64 bytes() const { return stamps_.size() * sizeof(Stamp); }

  private:
    std::vector<Stamp> stamps_;
};

/// Cells of device memory, a page at a time as it is touched.
class PagedCells {
  public:
    static constexpr u64 cells_per_page = 1024;
    /// nullptr once `most_bytes` are in use and the page is a new one.
    Cell* at(u64 index, u64 most_bytes) {
        const u64 number = index / cells_per_page;
        if (number != last_number_) {
            auto found = pages_.find(number);
            if (found == pages_.end()) {
                if (bytes() >= most_bytes) return nullptr;
                found = pages_.emplace(number, std::make_unique<Cell[]>(cells_per_page)).first;
            }
            last_number_ = number;
            last_ = found->second.get();
        }
        return last_ + index % cells_per_page;
    }
    u64 bytes() const { return pages_.size() * cells_per_page * sizeof(Cell); }

  private:
    std::unordered_map<u64, std::unique_ptr<Cell[]>> pages_;
    u64 last_number_ = ~u64{0};
    Cell* last_ = nullptr;
};

}  // namespace warplens::simt
