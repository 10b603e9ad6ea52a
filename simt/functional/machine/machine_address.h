// Addresses of machine code: a register or a pair, a uniform register or a pair, and an offset.
#pragma once

#include "simt/functional/machine/lowering.h"

namespace warplens::simt {

/// Puts the instruction's address together in a scratch row and names it in `access`, whose space is set.
/// False: an address of a form that is not executed.
bool lower_address(Lowering& lowering, DecodedOp& access);
/// The same for the engine's loads and stores, which add an offset to registers themselves; the other fields
/// of `access` are set. Sets its window.
bool lower_access_address(Lowering& lowering, DecodedOp& access, bool load);
/// The same of one address among several: the row, 8 bytes per lane, that has it.
Row lower_address(Lowering& lowering, const sass::Operand& address, Space space);

/// Adds `access` with that executor, guarded as the instruction is.
void complete(Lowering& lowering, const DecodedOp& access, Execute execute);

/// Shared memory begins at this address: the range below belongs to the system.
u32 shared_base(int sm);

}  // namespace warplens::simt
