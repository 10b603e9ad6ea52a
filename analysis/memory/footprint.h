// Footprint: the distinct 32-byte sectors of global memory that a launch read and wrote, per buffer — the
// minimum that must move between DRAM and the chip. Exact over the blocks executed. Counted in bitmaps of the
// accessed 2 MiB pages, with one bit per sector and direction.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/memory/coalescing.h"
#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::analysis {

/// Distinct sectors. An atomic both reads and writes.
struct TouchedSectors {
    std::uint64_t read = 0, written = 0;
};

struct Footprint {
    std::vector<TouchedSectors> buffers;  // one per buffer of the launch
    TouchedSectors elsewhere;             // global variables of the module, or addresses in no buffer
    std::uint64_t left_out = 0;           // parts of requests to pages above the limit
};

/// A set of sectors to which many threads add.
class SectorSet {
  public:
    static constexpr std::uint64_t words_per_page = 1024;  // of 64 sectors
    using Page = std::array<std::atomic<std::uint64_t>, words_per_page>;

    /// The page of a word, created if new; nullptr if there are too many (128 GiB of memory).
    Page* page(std::uint64_t number);
    std::uint64_t size() const;
    /// Sectors of the set in [first, last), in sectors.
    std::uint64_t count(std::uint64_t first, std::uint64_t last) const;

  private:
    mutable std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

class FootprintCounter {
  public:
    /// One thread's access; caches the pages.
    class Writer {
      public:
        explicit Writer(FootprintCounter& counter) : counter_(&counter) {}
        /// Adds a global request. `range`: its sectors if they are known to have no gaps.
        void add(const trace::Access& access, const SectorRange& range);

      private:
        struct Remembered {
            std::uint64_t number = ~std::uint64_t{0};
            SectorSet::Page* page = nullptr;
        };
        using Pages = std::array<Remembered, 128>;
        void add(const trace::Access& access, const SectorRange& range, SectorSet& set, Pages& pages);
        void set_bits(std::uint64_t word, std::uint64_t bits, SectorSet& set, Pages& pages);

        FootprintCounter* counter_;
        Pages read_, written_;
    };

    Footprint footprint(std::span<const trace::Buffer> buffers) const;

  private:
    SectorSet read_, written_;
    std::atomic<std::uint64_t> left_out_ = 0;
};

}  // namespace warplens::analysis
