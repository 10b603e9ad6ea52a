// EntryFacts: one kernel of a compiled file as somebody sees it who has to launch it: its names, its
// parameters as the machine takes them, how large a block its author allows, and how long a thread may run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"

namespace warplens::instrumentation {

struct EntryFacts {
    std::string symbol;  // in the PTX, mangled
    std::string name;    // "saxpy", "sums::reduce<256>"; with its arguments where several share it
    std::vector<Parameter> parameters;  // in order
    std::uint64_t most_threads = 0;     // of a block, by __launch_bounds__; 0: nothing said
    double instructions = 0;            // a guess of what a thread executes: ptx::guessed_instructions
};

}  // namespace warplens::instrumentation
