// What a basic block of machine code does with registers after an instruction: which of them are addresses of
// its loads and stores.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sass/live_registers.h"
#include "simt/functional/decode/examined_addresses.h"

namespace warplens::simt {

struct RegistersAhead {
    /// What the instruction writes; nothing when that is not known.
    std::optional<std::vector<sass::RegisterSpan>> written;
    /// How the first access whose address is a pair that it writes takes that, and one whose address is a
    /// pair that it reads and leaves as it is. count 0: there is none in the block.
    AddressRegister result{0, 0}, source{0, 0};
};

/// For each instruction of a block. Only accesses of global memory are looked at.
std::vector<RegistersAhead> registers_ahead(std::span<const sass::Instruction> block, int sm);

/// The registers that the instruction writes are not examined any more.
void forget_written(const RegistersAhead& of, ExaminedAddresses& examined);

}  // namespace warplens::simt
