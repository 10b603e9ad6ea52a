// Fill `formula`: each element by an expression of its index. docs/kernel_header.md lists what it may use.
#pragma once

#include "instrumentation/catalog/fill.h"

namespace warplens::instrumentation {

/// Fills buffer.data, whose size is set, by arguments.formula. Integers are converted to the element's type
/// as C does; a real number for an element of an integer type must be an integer.
Status fill_by_formula(PreparedBuffer& buffer, const FillArguments& arguments);

}  // namespace warplens::instrumentation
