// What the modifiers of an instruction on single precision ask for, as an operation of the PTX level.
#pragma once

#include <optional>
#include <string>

#include "simt/functional/machine/lowering.h"

namespace warplens::simt {

struct SingleOperation {
    Execute execute = nullptr;
    u32 flags = 0;
};

/// "FTZ", of either kind of column; nothing when the mode is none that the engine has.
std::optional<bool> flushes(const Lowering& lowering);
/// How it rounds, as flags of lanewise operations; 0: to nearest.
u32 rounding_flags(const Lowering& lowering);
/// `opcode` ("add", "mul", "fma") of f32, rounded, flushed and saturated as the instruction says. Nothing
/// when the engine has none.
std::optional<SingleOperation> single_operation(const Lowering& lowering, const std::string& opcode);

}  // namespace warplens::simt
