// Records that are kept instead of written: where a warp makes few, each once at most, its lanes keep the
// words in a register each, and store them side by side when the warp ends, the head among them. A word takes
// two instructions and no memory; nothing is stored before the end.
#pragma once

#include <string>
#include <string_view>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// RecordingPlan::kept_words, where lanes can keep all records. Made once it is known that none but whole
/// warps record, and which blocks do. Draft::first_unit is then that behind the words.
void plan_kept_words(Draft& draft);

/// Shares the registers that keep words: before anything is kept, they have the clock of the warp's start.
void begin_kept_words(Draft& draft, FunctionDraft& entry);

// A sum over the warp that lanes keep needs no branch, and ptxas 13.0 puts REDUX under a predicate instead.
// Where that one is uniform, it names a predicate of the lanes with the same number (seen in bitonic_sort's
// proof, whose hash was wrong): the mask of those here is captured under a guard, so that it never is.

/// The lane of this word keeps `value`, a register or a number. Needs %warplens_place.
std::string keep_word(std::uint32_t word, std::string_view value);
/// Likewise, with 4 times the lane in a register.
std::string keep_word_by(std::string_view lane, std::uint32_t word, std::string_view value);

/// How a warp's head is stored.
struct HeadStores {
    std::string timer;   // of a block's first warp: what %sm and %timer say
    std::string stores;  // behind it, and all that other warps do
};

/// At the warp's end: its head joins the words, and all are stored. `last`: WarpHead::exit_mask. Needs %now,
/// %place, and what end_of_place() sets.
HeadStores end_kept_words(const Draft& draft, std::string_view last);

}  // namespace warplens::instrumentation
