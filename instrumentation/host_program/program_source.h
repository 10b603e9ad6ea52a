// A user's program as a host compiler takes it: device code is set aside, a kernel's body reports the launch
// with its arguments, and `k<<<…>>>(…)` becomes a call. Words such as __global__ are macros of the headers in
// assets/host_program, which also hold what the program calls. Every line keeps its number.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/host_code/preprocess.h"

namespace warplens::instrumentation {

/// `files`: the source, then the user's headers that it includes, under the names of their #include lines.
/// Errors name the line of what has no form that can be launched.
Result<std::vector<host_code::File>> program_source(const std::vector<host_code::File>& files,
                                                    const std::vector<std::string>& defines);

}  // namespace warplens::instrumentation
