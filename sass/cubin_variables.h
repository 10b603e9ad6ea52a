// The variables of a cubin that are reached through addresses in constant bank 4.
#pragma once

#include "core/elf.h"
#include "sass/cubin.h"

namespace warplens::sass {

/// Fills the cubin's variables and its constant bank 4.
void read_variables(const ElfFile& elf, Cubin& cubin);

}  // namespace warplens::sass
