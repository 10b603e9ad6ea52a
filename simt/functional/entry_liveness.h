// Which registers of a kernel may be read before they are written: the only ones a block must clear.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/program.h"
#include "ptx/program.h"

namespace warplens::simt {

/// By register index of the entry function, whose sites come first in the program. `labels` gives the basic
/// block of each of its labels.
std::vector<bool> read_before_written(const ptx::Module& module, const Program& program,
                                      std::span<const ptx::SiteOrigin> origins,
                                      const std::unordered_map<std::string_view, std::uint32_t>& labels);

}  // namespace warplens::simt
