// The shared arrays of a launch as rows of elements: which there are, how the source declares them, and which
// of them wastes most wavefronts. What another layout would cost is analysis/memory/bank_fix.h.
#pragma once

#include <string>

#include "analysis/memory/bank_fix.h"

namespace warplens::analysis {

/// The array of that name, or the one that wastes most; `row_elements` 0: as declared. Errors name the arrays
/// that there are, or say what has to be given.
Result<SharedArray> choose_shared_array(const trace::Trace& launch, const SharedRequests& requests,
                                        const std::string& name, std::uint32_t row_elements);

}  // namespace warplens::analysis
