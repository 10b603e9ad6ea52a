// What each instruction of a kernel does with values, read from the PTX: the input of
// analysis/warps/combine_flow.h.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/warps/combine_flow.h"
#include "core/result.h"
#include "ptx/module.h"

namespace warplens::app {

/// Of every site. Fails when the PTX does not have the entry.
Result<std::vector<analysis::ValueAct>> value_acts(const ptx::Module& module, std::string_view entry);

/// Whether a value that was combined can reach another thread and be combined again, judged from the text
/// alone: false is certain.
bool may_form_trees(const ptx::Module& module, std::string_view entry);

}  // namespace warplens::app
