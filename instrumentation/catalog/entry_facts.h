// EntryFacts: one kernel of a compiled file as somebody sees it who has to launch it: its names, its
// parameters as the machine takes them, how large a block its author allows, and how long a thread may run.
#pragma once

#include <cstdint>
#include <functional>
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
    /// Blocks of so many threads, with so many bytes of dynamic shared memory, that an SM of an H200 holds;
    /// not set: the registers are not known.
    std::function<std::int64_t(std::int64_t threads, std::int64_t dynamic_shared_bytes)> blocks_per_sm = {};
};

}  // namespace warplens::instrumentation
