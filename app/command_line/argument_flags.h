// The arguments of a launch as --arg gives them, put into a kernel's declaration.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// One --arg: "f32=2.5" adds a scalar, "buffer:f32[1048576]=iota" a buffer named after its position.
/// `parameters`: the names by which later arguments may call it, too; may be empty.
Status add_argument(const std::string& text, const std::vector<std::string>& parameters,
                    instrumentation::KernelFile& kernel);

/// Buffers and images of --arg are called as the kernel's parameters, where their names are known, and no
/// other is called so: "arg0" becomes "in", "arg1_0" of a structure "matrix_0".
void name_by_parameters(const std::vector<std::string>& parameters, instrumentation::KernelFile& kernel);

}  // namespace warplens::app
