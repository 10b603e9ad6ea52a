// Suggestions: which knob of the kernel to change against what an explanation found, only to values that the
// knob allows. They follow from what the knob means; that the change helps is for a run to show.
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
