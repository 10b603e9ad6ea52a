// Where an instruction comes from: its file, and its line in words.
#pragma once

#include <string>
#include <string_view>

#include "core/program.h"

namespace warplens {

/// "line 14"; "PTX line 88" where no line of the source is known; machine code may have neither.
std::string line_of(const Site& site);

/// The name of its source file, as the compiler was given it; empty where that is not known.
std::string_view source_of(const Program& program, const Site& site);

}  // namespace warplens
