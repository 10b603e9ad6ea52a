// Reads the [textures] and [surfaces] tables of a header. Internal to kernel_header.cpp;
// docs/kernel_header.md describes the keys.
#pragma once

#include "instrumentation/catalog/header_fields.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// Fills kernel.images, and adds to kernel.buffers those that images bring with them; parameters and buffers
/// are already read. Errors name file, line and what would be right.
Status read_images(HeaderFields& fields, const HeaderNode& root, KernelFile& kernel);

}  // namespace warplens::instrumentation
