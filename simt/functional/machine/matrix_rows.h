// The operands of matrix instructions as rows of registers.
#pragma once

#include "simt/functional/machine/lowering.h"

namespace warplens::simt {

/// The fragment in the registers from `first` on; in pairs of them where an element has 64 bits.
MatrixOp::Operand matrix_operand(Lowering& lowering, const MatrixFragment& fragment, Row first);
/// Its index in DecodedKernel::matrices.
u32 keep_matrix(Lowering& lowering, MatrixOp matrix);

}  // namespace warplens::simt
