// Launch arguments: what stands between `<<<` and `>>>` at the launches of a kernel in a source's text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/token_pattern.h"

namespace warplens::app {

/// Of each launch its arguments in order. `entry`: the kernel's plain name.
std::vector<std::vector<TokenRange>> launch_arguments(const instrumentation::host_code::Tokens& tokens,
                                                      std::string_view entry);

/// Where the text gives the x of a grid: the first argument, or of a `dim3` its first number, also where it
/// is defined. Each once. Nothing: a launch's cannot be seen, or is not on one line.
std::optional<std::vector<TokenRange>> grid_widths(const instrumentation::host_code::Tokens& tokens,
                                                   std::string_view entry);

/// Insertions that make of each of them `before` + it + `after`: "32 * ", "". It is in brackets if it is more
/// than a word.
std::optional<std::vector<Insertion>> changed_grids(const instrumentation::host_code::Tokens& tokens,
                                                    const std::string& source, std::string_view entry,
                                                    const std::string& before, const std::string& after);

}  // namespace warplens::app
