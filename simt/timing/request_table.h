// RequestTable: the cost of each memory request of the modelled warps — wavefronts, lanes at one address, the
// sectors by address. Computed with the analyses' functions, once per Trace; the what-if knobs select among
// its figures later.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::simt {

struct RequestCost {
    Space space = Space::none;
    Operation operation = Operation::none;
    bool bypasses_l1 = false;  // .cg, .cv, .volatile and the like; never cached in L1
    std::uint16_t wavefronts = 0, ideal_wavefronts = 0;  // over the banks
    std::uint16_t rounds = 0;                            // atomics: the most lanes at one address
    std::uint16_t served = 0;                            // atomics: sectors, summed over the rounds
    bool combines = false;                         // an atomic whose operands a kernel could combine first
    bool adds_reals = false;                       // an atomic that adds f32 or f64
    std::uint16_t sectors = 0, ideal_sectors = 0;  // global and local memory
    std::uint16_t ideal_begin = 0;   // which of its sectors stand for the ideal ones: see ideal_begin_of
    std::uint64_t first_sector = 0;  // into the table's sector addresses
    std::uint16_t new_sectors =
        0;  // of one that combines: those that no other thread of its block updated before
};

/// A sector's number: its byte address / 32. Ascending within a request.
using SectorId = std::uint64_t;
inline constexpr std::uint64_t sectors_per_line = 4;

class RequestTable {
  public:
    /// Counts the requests of these warps (indices into Trace::warps, ascending).
    RequestTable(const trace::Trace& trace, std::span<const std::uint32_t> warps);

    /// `access` is an index into Trace::accesses of one of the warps.
    const RequestCost& cost(std::uint32_t warp_record, std::uint64_t access) const {
        return costs_[first_cost_[warp_record] + (access - trace_->warps[warp_record].accesses_begin)];
    }
    std::span<const SectorId> sectors(const RequestCost& cost) const {
        return {sectors_.data() + cost.first_sector, cost.sectors};
    }
    /// Of an atomic that combines, the sectors that no earlier one of another thread of its block has
    /// updated.
    std::span<const SectorId> new_sectors(const RequestCost& cost) const {
        return {sectors_.data() + cost.first_sector + cost.sectors, cost.new_sectors};
    }
    /// All requests, in the order of the warps.
    std::span<const RequestCost> costs() const { return costs_; }

  private:
    /// Sectors that the block has updated by atomics that combine, and the thread that did, where it is one:
    /// what one thread does one after another, such as an arrival at a barrier of the grid, has no other's to
    /// be combined with.
    using Updated = std::unordered_map<SectorId, std::uint64_t>;
    void add(std::uint32_t warp_record, const trace::AccessRecord& record, std::uint64_t index,
             Updated& updated);
    void list_sectors(std::uint32_t warp_record, const trace::AccessRecord& record,
                      const trace::Addresses& addresses, std::uint32_t bytes_per_lane);

    const trace::Trace* trace_;
    std::vector<bool> bypasses_l1_;          // by site
    std::vector<std::uint64_t> first_cost_;  // by warp record; 0 for warps that were not requested
    std::vector<RequestCost> costs_;
    std::vector<SectorId> sectors_;
};

}  // namespace warplens::simt
