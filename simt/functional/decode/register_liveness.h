// Which registers of a function are live at the start of a basic block: which may be read there or later
// before they are written.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/program.h"
#include "ptx/program.h"

namespace warplens::simt {

/// One function of a program, whose basic blocks are consecutive.
struct FunctionBlocks {
    const ptx::Function& function;
    std::uint32_t index = 0;  // in Module::functions, as SiteOrigin names it
    BasicBlockId first = 0;
    const std::unordered_map<std::string_view, std::uint32_t>& labels;  // to their basic blocks
};

/// For each of `blocks`, which belong to the function: by register index, whether it is live at the start.
/// Functions that jump through a table are not analysed: there every register counts as live.
std::vector<std::vector<bool>> live_registers(const FunctionBlocks& of, const Program& program,
                                              std::span<const ptx::SiteOrigin> origins,
                                              std::span<const BasicBlockId> blocks);

}  // namespace warplens::simt
