// Literal proposal: the suffix `f` at literals by which a kernel of single precision computes in double. An
// `x * 0.5` converts x, multiplies in double precision and converts back; most GPUs have few units for that.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The suffix at each literal of double precision on the lines, 1-based, but not on lines that name `double`.
std::vector<Edit> literal_edits(const std::string& source, const std::set<std::uint32_t>& lines);

/// The lines, and those of the functions of the source that they call, and that these call: an instruction
/// that is inlined stands at the line of the outermost call.
std::set<std::uint32_t> with_called_functions(const std::string& source, std::set<std::uint32_t> lines);

/// Of the lines on which the run computed in double precision; nothing where they have no such literal.
std::optional<Proposal> proposed_literals(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                          const std::map<std::string, std::string>& overrides,
                                          const Scene& now);

}  // namespace warplens::app
