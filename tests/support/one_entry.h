#pragma once

#include <algorithm>
#include <string>

#include "ptx/module.h"
#include "ptx/printer.h"

namespace warplens::tests {

/// `module` without its other entries: a text of a hundred entries is otherwise read a hundred times as a
/// whole.
inline ptx::Module with_one_entry(const ptx::Module& module, const std::string& entry) {
    ptx::Module one = module;
    std::erase_if(one.functions,
                  [&](const ptx::Function& each) { return each.is_entry && each.name != entry; });
    return one;
}

}  // namespace warplens::tests
