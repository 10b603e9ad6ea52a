// The texts of the sources that a compiled file's line table names.
#pragma once

#include <string>

#include "core/program.h"

namespace warplens::app {

/// Reads the .cu files among the sources that have no text yet, at the path that the line table gives or
/// beside the compiled file at `path`: it may have moved since. What is not found stays empty.
void read_texts_beside(const std::string& path, Program& program);

}  // namespace warplens::app
