// WarpHash: the hash of one warp's addresses, as an instrumented kernel computes it (hash_step, address_sum).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/recording_plan.h"
#include "trace/observer.h"

namespace warplens::instrumentation {

/// What a plan says of AddressPlan::hashed and hashed_in. The plan must outlive it.
class HashTable {
  public:
    explicit HashTable(const RecordingPlan& plan);

  private:
    friend class WarpHash;
    const RecordingPlan& plan_;
    /// By block. leaves: it ends in BlockPlan::lanes_leave; stays: whoever stays comes there.
    std::vector<bool> leaves_, stays_;
    std::vector<std::uint32_t> kept_;                // by address: its place among those that are kept
    std::vector<std::vector<std::uint32_t>> taken_;  // by block: the kept ones that it hashes
    std::uint32_t keeps_ = 0;
};

class WarpHash {
  public:
    void begin(const HashTable& table);
    /// Before the accesses of the visit.
    void visit(const HashTable& table, BasicBlockId block, LaneMask active);
    /// `address`: index into RecordingPlan::addresses. Addresses are the device's.
    void access(const HashTable& table, std::uint32_t address, LaneMask executed,
                const trace::Addresses& addresses);
    /// Of those that have left without the others (BlockPlan::lanes_leave) it has nothing.
    std::uint32_t sum(LaneMask lanes) const;

  private:
    std::array<std::uint32_t, warp_size> hashes_{};
    std::uint32_t leaving_ = 0, left_ = 0;
    std::vector<std::array<std::uint64_t, warp_size>> kept_;
};

}  // namespace warplens::instrumentation
