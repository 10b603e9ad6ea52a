// The launch that a file's own host code makes, as a draft: what instrumentation/host_code/ could follow
// takes the place of guesses from names, and says the line it comes from.
#pragma once

#include <string>
#include <vector>

#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {

/// The launches in the file's host code, in their order; none for PTX. `entries`: kernels whose occupancy the
/// host code may ask for; of others it is assumed.
host_code::HostCode host_code_of(const KernelFile& kernel, const std::vector<EntryFacts>& entries = {});

/// The kernel that takes longest of those that the host code launches, as guessed from its instructions and
/// the launch's size; of equals the first. Null when it launches none of them.
const EntryFacts* longest_launched(const host_code::HostCode& code, const std::vector<EntryFacts>& entries);

/// The guess from names and types, with the values of the entry's first launch in place, and with the
/// launches before it that its buffers need, as far as they are of `entries`.
LaunchDraft guess_launch(const EntryFacts& entry, const KernelFile& kernel, const host_code::HostCode& code,
                         const std::vector<EntryFacts>& entries = {});

/// One sentence for each variable of the device that the host fills in a way that is not followed.
std::vector<std::string> unfilled_variables(const KernelFile& kernel, const host_code::HostCode& code);

/// One sentence a line: what was guessed and from where; what the host does that the launch cannot have.
std::vector<std::string> guessed_values(const LaunchDraft& draft, const KernelFile& kernel,
                                        const host_code::HostCode& code);

}  // namespace warplens::instrumentation
