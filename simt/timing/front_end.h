// FrontEnd: hands out one warp's machine operations in order, with the PTX step each stands for and the
// request it makes. It walks the warp's visits as the Trace has them, but for polls that found nothing new.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/timing/machine_code.h"
#include "simt/timing/polling_loops.h"
#include "trace/query.h"

namespace warplens::simt {

class FrontEnd {
  public:
    FrontEnd(const trace::Trace& trace, const trace::RecordedSites& sites, const MachineProgram& code,
             PollingLoops& polls, const trace::WarpRecord& warp);

    /// The next operation; nullptr at the warp's end.
    const MachineOp* op() const { return op_; }
    /// The PTX step it stands for: index within the warp.
    std::uint32_t step() const;
    /// What its execution left in the Trace; nothing for an operation without a record.
    trace::SiteRecords records() const { return records_of(op_->record); }
    /// The same for another record of the same visit: one merged into the operation.
    trace::SiteRecords records_of(std::uint16_t record) const;
    LaneMask active() const { return active_; }
    /// The next visit is of other lanes of the warp only: they are still to reach this barrier.
    bool others_follow() const;
    /// The visit after this one is not the block behind this one: control jumps.
    bool jumps() const;
    void advance();

  private:
    void enter_visit();
    bool enter_skipped();
    bool unrolls(const MachineBlock& block) const;
    void read_records(std::uint32_t visits);
    void leave_out_fruitless_rounds();

    const trace::Trace* trace_;
    const trace::RecordedSites* sites_;
    const MachineProgram* code_;
    PollingLoops* polls_;
    const trace::WarpRecord* warp_;
    trace::RecordCursor cursor_;
    std::uint64_t visit_;  // the one op() belongs to, or the first of an unrolled group
    std::uint64_t visits_in_group_ = 0;
    std::uint64_t first_step_ = 0;  // of that visit
    LaneMask active_;
    std::vector<trace::SiteRecords> records_;  // of the group's visits, one after another
    std::size_t records_per_visit_ = 0;
    const MachineOp* op_ = nullptr;
    const MachineOp* end_ = nullptr;
    bool in_skipped_ = false;
};

}  // namespace warplens::simt
