// What a kernel can reach in its module: the functions it may call and the variables it names, directly or
// through initialisers (tables of function pointers). Everything else takes no memory in its launch. Kernels
// that it launches are grids of their own, and not reached.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "ptx/module.h"

namespace warplens::ptx {

struct Reachable {
    /// Indices into Module::functions: the entry, then the others in text order; those with a body.
    std::vector<std::uint32_t> functions;
    /// Indices into Module::variables, in text order.
    std::vector<std::uint32_t> variables;
    /// Names used by any of the functions; says whether a function's own variable is used.
    std::vector<std::string_view> names;  // sorted, unique
    bool uses(std::string_view name) const;
};

Result<Reachable> reachable_from(const Module& module, std::string_view entry);

}  // namespace warplens::ptx
