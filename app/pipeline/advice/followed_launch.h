// Followed launch: the launch that a file's own host code makes of its kernel, and that of a changed text, so
// that grid and shared memory are what the program would then launch.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/find_entries.h"
#include "instrumentation/catalog/host_launch.h"

namespace warplens::app {

struct FollowedLaunch {
    instrumentation::EntryFacts entry;
    std::string text;  // launch_text() of it
};
/// Nothing where the launch is not the host code's: a header, flags or the form say it. `symbol`: the
/// entry's.
std::optional<FollowedLaunch> follow_launch(const instrumentation::KernelFile& kernel,
                                            const std::string& symbol, const FindEntries& find_entries);

/// The kernel in a file whose text was changed: of a template the instance that the host code launches now.
std::optional<instrumentation::EntryFacts> entry_in(const instrumentation::KernelFile& kernel,
                                                    const instrumentation::EntryFacts& entry,
                                                    const FindEntries& find_entries);

/// The file with the launch that its own host code makes; nothing where it makes none, or one that cannot be.
std::optional<instrumentation::KernelFile> launched_by_host(const instrumentation::KernelFile& kernel,
                                                            const instrumentation::EntryFacts& entry);

/// Grid, block, arguments and buffers as text, to compare two launches.
std::string launch_text(instrumentation::KernelFile kernel, const std::string& entry);

/// Which argument or buffer of one launch is another in the other; empty: none.
std::string changed_data(const instrumentation::KernelFile& before, const instrumentation::KernelFile& after);

/// The launch that a changed text makes, as a file to run in place of the unchanged one's: what earlier
/// launches leave stays as it is.
instrumentation::KernelFile in_place_of(const instrumentation::KernelFile& kernel,
                                        instrumentation::KernelFile then,
                                        const instrumentation::EntryFacts& entry,
                                        const instrumentation::EntryFacts& entry_then);

/// A change of the text, with the launch that the host code then makes with the same block, arguments and
/// buffers. Nothing: it makes none, or another. `symbol`: the entry's; `words`: Change::launch.
std::optional<Proposal> with_followed_launch(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                             const std::string& symbol, Proposal changed,
                                             const FindEntries& find_entries, std::string words);

}  // namespace warplens::app
