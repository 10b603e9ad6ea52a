// The executors of lane-wise instructions and of the fast memory accesses, as tables of rows. A new lane-wise
// instruction is one ExecutorRow in the file of its family. The decoder finds rows by key.
#pragma once

#include <span>
#include <string_view>

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// `key`: opcode, then the modifiers that change the result in alphabetical order, then the types
/// ("add.ftz.sat.f32"); rounding to nearest is left out. `operands`: one letter each, the result first: w: 32
/// bits per lane (also for 8 and 16-bit values), d: 64 bits, p: predicate; with f, D, h and b an immediate is
/// of that floating-point type: f: f32, D: f64, h: f16, b: bf16.
struct ExecutorRow {
    const char* key;
    const char* operands;
    Execute execute;
};

/// nullptr if there is none. The table has the variant for this machine's vector instructions.
const ExecutorRow* find_executor(std::string_view key);

using ExecutorRows = std::span<const ExecutorRow>;

}  // namespace warplens::simt
