// Builds a user's program for the host: by the compiler of this machine, with the headers in
// assets/host_program in place of a CUDA Toolkit's. Nothing of it is executed here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"

namespace warplens::instrumentation {

struct ProgramRequest {
    std::string path;    // of the source, as given
    std::string source;  // its text
    std::vector<std::string> include_paths, defines;
    std::string headers;  // assets/host_program
    std::string folder;   // for the program and all that belongs to it; it is made where it does not exist
};

/// The executable. It is kept in the folder: the same sources are not compiled again. Errors: there is no
/// compiler, or its first message with the user's line.
Result<std::string> build_program(const ProgramRequest& request, const std::function<bool()>& cancelled);

}  // namespace warplens::instrumentation
