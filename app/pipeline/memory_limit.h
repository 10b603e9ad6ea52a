// What a launch may hold in memory. Sizes that a file names are compared with it before anything of them is
// allocated.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace warplens::app {

/// Bytes that a launch's buffers may have, and likewise its module's variables: a third of the free memory,
/// since a run may hold each byte twice (before and after, for the golden check; as the code's initial value
/// and in the run) and marks for the written ones.
std::uint64_t memory_limit();

/// Names and bytes of the variables of a file's module. The error has both numbers.
Status check_variables(const std::string& file,
                       const std::vector<std::pair<std::string, std::uint64_t>>& variables,
                       std::uint64_t limit = memory_limit());

}  // namespace warplens::app
