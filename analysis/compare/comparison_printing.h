// A comparison as text for a terminal, as JSON (docs/compare.md is the contract), and as Markdown for a pull
// request.
#pragma once

#include <string>

#include "analysis/compare/comparison.h"

namespace warplens::analysis {

std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
/// The main metrics as a table, the others folded under it.
std::string comparison_markdown(const Comparison& comparison);

}  // namespace warplens::analysis
