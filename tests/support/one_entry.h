// One entry of a module of many, so that a test over all entries does not read the whole text for each.
#pragma once

#include <string>

#include "ptx/module.h"
#include "ptx/printer.h"
#include "ptx/reachable.h"

namespace warplens::tests {

/// `module` without its other entries, but with those that the entry names, to launch them.
inline ptx::Module with_one_entry(const ptx::Module& module, const std::string& entry) {
    ptx::Module one = module;
    one.functions.clear();
    const ptx::Reachable named = ptx::reachable_from(module, entry).value();
    std::vector<std::uint32_t> kept_before{0};
    for (const ptx::Function& function : module.functions) {
        if (!function.is_entry || function.name == entry || named.uses(function.name))
            one.functions.push_back(function);
        kept_before.push_back(static_cast<std::uint32_t>(one.functions.size()));
    }
    for (ptx::VariableDeclaration& variable : one.variables)
        variable.functions_before = kept_before[variable.functions_before];
    return one;
}

/// Such a kernel is not recorded on a GPU.
inline bool launches_grids(const ptx::Module& module, const std::string& entry) {
    return with_one_entry(module, entry).entries().size() > 1;
}

}  // namespace warplens::tests
