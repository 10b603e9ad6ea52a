// The hash of which lanes were together: of each visit of a block that hashes_lanes, or is tallied, it takes
// the active lanes, when the next one begins. Where lanes cannot meet again within a loop, each pass only
// replaces what the pass before left: one instruction, and the last pass of a lane shows all others. Where
// they meet in a loop and go around it by one way, the hash takes them where they meet and not where the loop
// begins.
#pragma once

#include <string>
#include <vector>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// Takes hashes_lanes from blocks where loops begin to which lanes go on together from a visit that the hash
/// has, in each pass: their own visit follows. `gives_way`: by block, lanes give way there.
void leave_out_beginnings_of_loops(Draft& draft, const std::vector<bool>& gives_way);

/// Once every hashes_lanes is known: BlockPlan::hashes_last_pass and precedes_loop.
void find_last_passes(Draft& draft);

/// Shares the hash and the lanes that it has not taken yet, and sets them to 0.
void begin_hash_of_lanes(Draft& draft, FunctionDraft& function);

/// A visit of the block begins.
std::string hash_active_lanes(Draft& draft, FunctionDraft& function, BasicBlockId block);

/// A visit of one that precedes_loop ends.
std::string hash_last_lanes(const Draft& draft, BasicBlockId block);

/// At the end of a block with BlockPlan::hashes_branch, whose branch has the guard.
std::string hash_branch(const ptx::Guard& guard);

/// Sets `hash`, a register, to what a lane leaves at its end.
std::string end_hash_of_lanes(const FunctionDraft& function, std::string_view hash);

}  // namespace warplens::instrumentation
