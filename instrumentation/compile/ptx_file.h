// A user's .ptx file as if it had been compiled: its unchanged text, its entries, and what the assembler
// gives each where one is installed. It is read, never changed; a file that does not parse is an error with
// its line.
#pragma once

#include <string>

#include "core/result.h"
#include "instrumentation/compile/compiler.h"

namespace warplens::instrumentation {

struct PtxFile {
    Compiled compiled;
    std::string unknown;  // why registers are not known: one sentence; empty when they are
};

/// `name` stands in messages. `target` is the machine wanted; code for a newer one is assembled for its own.
Result<PtxFile> compile_ptx_file(const std::string& name, const std::string& text, const std::string& target);

}  // namespace warplens::instrumentation
