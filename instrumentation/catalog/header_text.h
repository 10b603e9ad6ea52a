// A launch written down as the header of a kernel file, so that the file declares itself from then on. The
// opposite of kernel_header.cpp; docs/kernel_header.md describes the keys.
#pragma once

#include <string>

#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// The whole comment, "/*" to "*/" and a line's end: kernel, parameters, buffers and launch.
std::string header_text(const KernelFile& kernel);

/// The source with that header in place of the one it has, or before its first line.
std::string with_header(const KernelFile& kernel);

}  // namespace warplens::instrumentation
