// What CUDA's own functions take, where the compiler's words about a wrong call do not tell a reader.
#pragma once

#include <string>

#include "instrumentation/compile/compile_log.h"

namespace warplens::instrumentation {

/// "; __reduce_add_sync takes 32-bit integers only, …"; empty where nothing is known of the error.
std::string known_misuse(const Diagnostic& error);

}  // namespace warplens::instrumentation
