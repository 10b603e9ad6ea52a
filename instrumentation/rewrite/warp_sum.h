// The hash of each lane that leaves goes into one word of the warp's first chunk: the sum over all lanes.
#pragma once

#include <string>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// Whether a warp is expected to be whole at its end, which is checked.
bool expects_whole(const Draft& draft);

/// Of a warp that is whole at every way out: WarpHead::exit_mask would hold nothing but its mask.
bool all_leave_at_once(const Draft& draft);

/// Whether the block is a return alone at which the recording has all lanes of a warp wait for each other: to
/// add up their hashes, or because some of them gave way before.
bool all_wait_at(const Draft& draft, BasicBlockId b);

/// Whether the sums ask who is here: %here, of those who leave.
bool sums_ask_who_is_here(const Draft& draft);

/// address_sum() of %warplens_hash and %lane_part, and tally_sum() of %all_lanes.
std::string sum_of_addresses(Draft& draft);
std::string sum_of_tallies(Draft& draft);

}  // namespace warplens::instrumentation
