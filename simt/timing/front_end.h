// FrontEnd: returns one warp's machine operations in order, each with its PTX step and its request. It
// follows the warp's visits in the Trace, except for polls that found nothing new and, if asked, visits that
// full warps would save.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simt/timing/machine_code.h"
#include "simt/timing/polling_loops.h"
#include "trace/query.h"

namespace warplens::simt {

/// Of one block of the launch, for each basic block: how many of its threads ever visit it.
using ThreadsByBasicBlock = std::vector<std::uint32_t>;
ThreadsByBasicBlock threads_by_basic_block(const trace::Trace& trace, std::uint32_t first_warp,
                                           std::uint32_t warp_count);

class FrontEnd {
  public:
    /// `full_warps`: of the warp's block, to leave out what full warps would save; null: nothing is.
    FrontEnd(const trace::Trace& trace, const trace::RecordedSites& sites, const MachineProgram& code,
             PollingLoops& polls, const trace::WarpRecord& warp,
             std::shared_ptr<const ThreadsByBasicBlock> full_warps);

    /// The current operation; nullptr at the warp's end.
    const MachineOp* op() const { return op_; }
    /// Its PTX step: index within the warp.
    std::uint32_t step() const;
    /// The step of the next write to global or local memory in this visit; no_index: there is none.
    std::uint32_t next_write() const;
    /// The Trace's records of its execution; empty for an operation without a record.
    trace::SiteRecords records() const { return records_of(op_->record); }
    /// The same for another record of the same visit that is merged into the operation.
    trace::SiteRecords records_of(std::uint16_t record) const;
    LaneMask active() const { return active_; }
    /// Whether the next visit has only other lanes of the warp, which have yet to reach this barrier.
    bool others_follow() const;
    /// Whether the next visit is not of the next block in the text: control jumps.
    bool jumps() const;
    void advance();

  private:
    std::uint32_t step_of(const MachineOp& op) const;
    void enter_visit();
    bool enter_skipped();
    bool unrolls(const MachineBlock& block) const;
    void read_records(std::uint32_t visits);
    void leave_out_fruitless_rounds();
    bool saved_by_full_warps();

    const trace::Trace* trace_;
    const trace::RecordedSites* sites_;
    const MachineProgram* code_;
    PollingLoops* polls_;
    const trace::WarpRecord* warp_;
    trace::RecordCursor cursor_;
    std::uint64_t visit_;  // the visit of op(), or the first of an unrolled group
    std::uint64_t visits_in_group_ = 0;
    std::uint64_t first_step_ = 0;  // the first step of that visit
    LaneMask active_;
    std::vector<trace::SiteRecords> records_;  // of the group's visits, consecutive
    std::size_t records_per_visit_ = 0;
    const MachineOp* op_ = nullptr;
    const MachineOp* end_ = nullptr;
    bool in_skipped_ = false;
    std::shared_ptr<const ThreadsByBasicBlock> full_warps_;
    std::uint32_t lanes_of_warp_ = 0;  // with full_warps_; 0: without
    double left_out_ = 0;              // since a visit was issued: what was left out, in full warps
};

}  // namespace warplens::simt
