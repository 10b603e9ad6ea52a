// Where an instruction comes from, in words.
#pragma once

#include <string>

#include "core/program.h"

namespace warplens {

/// "line 14"; "PTX line 88" where no line of the source is known; machine code may have neither.
std::string line_of(const Site& site);

}  // namespace warplens
