// Decodes block by block: whether each is whole, its visits and times, and its events. A thread's own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/decode/block_emitter.h"
#include "instrumentation/decode/clock_fit.h"

namespace warplens::instrumentation {

/// What some blocks, one after another, came to. Times count from each warp's start.
struct DecodedPart {
    std::vector<trace::MeasuredWarp> warps;
    std::vector<trace::MeasuredVisit> visits;
    std::vector<WarpClock> clocks;      // by `warps`
    std::vector<std::uint32_t> hashes;  // proof: one per warp
    std::vector<std::uint64_t> incomplete, damaged;
    std::string first_damage;     // Decoded::first_damage, of these blocks
    bool apart = false;           // lanes were not together in a tallied loop
    bool replay_differs = false;  // Decoded::replay_differs, of these blocks
    std::uint64_t records = 0;
    std::uint64_t written_bytes = 0;
    /// Blocks that were reported, each with what its observer heard, unless it is finished.
    std::vector<std::pair<std::uint64_t, std::unique_ptr<trace::BlockObserver>>> observed;
};

class BlockDecoder {
  public:
    /// `observer` may be null. `blocks`: how many are decoded in all. Its finish is called here only if
    /// `alone`, else by the caller, in block order.
    BlockDecoder(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                 const ReadBack& read, const BlockTable& table, const SpaceReader& space,
                 const Replay& replay, trace::Observer* observer, bool alone, std::uint64_t blocks)
        : plan_(plan),
          program_(program),
          geometry_(geometry),
          table_(table),
          space_(space),
          observer_(observer),
          alone_(alone),
          blocks_(blocks),
          search_left_(space.head().warps_apart == 0 && space.head().slabs_full == 0 ? most_searched : 0),
          walk_(table, replay, visits_),
          records_(space, table),
          emitter_(plan, program, geometry, table, space, read, replay) {}

    DecodedPart decode(std::span<const BlockChunks> blocks);

  private:
    enum class Outcome { whole, incomplete, damaged };

    void decode_block(const BlockChunks& chunks);
    Outcome walk(std::uint64_t block);
    bool may_list(std::uint32_t passes);
    std::uint32_t packed(std::uint64_t begin, std::uint32_t lane, std::uint32_t part) const;
    std::uint32_t in_rows(std::uint64_t begin, std::uint32_t lane, std::uint32_t part) const;
    bool read_tallies(const WarpFacts& facts, LaneMask lanes);
    /// Records the error and returns false.
    bool refuse(std::string sentence);
    bool refuse(const WarpChunks& warp, const Record& record, std::string_view what);
    bool walk_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts);
    using ReadsInOrder = std::function<bool(WarpWalk::Order, const std::vector<WarpWalk::Choice>*)>;
    bool search_order(const ReadsInOrder& reads);
    bool try_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts);
    std::uint32_t head_ballot(const WarpFacts& facts) const;
    void add_times(std::uint32_t entered, std::uint32_t arrived);
    void add_warp(std::uint64_t block, const WarpChunks& chunks, const WarpFacts& facts,
                  std::uint32_t duration, std::size_t visits);
    void emit(std::uint64_t block);
    void count_records();
    std::uint64_t bytes_of_warp(const WarpChunks& chunks, const WarpFacts& facts, std::size_t visits) const;

    const RecordingPlan& plan_;
    const Program& program_;
    const LaunchGeometry& geometry_;
    const BlockTable& table_;
    const SpaceReader& space_;
    trace::Observer* observer_;
    bool alone_;
    std::uint64_t blocks_;      // that are decoded, by all threads
    std::uint64_t listed_ = 0;  // passes of counted loops, of the block being decoded
    DecodedPart part_;
    std::vector<WalkedVisit> visits_;  // of the block being decoded, as all below
    std::vector<WarpChunks> warps_;
    std::vector<WarpVisits> ranges_;
    std::vector<WarpFacts> facts_;
    std::size_t measured_in_block_ = 0;
    std::vector<std::uint32_t> tallies_;  // of the warp
    std::string refusal_;
    // Visits that searches for the order of lanes may still walk through, some half a second of them; 0 once
    // an order was not found: the launch is then recorded in another form.
    static constexpr std::size_t most_searched = std::size_t{1} << 19;
    std::size_t search_left_ = 0;
    WarpWalk walk_;
    WarpRecords records_;
    BlockEmitter emitter_;
};

}  // namespace warplens::instrumentation
