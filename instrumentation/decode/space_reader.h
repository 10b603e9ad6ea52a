// SpaceReader: finds in a recording space which chunks belong to which warp, and reads a warp's records in
// the order of their clocks. Every link is checked: what does not fit is reported, not followed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/lane_mask.h"
#include "instrumentation/decode/block_table.h"
#include "instrumentation/decode/decode.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

/// A chunk that was taken by an atomic, as its first unit describes it.
struct TakenChunk {
    std::uint32_t block = 0;  // linear
    std::uint32_t owner = 0;  // warp << 6 | 0 for a WarpHead, 1 + lane for a stream's part
    std::uint32_t chunk = 0;
    std::uint32_t previous = 0;
    std::uint32_t warp() const { return owner >> 6; }
    bool is_head() const { return (owner & 63u) == 0; }
    std::uint32_t lane() const { return (owner & 63u) - 1; }
};

struct Record {
    VisitUnit visit;
    std::uint32_t clock = 0;    // since the warp's start
    std::uint32_t carried = 0;  // where BlockRow::carries says so
    std::uint32_t ballot = 0;   // where BlockRow::ballot says so
    std::uint32_t unit = 0;     // where it lies, counted from the space's beginning
};

/// The chunks of one warp.
struct WarpChunks {
    std::uint32_t warp = 0;
    std::uint32_t slab = 0;  // chunk; 0: none
    std::span<const TakenChunk> taken;
};

/// Where the chunks of one block are.
struct BlockChunks {
    std::uint64_t block = 0;  // linear
    std::uint32_t slab = 0;   // of its first warp; 0: none
    std::span<const TakenChunk> taken;
};

/// What the heads of a warp say.
struct WarpFacts {
    bool began = false;  // some head was written
    bool lost_records = false;
    std::uint32_t head_unit = 0;
    WarpHead head;
};

class SpaceReader {
  public:
    /// Errors are those of the space as a whole.
    static Result<SpaceReader> open(const RecordingPlan& plan, const BlockTable& table,
                                    const LaunchGeometry& geometry, const ReadBack& read);

    const SpaceHead& head() const { return head_; }
    std::uint64_t symbol(std::size_t index) const { return at<std::uint64_t>(sizeof(SpaceHead) + 8 * index); }
    template <class T>
    T at(std::uint64_t byte) const {
        T value;
        std::memcpy(&value, read_->bytes.data() + byte, sizeof(T));
        return value;
    }
    const std::byte* unit(std::uint32_t index) const {
        return read_->bytes.data() + std::uint64_t{index} * unit_bytes;
    }

    /// The blocks that have any chunks, ascending.
    std::vector<BlockChunks> blocks() const;
    /// The warps of a block that have any, ascending.
    void warps_of(const BlockChunks& block, std::vector<WarpChunks>& warps) const;

    WarpFacts facts(const WarpChunks& warp) const;

    std::uint32_t first_unit(std::uint32_t chunk) const { return head_units_ + (chunk - 1) * chunk_units_; }
    std::size_t bytes() const { return read_->bytes.size(); }
    std::uint32_t chunk_units() const { return chunk_units_; }

  private:
    void collect_taken();
    std::uint64_t block_of_rank(std::uint64_t rank) const {
        return read_->blocks.empty() ? rank : read_->blocks[rank];
    }

    const ReadBack* read_ = nullptr;
    SpaceHead head_;
    std::uint32_t head_units_ = 0, chunk_units_ = 0;
    std::uint32_t chunks_ = 0;  // that were read back and may have been written, the head counted
    std::uint32_t slabs_ = 0;
    bool keeps_words_ = false;  // RecordingPlan::kept_words
    std::uint32_t warps_per_block_ = 1;
    std::uint64_t blocks_in_grid_ = 0;
    std::vector<TakenChunk> taken_;  // by block, owner, chunk
};

/// The records of one warp, streams joined. Reused from warp to warp.
class WarpRecords {
  public:
    WarpRecords(const SpaceReader& space, const BlockTable& table) : space_(space), table_(table) {}

    void begin(const WarpChunks& chunks, LaneMask lanes, std::uint32_t start_clock);
    /// The next one, nullptr at the end or if something is invalid: see broken().
    const Record* next();
    bool broken() const { return broken_; }

  private:
    struct Stream {
        std::uint32_t lane = 0;
        std::uint32_t at = 0, end = 0;  // units
        const TakenChunk* rest = nullptr;
        const TakenChunk* rest_end = nullptr;
        Record record;
    };
    bool advance(Stream& stream);
    void read_kept(std::uint32_t first_unit);
    void add_parts(std::uint32_t first);

    const SpaceReader& space_;
    const BlockTable& table_;
    std::array<Stream, warp_size + 1> streams_;
    std::vector<Record> kept_;  // all of the warp's, the last one first, where its lanes kept them
    std::size_t count_ = 0, current_ = 0;
    std::uint32_t others_clock_ = 0;  // none of the other streams has an earlier record
    Record given_;
    LaneMask lanes_;
    std::uint32_t start_clock_ = 0;
    bool broken_ = false;
};

}  // namespace warplens::instrumentation
