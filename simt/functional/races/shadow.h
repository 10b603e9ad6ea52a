// Shadow: the last write and the reads since then, for every granule of a memory. A granule is as wide as the
// kernel's narrowest access, so that neighbours in one word are never mistaken for one place. A granule's
// record is a cell; cells are stored field by field, so that a whole request is compared and filled with
// vector instructions.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/program.h"
#include "simt/functional/decode/decoded_op.h"
#include "simt/functional/races/zeroed_memory.h"

namespace warplens::simt {

/// One site's accesses by one warp at one time of its clock.
struct Stamp {
    u64 block = 0;
    SiteId site = no_index;
    u32 warp = 0;
    u32 time = 0;
    bool strong = false;
};
using StampId = u32;  // index into a StampTable; 0: none

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

/// A range of cells. Lanes and values are valid only where the corresponding stamp is not 0.
struct Cells {
    static constexpr u64 bytes_per_cell = 4 * sizeof(u32) + 4;

    StampId* write = nullptr;
    StampId* read = nullptr;        // since the last write
    StampId* other_read = nullptr;  // by a warp that is unordered with `read`; 0 where `read` is 0
    u32* value = nullptr;           // of the last plain store
    u8* writer = nullptr;           // lanes
    u8* first_reader = nullptr;
    u8* last_reader = nullptr;
    u8* other_reader = nullptr;
    // While false, the whole field is 0, and its memory need not be accessed.
    bool any_write = false, any_read = false;

    /// `memory`: zeroed, count * bytes_per_cell, aligned to words.
    static Cells over(std::byte* memory, u64 count) {
        auto words = [&](u64 field) { return reinterpret_cast<u32*>(memory + field * count * sizeof(u32)); };
        auto lanes = [&](u64 field) {
            return reinterpret_cast<u8*>(memory + count * (4 * sizeof(u32) + field));
        };
        Cells cells;
        cells.write = words(0);
        cells.read = words(1);
        cells.other_read = words(2);
        cells.value = words(3);
        cells.writer = lanes(0);
        cells.first_reader = lanes(1);
        cells.last_reader = lanes(2);
        cells.other_reader = lanes(3);
        return cells;
    }
};

/// Cells of device memory, allocated by page at the first access.
class PagedCells {
  public:
    static constexpr u64 cells_per_page = 4096;
    static constexpr u64 page_bytes = cells_per_page * Cells::bytes_per_cell;
    /// Page index / cells_per_page of a cell. nullptr if `most_bytes` are in use and the page would be new.
    Cells* page(u64 number, u64 most_bytes) {
        Recent& recent = recent_[number % recent_.size()];
        if (recent.number == number) return recent.cells;
        Cells* cells = find_or_add(number, most_bytes);
        if (cells) recent = {number, cells};
        return cells;
    }
    /// Clears cells [first, last].
    void forget(u64 first, u64 last) {
        for (u64 number = first / cells_per_page; number <= last / cells_per_page; ++number) {
            const auto found = pages_.find(number);
            if (found == pages_.end()) continue;
            const u64 base = number * cells_per_page;
            const u64 begin = first > base ? first - base : 0;
            const u64 end = last - base < cells_per_page ? last - base + 1 : cells_per_page;
            Cells& cells = found->second;
            for (StampId* field : {cells.write, cells.read, cells.other_read})
                std::fill(field + begin, field + end, StampId{0});
        }
    }
    u64 bytes() const { return pages_.size() * page_bytes; }

  private:
    static constexpr u64 chunk_bytes = 4 * ZeroedMemory::large_page;
    static constexpr u64 pages_per_chunk = chunk_bytes / page_bytes;
    struct Recent {
        u64 number = ~u64{0};
        Cells* cells = nullptr;
    };
    Cells* find_or_add(u64 number, u64 most_bytes) {
        if (auto found = pages_.find(number); found != pages_.end()) return &found->second;
        if (bytes() >= most_bytes) return nullptr;
        const u64 in_chunk = pages_.size() % pages_per_chunk;
        if (in_chunk == 0) chunks_.emplace_back(chunk_bytes);
        std::byte* memory = chunks_.back().data() + in_chunk * page_bytes;
        return &pages_.emplace(number, Cells::over(memory, cells_per_page)).first->second;
    }

    std::unordered_map<u64, Cells> pages_;  // elements keep their addresses
    std::vector<ZeroedMemory> chunks_;
    std::array<Recent, 64> recent_;
};

}  // namespace warplens::simt
