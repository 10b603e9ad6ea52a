// Turns the operations of a block into machine operations, by the tables selection.def and
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
    bool holds = false;  // the warp waits for it whatever comes next
    bool fixed = false;  // keeps its place: volatile accesses and reads of a clock
};

struct SelectionContext {
    const SmTiming& timing;
    const trace::RecordedSites& recorded;
    std::map<std::string, int> unknown;  // opcodes without a row, and how often
};

/// `code` gets the values that longer sequences keep between their operations.
std::vector<Issue> select_operations(Code& code, std::span<const Operation> operations, BasicBlockId block,
                                     SelectionContext& context);

/// The same operations as a warp issues them when no lane wants them: they take their slots and pipes and do
/// nothing. They stand for `site`, the branch they were predicated on.
std::vector<Issue> predicated_off(std::span<const Issue> issues, SiteId site);

/// Lets what follows a branch inside a sequence, BSSY or BSYNC wait for it, as the warp does.
void hold_behind_control(Code& code, std::vector<Issue>& issues);

}  // namespace warplens::simt::lowering
