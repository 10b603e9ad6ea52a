// REDUX and CREDUX: the lanes' values become one, in a uniform register.
#pragma once

#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

/// Reduces the first operand by `execute`, a reduction over the active lanes, with its `flags`.
inline void reduce_to_uniform(Lowering& lowering, Execute execute, u32 flags) {
    const Row between = lowering.rows().scratch(1), source = lowering.plain(0);
    DecodedOp& op = lowering.add(execute);
    op.rows[0] = between;
    op.rows[1] = source;
    op.flags = flags;
    lowering.add_silent("machine.broadcast", {lowering.result(), between});
}

}  // namespace warplens::simt
