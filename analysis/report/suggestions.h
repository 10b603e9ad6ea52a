// Suggestions: which knob of the kernel to change for a finding of an explanation, and to which allowed
// value. They follow from the knob's meaning; a run must confirm the improvement.
#pragma once

#include <optional>
#include <span>

#include "analysis/report/explain.h"

namespace warplens::analysis {

/// Against bank conflicts: another row pitch, or a stride of 1.
std::optional<Suggestion> try_padding(std::span<const KnobHint> knobs);
/// Against wasted sectors: a stride of 1, or no offset.
std::optional<Suggestion> try_packing(std::span<const KnobHint> knobs);
/// Against rows shorter than a warp.
std::optional<Suggestion> try_wider_block(std::span<const KnobHint> knobs);

}  // namespace warplens::analysis
