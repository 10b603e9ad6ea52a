// All launches of a program, run from its beginning to its end on the CPU engine: what an engineer looks at
// first to find the kernel that matters.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "app/pipeline/program_inputs.h"

namespace warplens::app {

/// The launches of one kernel with one grid and block, in the order of the first.
struct ProgramKernel {
    std::string kernel;
    std::string symbol;      // EntryFacts::symbol; empty: it is none of the compiled kernels
    std::uint32_t line = 0;  // of the first launch
    Dim3 grid, block;
    std::uint32_t busiest = 1;  // of all launches of the kernel, from 1: the one of these with most steps
    std::uint64_t launches = 0;
    std::uint64_t executed = 0;    // of them
    std::uint64_t steps = 0;       // warp-instructions of all that were executed
    std::uint64_t most_steps = 0;  // of the busiest
    std::uint64_t modelled = 0;    // of them have a modelled time
    double seconds = 0;            // the sum of those times
    /// Grids that its threads launch, and their warp-instructions: in no other number.
    std::uint64_t grids_below = 0, steps_below = 0;
    std::string problem;           // the first one; empty: none
    std::string why_not_executed;  // of the first that was not

    /// Of all its launches: those without a modelled time count as the mean of the others.
    double all_seconds() const {
        return modelled > 0 ? seconds / static_cast<double>(modelled) * static_cast<double>(launches) : 0;
    }
};

struct ProgramLaunches {
    std::vector<ProgramKernel> kernels;
    std::string gpu;      // whose times are modelled
    bool ended = false;   // no: more launches may follow
    std::string printed;  // what the program printed, the last of it
    std::string failed;   // how the program ended, where it did not end well
    /// "cuBLAS": computed by the host. On a GPU they launch kernels, which are none of these.
    std::set<std::string> libraries;
};

/// All launches of one kernel, whatever their grids and blocks.
struct ProgramKernelSum {
    std::vector<const ProgramKernel*> shapes;  // those that take longest first; at least one
    std::uint64_t launches = 0, executed = 0, steps = 0, modelled = 0;
    double seconds = 0;  // ProgramKernel::all_seconds()

    const ProgramKernel& first() const { return *shapes.front(); }
};
/// What of the program is in no row, a sentence each.
std::vector<std::string> not_listed(const ProgramLaunches& program);

/// Those that take longest first. They point into `kernels`.
std::vector<ProgramKernelSum> by_kernel(const std::vector<ProgramKernel>& kernels);

/// The request names no kernel. `so_far` is called after each launch. What a cancelled run has listed is no
/// error. Errors: there is nothing to run.
Result<ProgramLaunches> program_launches(Pipeline& pipeline, const ProgramInputsRequest& request,
                                         const std::function<void(const ProgramLaunches&)>& so_far = {});

}  // namespace warplens::app
