// Reads one function's PTX into Code: operands become values, basic blocks are those of the trace, joined by
// the edges of the function's control flow.
#pragma once

#include <span>

#include "ptx/program.h"
#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// `function_index` into the module; `numbered` is the kernel's; `blocks` are those of the function,
/// ascending, without empty ones.
Code read_function(const ptx::Module& module, std::uint32_t function_index,
                   const ptx::NumberedProgram& numbered, std::span<const BasicBlockId> blocks);

}  // namespace warplens::simt::lowering
