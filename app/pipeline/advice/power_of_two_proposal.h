// Power of two proposal: `a & (b - 1)` instead of `a % b`. The compiler does it for a divisor that it knows;
// of any other it computes a whole division, about 20 instructions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "core/program.h"

namespace warplens::app {

/// The remainders by one divisor of the kernel, without a division.
struct MaskedRemainder {
    std::string divisor;  // as it is written
    std::vector<Edit> edits;
};
/// One for each divisor that is not a number, in the order of the source. Left out are operands that another
/// operator of the same rank, or a sign, may bind. `entry`: the kernel's plain name.
std::vector<MaskedRemainder> masked_remainders(const std::string& source, std::string_view entry);

std::vector<Proposal> proposed_masks(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                     const std::map<std::string, std::string>& overrides,
                                     const Program& program);

}  // namespace warplens::app
