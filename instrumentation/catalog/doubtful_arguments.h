// Arguments of a launch whose memory is a guess, so that a problem may be the guess's and not the kernel's.
#pragma once

#include <string>
#include <vector>

#include "instrumentation/catalog/launch_draft.h"

namespace warplens::instrumentation {

/// A buffer of its own whose length follows from names and types alone.
bool has_guessed_length(const DraftArgument& argument);

/// A clause: the guessed arguments that an index may follow from, so that a bad address may be their fault;
/// empty: there are none.
std::string doubtful_indices(const LaunchDraft& draft);

/// One sentence for buffers with a guessed length, one for each structure of which nothing is known, and one
/// for dynamic shared memory of unknown size.
std::vector<std::string> doubtful_arguments(const LaunchDraft& draft);

}  // namespace warplens::instrumentation
