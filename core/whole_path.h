// WholePath: the one name under which a file is known from one start to the next, whatever folder the program
// was started in and through which links the file was named.
#pragma once

#include <string>

namespace warplens {

/// Absolute, without "..", links resolved as far as they exist; the path itself where that fails.
std::string whole_path(const std::string& path);

}  // namespace warplens
