// Queries over a Trace: expands visits into steps, finds warps, accesses and addresses, maps source lines to
// sites. It has no analysis (see analysis/) and stores nothing in the Trace: queries with an index are
// objects that the caller builds once and owns. All queries require that the Trace passed trace/check.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::trace {

inline constexpr std::uint64_t no_access = ~std::uint64_t{0};
inline constexpr std::uint64_t no_exchange = ~std::uint64_t{0};

/// Addresses of a request, per lane; 0 for inactive lanes.
Addresses addresses_of(const Trace& trace, const AccessRecord& access);

/// nullptr if that block was not recorded or has no such warp.
const WarpRecord* find_warp(const Trace& trace, std::uint64_t block, std::uint32_t warp);
/// The warp that made access number `access` of Trace::accesses.
const WarpRecord& warp_of_access(const Trace& trace, std::uint64_t access);
/// Linear indices of the recorded blocks, ascending.
std::vector<std::uint64_t> recorded_blocks(const Trace& trace);
/// The access's operation: the site's, except for cp.async, which loads and stores in one instruction.
Operation operation_of(const Trace& trace, const AccessRecord& access);

/// One warp executing one site once.
struct Step {
    std::uint64_t index = 0;  // within the warp
    SiteId site = 0;
    BasicBlockId basic_block = 0;
    std::uint64_t visit = 0;  // index into Trace::visits
    LaneMask active;
    LaneMask executed;                 // active and not predicated off; a branch is executed by all active
    LaneMask taken;                    // lanes that jumped, for a conditional branch
    std::uint64_t access = no_access;  // index into Trace::accesses of the first request
    /// 2 for cp.async, or a generic access to two spaces; one per piece for wmma.load and wmma.store.
    std::uint32_t access_count = 0;
    std::uint64_t exchange = no_exchange;  // index into Trace::exchanges of the first, if one was recorded
    std::uint32_t exchange_count = 0;      // more than 1 if lanes had different member masks
};

/// Which sites of each basic block create records. Small; depends only on the Program.
class RecordedSites {
  public:
    struct Entry {
        SiteId site;
        bool guard;     // creates a mask: lanes not predicated off
        bool branch;    // creates a mask: lanes that jumped
        bool memory;    // creates an access if a lane is active
        bool generic;   // its space is only known at run time, and may differ between lanes
        bool copies;    // cp.async: loads global and stores shared memory
        bool exchange;  // creates an exchange if a lane is active, except in a GPU's recording
        /// Requests of one execution: more than one for the pieces of a wmma fragment.
        std::uint32_t requests = 1;
    };
    explicit RecordedSites(const Program& program);
    /// In site order.
    std::span<const Entry> of(BasicBlockId block) const {
        return {entries_.data() + begin_[block], entries_.data() + begin_[block + 1]};
    }

  private:
    std::vector<Entry> entries_;
    std::vector<std::size_t> begin_;
};

/// The Trace's records of one execution of a recorded site.
struct SiteRecords {
    LaneMask executed, taken;
    std::uint64_t access = no_access;
    std::uint32_t access_count = 0;
    std::uint64_t exchange = no_exchange;
    std::uint32_t exchange_count = 0;
};

/// Reads a warp's masks and accesses in the order of its visits. The low level of WarpSteps and replay: call
/// next() for each entry of RecordedSites::of(visit's block), visit by visit.
class RecordCursor {
  public:
    RecordCursor(const Trace& trace, const WarpRecord& warp)
        : RecordCursor(trace, warp, warp.accesses_begin, warp.masks_begin, warp.exchanges_begin) {}
    RecordCursor(const Trace& trace, const WarpRecord& warp, std::uint64_t access, std::uint64_t mask,
                 std::uint64_t exchange)
        : trace_(&trace),
          access_end_(warp.accesses_end),
          mask_end_(warp.masks_end),
          exchange_end_(warp.exchanges_end),
          access_(access),
          mask_(mask),
          exchange_(exchange) {}

    SiteRecords next(const RecordedSites::Entry& entry, LaneMask active);
    std::uint64_t access() const { return access_; }
    std::uint64_t mask() const { return mask_; }
    std::uint64_t exchange() const { return exchange_; }

  private:
    void find_exchanges(const RecordedSites::Entry& entry, SiteRecords& found);

    const Trace* trace_;
    std::uint64_t access_end_, mask_end_, exchange_end_;
    std::uint64_t access_, mask_, exchange_;
};

/// Steps the warp executed. If a run stopped inside a basic block, that block counts completely.
std::uint64_t step_count(const Trace& trace, const WarpRecord& warp);

/// The steps of one warp, in execution order, expanded on request. Construction iterates over the warp's
/// visits once; it then stores 32 bytes for every 64 visits. The Trace and the RecordedSites must outlive it.
class WarpSteps {
  public:
    WarpSteps(const Trace& trace, const RecordedSites& sites, const WarpRecord& warp);

    const WarpRecord& warp() const { return *warp_; }
    std::uint64_t size() const { return size_; }
    /// Step number `index`, below size().
    Step at(std::uint64_t index) const;
    /// First step of the visit at `visit`, an index into Trace::visits that belongs to the warp.
    std::uint64_t first_step_of_visit(std::uint64_t visit) const;
    /// The step that made an access of this warp (index into Trace::accesses); std::nullopt if the records do
    /// not determine it.
    std::optional<std::uint64_t> step_of_access(std::uint64_t access) const;
    /// The first step at or after `from` that executes `site`.
    std::optional<std::uint64_t> find_site(SiteId site, std::uint64_t from = 0) const;
    /// Calls use(step) for steps first, first + 1, … below `last`.
    template <class Use>
    void for_each(std::uint64_t first, std::uint64_t last, Use&& use) const;

  private:
    struct Checkpoint {
        std::uint64_t step, access, mask, exchange;
    };
    /// A visit with the cursors at its begin.
    struct Position {
        std::uint64_t visit;
        std::uint64_t step;
        RecordCursor records;
    };
    Position checkpoint(std::size_t index) const;
    Position visit_with_step(std::uint64_t step) const;
    void advance(Position& position) const;
    std::uint32_t sites_in(std::uint64_t visit) const;

    const Trace* trace_;
    const RecordedSites* sites_;
    const WarpRecord* warp_;
    std::vector<Checkpoint> checkpoints_;
    std::uint64_t size_ = 0;
};

/// The accesses of each site, ascending. Built once per Trace; 4 bytes per access.
class AccessIndex {
  public:
    explicit AccessIndex(const Trace& trace);
    /// Indices into Trace::accesses.
    std::span<const std::uint32_t> of(SiteId site) const {
        return {accesses_.data() + begin_[site], accesses_.data() + begin_[site + 1]};
    }

  private:
    std::vector<std::uint32_t> accesses_;
    std::vector<std::size_t> begin_;
};

template <class Use>
void WarpSteps::for_each(std::uint64_t first, std::uint64_t last, Use&& use) const {
    last = last < size_ ? last : size_;
    if (first >= last) return;
    Position at = visit_with_step(first);
    while (at.step < last) {
        const Visit& visit = trace_->visits[at.visit];
        const BasicBlock& block = trace_->program.basic_blocks[visit.basic_block];
        const auto entries = sites_->of(visit.basic_block);
        std::size_t entry = 0;
        for (std::uint32_t i = 0; i < block.site_count; ++i) {
            Step step;
            step.index = at.step + i;
            step.site = block.first_site + i;
            step.basic_block = visit.basic_block;
            step.visit = at.visit;
            step.active = step.executed = visit.active;
            if (entry < entries.size() && entries[entry].site == step.site) {
                const SiteRecords records = at.records.next(entries[entry++], visit.active);
                step.executed = records.executed;
                step.taken = records.taken;
                step.access = records.access;
                step.access_count = records.access_count;
                step.exchange = records.exchange;
                step.exchange_count = records.exchange_count;
            }
            if (step.index >= last) return;
            if (step.index >= first) use(static_cast<const Step&>(step));
        }
        at.step += block.site_count;
        ++at.visit;
    }
}

}  // namespace warplens::trace
