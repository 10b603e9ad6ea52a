// Live registers: how many general registers hold a value that is still needed, instruction by instruction,
// over all paths of the control-flow graph. Where a path or a register's width is not known — indirect
// branches, calls, textures, rare forms of matrix products — there are no numbers. Uniform registers and
// predicates are not counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sass/program.h"

namespace warplens::sass {

struct RegisterSpan {
    std::uint16_t first = 0, count = 1;
    bool operator==(const RegisterSpan&) const = default;
};

/// General registers that an instruction reads and writes, in the order written; RZ is left out.
struct RegisterUse {
    std::vector<RegisterSpan> read, written;
};

/// Nothing: how wide its operands are is not known.
std::optional<RegisterUse> register_use(const Instruction& instruction);

struct LiveRegisters {
    /// One number per instruction: the registers live before it or after it, whichever are more. A register
    /// is live where its value may be read later and may have been written before. Empty: not known.
    std::vector<std::uint32_t> counts;
    /// Those that some path reads without a write before, writes under a guard counted: none in valid code.
    std::vector<std::uint16_t> read_before_written;
};
LiveRegisters live_registers(const MachineProgram& program);

}  // namespace warplens::sass
