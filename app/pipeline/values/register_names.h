// The CUDA names of PTX registers, as far as the PTX and the line table tell.
#pragma once

#include <string>
#include <vector>

#include "core/program.h"
#include "ptx/module.h"

namespace warplens::app {

/// By register index; empty: not known. A register has a name if it holds a kernel parameter ("n"), a special
/// register ("threadIdx.x") or the address of an array ("tile"), also through moves; or if a line of the
/// source declares exactly one variable, and of all that the line computes exactly one value, of the same
/// kind, is used on other lines, while the line computes no register that other instructions change.
std::vector<std::string> register_names(const ptx::Function& function, const Program& program);

}  // namespace warplens::app
