// Loops in which lanes would log one branch alone, that by which they leave it: instead of a bit for each
// visit they count the visits, in one instruction, and log the number when they have left.
#pragma once

#include <optional>
#include <string>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// Bits that a lane's passes take at most, with that of BlockPlan::logs_left.
inline constexpr std::uint32_t most_pass_bits = 16;

/// Sets BlockPlan::counted_loop and logs_left, in every form: once it is known which branches are replayed.
void find_counted_loops(Draft& draft);

/// Whether the block's branch counts its passes if it is logged.
bool can_count_passes(const Draft& draft, BasicBlockId block);

/// Once every logs_branch is known: BlockPlan::counts_passes, RecordingPlan::pass_bits.
void count_passes(Draft& draft);

/// A block to which lanes come that have left a loop whose passes they counted.
struct LeftLoop {
    BasicBlockId branch = no_index;  // that counts_passes
    bool by_branch = false;          // they left the loop by it
};
std::optional<LeftLoop> left_loop(const Draft& draft, BasicBlockId block);

/// Shares the count, and sets it to 0, if there is one.
void begin_count(Draft& draft, FunctionDraft& function);

/// A visit of a block that counts_passes ends.
std::string count_pass(const Draft& draft, BasicBlockId block);

/// A visit of any block begins: logs the passes of lanes that have left a loop.
std::string log_passes(const Draft& draft, BasicBlockId block);

}  // namespace warplens::instrumentation
