// The memory layout of a kernel's variables and parameters: offsets in declaration order, each at its
// alignment.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"
#include "ptx/module.h"
#include "ptx/reachable.h"

namespace warplens::ptx {

/// Bytes: as declared, or those of the type (times the vector width).
std::uint32_t alignment_of(const VariableDeclaration& variable);

/// Shared, constant and global variables that the kernel uses, each space from offset 0. In shared memory
/// module variables come first, then those of the functions; extern ones share the dynamic memory after all
/// others.
std::vector<Variable> lay_out_variables(const Module& module, const Reachable& reachable);

std::vector<Parameter> lay_out_parameters(const Function& entry);

}  // namespace warplens::ptx
