// The control-flow graph of one function's machine code: basic blocks, edges, and where instructions jump.
// A jump through a table (BRX) has the edges that the cubin lists; RET and calls of a register have none:
// where they go is known only when they run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sass/cubin.h"
#include "sass/instruction.h"

namespace warplens::sass {

/// The effect of an instruction on the program counter.
enum class Flow : std::uint8_t {
    next,      // nothing
    branch,    // may go to its target
    indirect,  // jumps to the address in a register
    call,      // calls a function and returns
    leave,     // EXIT, RET
    barrier    // waits for other lanes or warps: no jump, but a basic block ends
};

Flow flow_of(const Instruction& instruction);

/// BSYNC, WARPSYNC: lanes that wait there may execute it once more when they go on, without what comes before
/// it, so that a basic block begins with it.
bool may_be_executed_again(const Instruction& instruction);

/// CALL.ABS: of a function by its address, which is in no code of the file.
bool calls_address(const Instruction& instruction);

/// The byte offset that a branch, a call, BSSY or WARPSYNC names; nothing when it names none.
std::optional<std::uint64_t> target_of(const Instruction& instruction);

/// Whether the instruction may be skipped, or skipped by some lanes: guarded, or a branch with a condition.
bool is_conditional(const Instruction& instruction);

struct MachineBlock {
    std::uint32_t first = 0, count = 0;     // instructions
    std::vector<std::uint32_t> successors;  // blocks: taken branch first, then the next
    std::optional<std::uint32_t> target;    // block that the branch at its end goes to
};

/// Blocks in text order; they end after branches, calls, exits and barriers, and begin at targets.
/// `indirect`: as the function's cubin lists them.
std::vector<MachineBlock> build_control_flow(std::span<const Instruction> instructions,
                                             std::span<const IndirectBranch> indirect);

}  // namespace warplens::sass
