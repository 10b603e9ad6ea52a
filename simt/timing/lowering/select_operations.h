// Converts the operations of a block to machine operations, with the tables selection.def and
// machine_operations.def. Values stay values; registers are numbered by lower.cpp.
#pragma once

#include <map>
#include <span>

#include "simt/timing/lowering/code.h"
#include "simt/timing/machine_code.h"
#include "trace/query.h"

namespace warplens::simt::lowering {

/// A machine operation whose operands are still values.
struct Issue {
    MachineOp op;
    std::vector<Value> sources, results;
    std::vector<std::uint16_t> merged_records;
    bool holds = false;           // the warp always waits for it
    bool fixed = false;           // keeps its position: volatile accesses and clock reads
    bool reads_constant = false;  // a load from memory that the launch does not write (ld.global.nc)
};

struct SelectionContext {
    const SmTiming& timing;
    const trace::RecordedSites& recorded;
    std::map<std::string, int> unknown;  // opcodes without a row, with their counts
};

/// Adds the intermediate values of longer sequences to `code`.
std::vector<Issue> select_operations(Code& code, std::span<const Operation> operations, BasicBlockId block,
                                     SelectionContext& context);

/// The same operations if all lanes are predicated off: they take their slots and pipes and do nothing. They
/// belong to `site`, the branch that the predicate replaces.
std::vector<Issue> predicated_off(std::span<const Issue> issues, SiteId site);

/// Makes operations wait for a preceding branch inside a sequence, BSSY or BSYNC, as the warp does.
void hold_behind_control(Code& code, std::vector<Issue>& issues);

}  // namespace warplens::simt::lowering
