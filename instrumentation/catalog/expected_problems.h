// Kernels that are wrong on purpose: their header says when (`wrong`), and comments after the lines say what
// is to be found there: "// expect: shared_race uninitialised_read". A race has two such lines.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// Lines by kind, as marked in the source.
using ExpectedProblems = std::map<std::string, std::set<std::uint32_t>>;
ExpectedProblems expected_problems(const std::string& source);

/// Whether the header calls the kernel wrong with these parameters.
Result<bool> is_wrong_on_purpose(const KernelFile& kernel, const Values& parameters);

}  // namespace warplens::instrumentation
