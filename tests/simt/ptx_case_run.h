// Runs a PtxCase on a kernel of either level and compares what it stores with the values in the case's
// comment.
#pragma once

#include <string>

#include "simt/functional/engine.h"
#include "tests/simt/ptx_case.h"

namespace warplens {

/// `parameters` is the program of the PTX level, which knows where they lie. `file` is for messages.
void run_ptx_case(const simt::Kernel& kernel, const Program& parameters, const PtxCase& ptx_case,
                  const std::string& file);

}  // namespace warplens
