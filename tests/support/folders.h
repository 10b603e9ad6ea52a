// Where the tests find the project's files and the programs that were built beside them. Only folders.cpp.in
// knows the paths: a test that had them in its text would be compiled again in each checkout, also where the
// compiler's cache has it.
#pragma once

#include <string>

#include "tests/support/folders.h"

namespace warplens {

/// The folder of ARCHITECTURE.md, without a slash at the end.
std::string source_folder();

/// The folder of this build: build/release.
std::string build_folder();

}  // namespace warplens
