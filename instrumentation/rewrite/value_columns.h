// Values of addresses outside of records: each lane appends those of its visits to a column of words of its
// own in the warp's slab, without a branch and without asking who else is there. Lanes that are together
// write the words side by side. The host takes them from the columns again, visit by visit.
#pragma once

#include <string>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// Moves the values that the block's record would hold to BlockPlan::lane_values, where the lanes have
/// columns and no ballot needs the record.
bool move_to_columns(Draft& draft, BasicBlockId block);

/// The columns' room in the slab: RecordingPlan::value_words. Once the plan of all blocks is made, and it is
/// known whether lanes have parts.
void plan_columns(Draft& draft);

/// Registers of the columns: shares them, and returns what sets them. `%warplens_slab` is set already.
std::string begin_columns(Draft& draft, FunctionDraft& entry);

/// A store of a visit's words, %w0, %w1, …, which the text before it has set.
std::string store_in_column(const Draft& draft, const PayloadStore& store);

/// Where a lane's place in its column has come to when it is full.
std::uint32_t last_value_place(const Draft& draft);

}  // namespace warplens::instrumentation
