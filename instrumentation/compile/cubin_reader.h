// Registers, static shared memory and stack of every kernel in a cubin, read from its ELF sections, so that
// occupancy is exact with no GPU and no toolkit. Nothing else of the machine code is looked at.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/result.h"
#include "instrumentation/compile/compiler.h"

namespace warplens::instrumentation {

/// By kernel name. `cubin` may hold anything: damage is an error, never a crash.
Result<std::map<std::string, EntryResources>> read_cubin(std::string_view cubin);

}  // namespace warplens::instrumentation
