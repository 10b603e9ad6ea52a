// BlockEmitter: sends to a BlockObserver what the walks of a block's warps found, in the CPU engine's manner
// — visits, then the guards, accesses and branches of each in site order, barriers and their release — and
// works out the addresses from base values that were recorded or are replayed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "instrumentation/decode/block_table.h"
#include "instrumentation/decode/decode.h"
#include "instrumentation/decode/replay.h"
#include "instrumentation/decode/space_reader.h"
#include "instrumentation/decode/warp_hash.h"
#include "instrumentation/decode/warp_walk.h"
#include "trace/observer.h"

namespace warplens::instrumentation {

/// From the addresses of the device to those of the CPU engine (ReadBack::symbol_bases).
class AddressMap {
  public:
    AddressMap(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
               const SpaceReader& space, const ReadBack& read);

    /// What follows is of this block: which part of its cluster's shared memory is its own.
    void enter(std::uint64_t linear_block);

    std::uint64_t symbol(std::size_t index) const { return device_[index]; }
    bool moves(Space space) const {
        return space == Space::shared_cluster || !ranges_[static_cast<std::size_t>(space)].empty();
    }
    /// An address in a space of its own, as the engine would have it.
    std::uint64_t moved(Space space, std::uint64_t address) const;
    /// The space of a generic address, which becomes one in that space. `of_cluster`:
    /// AddressPlan::of_cluster.
    Space resolve_generic(std::uint64_t& address, bool of_cluster) const;

  private:
    struct Range {
        std::uint64_t begin, end;  // device addresses
        std::uint64_t to;
    };
    std::vector<std::uint64_t> device_;
    std::array<std::vector<Range>, space_count> ranges_;  // by space, ascending
    std::uint64_t shared_window_ = 0, local_window_ = 0;
    std::uint64_t cluster_window_ = 0;  // 0: the launch has no clusters
    const LaunchGeometry& geometry_;
    std::uint32_t rank_ = 0;
};

/// The visits of one warp, a part of an array.
struct WarpVisits {
    int warp = 0;
    std::size_t begin = 0, end = 0;
    std::uint32_t slab = 0;  // unit of its first chunk
};

class BlockEmitter {
  public:
    BlockEmitter(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                 const BlockTable& table, const SpaceReader& space, const ReadBack& read,
                 const Replay& replay);

    void emit(std::uint64_t linear_block, std::span<const WalkedVisit> visits,
              std::span<const WarpVisits> warps, trace::BlockObserver& to);
    /// Of the last block: RecordingPlan::hashes_addresses of the warp, by its place in `warps`.
    std::uint32_t hash(std::size_t warp) const;

  private:
    using Lanes = std::array<std::uint64_t, warp_size>;
    /// address = ((value | high) + offset) & bits
    struct AddressRow {
        std::uint32_t value = no_index, slot = no_index;
        std::uint64_t high = 0, offset = 0, bits = ~std::uint64_t{0};
    };
    struct EmittedWarp {
        WarpVisits visits;
        std::size_t next = 0;
        std::uint32_t waiting = 0;
        std::vector<Lanes> values;                      // by RecordingPlan::values
        std::array<std::uint32_t, warp_size> places{};  // words that were taken from each lane's column
        ReplayedWarp slots;
        LaneMask lanes;  // that the warp has
        WarpHash hash;
    };

    void run(EmittedWarp& warp, std::span<const WalkedVisit> visits, trace::BlockObserver& to);
    void emit_visit(EmittedWarp& warp, const WalkedVisit& visit, trace::BlockObserver& to);
    void load_values(EmittedWarp& warp, const WalkedVisit& visit);
    void take_from_columns(EmittedWarp& warp, const WalkedVisit& visit);
    void emit_access(EmittedWarp& warp, const SiteRow& row, std::uint32_t executed, trace::BlockObserver& to);
    void compute(EmittedWarp& warp, std::uint32_t address, std::uint32_t executed,
                 trace::Addresses& addresses) const;
    void emit_in_space(int warp, trace::Access access, trace::Addresses& addresses, bool of_cluster,
                       trace::BlockObserver& to);

    const RecordingPlan& plan_;
    const Program& program_;
    const BlockTable& table_;
    const SpaceReader& space_;
    const Replay& replay_;
    const LaunchGeometry& geometry_;
    AddressMap map_;
    const HashTable hashes_;
    std::vector<AddressRow> addresses_;  // by RecordingPlan::addresses
    std::vector<EmittedWarp> warps_;     // kept for their capacity
};

}  // namespace warplens::instrumentation
