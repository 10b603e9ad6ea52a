// Constant proposals: another value of a number in the file's text from which its own host code makes the
// block — `#define BLOCK_SIZE 256`, `const int threads = 256;`. The host code is followed again with the
// changed text, so that grid and shared memory are what the program would then launch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/find_entries.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// Of blocks that are tried.
inline constexpr std::uint64_t least_threads = 64, most_threads = 1024;

/// Those after which the host code launches other blocks of the kernel with the same arguments and buffers.
/// Empty where the launch is not the host code's: a header, flags or the form say it.
std::vector<Proposal> proposed_constants(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries);

}  // namespace warplens::app
