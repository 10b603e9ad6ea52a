// TemplateValues: the numbers that a kernel's template parameters have in its entry: TILE is 16 in blur<16>.
// The names are from the source, the numbers from the entry's name.
#pragma once

#include <map>
#include <string>

#include "core/program.h"

namespace warplens::analysis {

/// By the parameter's name. Types, packs and what the source does not name are left out; empty for a kernel
/// that is not a template or whose source is not available.
std::map<std::string, std::string> template_values(const Program& program);

}  // namespace warplens::analysis
