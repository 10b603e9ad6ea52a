// Reads the [sweep] table of a header. Internal to kernel_header.cpp.
#pragma once

#include "instrumentation/catalog/header_fields.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// Fills kernel.sweep; the parameters are already read. Errors name file, line and what would be right.
Status read_sweep(HeaderFields& fields, const HeaderNode& node, KernelFile& kernel);

}  // namespace warplens::instrumentation
