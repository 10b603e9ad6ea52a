// Telling contents: buffers whose elements differ, so that a launch that computes something else also
// leaves other results. Buffers that the program does not fill hold 0 everywhere, and any two kernels agree
// on them.
#pragma once

#include <vector>

#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// The kernel as it is, and with other contents in its buffers of one value: random real numbers; random
/// numbers in those of integers as well, large ones and flags. None is enough alone: integers may be indices
/// or say that nothing is to be done, and equal values hide what is computed of them.
std::vector<instrumentation::KernelFile> with_telling_contents(const instrumentation::KernelFile& kernel);

/// Whether some buffer holds more than one value.
bool contents_tell(const instrumentation::KernelFile& kernel);

}  // namespace warplens::app
