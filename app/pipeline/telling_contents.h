// Telling contents: buffers whose elements differ, so that a launch that computes something else also
// leaves other results. Buffers that the program does not fill hold 0 everywhere, and any two kernels agree
// on them.
#pragma once

#include <vector>

#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// The kernel with other contents, those that tell most first: random numbers in buffers of one value — in
/// all of them, or, as integers may be indices, in those of real numbers. The last is the kernel as it is.
std::vector<instrumentation::KernelFile> with_telling_contents(const instrumentation::KernelFile& kernel);

/// Whether some buffer holds more than one value.
bool contents_tell(const instrumentation::KernelFile& kernel);

}  // namespace warplens::app
