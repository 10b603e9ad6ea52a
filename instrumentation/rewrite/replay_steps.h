// ReplayStep: the part of a kernel that computes what follows from its launch: parameters, thread and block
// indices, constants, and memory that the kernel only reads. What it computes is not recorded: the host
// executes the steps again along the visits of a warp (instrumentation/decode/replay.h).
#pragma once

#include <cstdint>

#include "core/program.h"

namespace warplens::instrumentation {

enum class ReplayOp : std::uint8_t {
    move,
    add,
    subtract,
    multiply,  // the low bits of the product: of multiplied halves all of it
    multiply_high,
    multiply_add,  // first * second + third
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,
    bit_not,
    negate,
    minimum,
    maximum,
    divide,
    remainder,
    equal,
    unequal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    select,  // third ? first : second
    load,    // what stood at address first + second in the launch's memory, before the launch
};

/// What a step reads. `number` is a slot, the constant itself, an axis (0: x), a byte of the parameter space
/// or an index into RecordingPlan::symbols.
struct ReplaySource {
    enum class Kind : std::uint8_t {
        none,
        slot,
        constant,
        thread,       // %tid
        block,        // %ctaid
        block_shape,  // %ntid
        grid_shape,   // %nctaid
        lane,
        parameter,  // eight bytes from there on, fewer at the end
        symbol,     // its address in its own space
        shared_window,
        local_window,
    };
    Kind kind = Kind::none;
    bool negated = false;  // of a guard
    std::uint64_t number = 0;
};

/// Slots hold the registers that are replayed, one value of 64 bits for each lane, as wide as the register
/// and filled up with zeros; predicates are 0 or 1.
struct ReplayStep {
    SiteId site = 0;  // the instruction
    ReplayOp op = ReplayOp::move;
    std::uint8_t bits = 64;         // of what is read: 1, 8, 16, 32 or 64; shift_left and _right: of `first`
    std::uint8_t result_bits = 64;  // of what is written
    bool is_signed = false;
    std::uint32_t result = 0;  // slot
    ReplaySource first, second, third, guard;
};

/// A guard whose lanes are not recorded, since its predicate is replayed.
struct ReplayedGuard {
    SiteId site = 0;  // the guarded instruction
    std::uint32_t slot = 0;
    bool negated = false;
};

}  // namespace warplens::instrumentation
