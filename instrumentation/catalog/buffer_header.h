// Reads a header's description of a buffer's elements: their type and their contents before the launch.
// Internal to the readers of headers; docs/kernel_header.md describes the keys.
#pragma once

#include "instrumentation/catalog/header_fields.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// type, fill, value, step, below, seed, path
const Names& buffer_keys();

/// Fills all of `buffer` but its name and length. `where` names it in errors. A type that is absent is left
/// empty; absent fill is zero.
Status read_elements(HeaderFields& fields, const HeaderNode& node, const std::string& where,
                     BufferDeclaration& buffer);

}  // namespace warplens::instrumentation
