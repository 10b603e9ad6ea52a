// Constant proposals: another value of a number in the file's text from which its own host code makes the
// block — `#define BLOCK_SIZE 256`, `const int threads = 256;`. The host code is followed again with the
// changed text, so that grid and shared memory are what the program would then launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/pipeline/find_entries.h"
#include "app/pipeline/proposals.h"
#include "app/pipeline/source_edits.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// A name that the text gives one decimal number. `place` replaces the number's digits by `place.text`, which
/// is empty.
struct NamedNumber {
    std::string name;
    std::uint64_t value = 0;
    Insertion place;
};
/// Macros, constants and variables of the source, in its order; of macros those whose line holds nothing
/// else.
std::vector<NamedNumber> named_numbers(const std::string& source);

/// Those after which the host code launches other blocks of the kernel with the same arguments and buffers.
/// Empty where the launch is not the host code's: a header, flags or the form say it.
std::vector<Proposal> proposed_constants(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries);

}  // namespace warplens::app
