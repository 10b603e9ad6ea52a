// Addresses of machine code: a register or a pair, a uniform register or a pair, and an offset.
#pragma once

#include <optional>

#include "simt/functional/machine/lowering.h"

namespace warplens::simt {

/// One lane's data of a load or store; of the modifier `access`, by its name.
struct AccessWidth {
    u8 element_bytes = 4, elements = 1;
    bool sign = false;
};
std::optional<AccessWidth> width_of(std::string_view name);

/// Puts the instruction's address together in a scratch row and names it in `access`, whose space is set.
/// False: an address of a form that is not executed.
bool lower_address(Lowering& lowering, DecodedOp& access);
/// The same for the engine's loads and stores, which add an offset to registers themselves; the other fields
/// of `access` are set. Sets its window.
bool lower_access_address(Lowering& lowering, DecodedOp& access, bool load);
/// The same of one address among several: the row, 8 bytes per lane, that has it.
Row lower_address(Lowering& lowering, const sass::Operand& address, Space space);

/// The pair that a load or store of global memory has its address in, but for a constant; nothing when the
/// instruction is not one or its address is of another form.
std::optional<AddressRegister> accessed_pair(const sass::Instruction& instruction, int sm);

/// A sum of a pair and a product of a factor that may differ from lane to lane and one that does not.
struct AddressSum {
    Row result = 0, factor = 0, constant = 0;
    u32 pair = 0;  // the register
    bool is_signed = false;
};
/// Adds the operation with that executor, and flags, and rows in this order; where its result is an address
/// and the pair is one whose examination is known, both are examined together.
void add_address_sum(Lowering& lowering, std::string_view key, u32 flags, const AddressSum& sum);

/// Adds `access` with that executor, guarded as the instruction is.
void complete(Lowering& lowering, const DecodedOp& access, Execute execute);

/// Shared memory begins at this address: the range below belongs to the system.
u32 shared_base(int sm);

}  // namespace warplens::simt
