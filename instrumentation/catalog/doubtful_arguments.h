// Arguments of a launch whose memory is a guess, so that a problem may be the guess's and not the kernel's.
#pragma once

#include <string>
#include <vector>

#include "instrumentation/catalog/launch_draft.h"

namespace warplens::instrumentation {

/// A buffer of its own whose length follows from names and types alone.
bool has_guessed_length(const DraftArgument& argument);

/// A clause: how the buffer's contents come to be, where the host has not put them in; empty: it has.
std::string contents_words(const DraftArgument& argument);

/// Its contents are other numbers than the program's, or follow from some that are.
bool has_other_contents(const DraftArgument& argument);

/// Guessed, and its elements are addresses, which only a run of the program gives: `float**`.
bool is_table_of_pointers(const DraftArgument& argument);

/// A clause: the guessed arguments that an index may follow from, so that a bad address may be their fault;
/// empty: there are none.
std::string doubtful_indices(const LaunchDraft& draft);

/// One sentence for buffers with a guessed length, one for each structure of which nothing is known, and one
/// for dynamic shared memory of unknown size.
std::vector<std::string> doubtful_arguments(const LaunchDraft& draft);

}  // namespace warplens::instrumentation
