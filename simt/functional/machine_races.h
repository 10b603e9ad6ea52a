// The search for races in machine code (RunOptions::races): which accesses are atomic, strong or fenced is
// read from the opcodes. They do not say what is volatile in shared memory; the PTX does, where there is one.
#pragma once

#include <memory>
#include <string_view>

#include "simt/functional/engine.h"

namespace warplens::simt {

/// `ptx`: the text that the machine code was assembled from, by whose lines its sites are named; else empty.
std::shared_ptr<LaunchRaces> watch_races(const Kernel& kernel, std::string_view ptx);

}  // namespace warplens::simt
