// The shared arrays of a launch as rows of elements: their names, their declarations in the source, and the
// one with the most excess wavefronts. The cost of other layouts is in analysis/memory/bank_fix.h.
#pragma once

#include <string>

#include "analysis/memory/bank_fix.h"

namespace warplens::analysis {

/// The array of that name, or the one with the most excess wavefronts; `row_elements` 0: as declared. Errors
/// list the existing arrays or the missing argument.
Result<SharedArray> choose_shared_array(const trace::Trace& launch, const SharedRequests& requests,
                                        const std::string& name, std::uint32_t row_elements);

}  // namespace warplens::analysis
