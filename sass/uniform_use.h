// The uniform registers that an instruction reads and writes.
#pragma once

#include <cstdint>

#include "sass/decoder.h"
#include "sass/live_registers.h"

namespace warplens::sass {

/// In the order written; URZ is left out. How many registers an operand takes is known for what ptxas makes
/// of integers, addresses and descriptors; of other instructions only the first is named.
RegisterUse uniform_use(const Instruction& instruction, int sm);

}  // namespace warplens::sass
