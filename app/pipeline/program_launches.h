// All launches of a program, run from its beginning to its end on the CPU engine: what an engineer looks at
// first to find the kernel that matters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/pipeline/program_inputs.h"

namespace warplens::app {

/// The launches of one kernel with one grid and block, in the order of the first.
struct ProgramKernel {
    std::string kernel;
    std::uint32_t line = 0;  // of the first launch
    Dim3 grid, block;
    std::uint64_t launches = 0;
    std::uint64_t executed = 0;    // of them
    std::uint64_t steps = 0;       // warp-instructions of all that were executed
    std::uint64_t modelled = 0;    // of them have a modelled time
    double seconds = 0;            // the sum of those times
    std::string problem;           // the first one; empty: none
    std::string why_not_executed;  // of the first that was not

    /// Of all its launches: those without a modelled time count as the mean of the others.
    double all_seconds() const {
        return modelled > 0 ? seconds / static_cast<double>(modelled) * static_cast<double>(launches) : 0;
    }
};

struct ProgramLaunches {
    std::vector<ProgramKernel> kernels;
    std::string printed;                         // what the program printed, the last of it
    std::string failed;                          // how the program ended, where it did not end well
    std::vector<std::string> missing_variables;  // of the device, that launches may have changed
};

/// The request names no kernel. Errors: there is nothing to run.
Result<ProgramLaunches> program_launches(Pipeline& pipeline, const ProgramInputsRequest& request);

}  // namespace warplens::app
