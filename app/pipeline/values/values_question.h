// ValuesQuestion: the step of a run whose values are wanted; step_values.h answers it.
#pragma once

#include <cstdint>
#include <optional>

#include "simt/functional/block/step_state.h"

namespace warplens::app {

struct ValuesQuestion {
    simt::StepAt at;
    int lane = -1;  // -1: the first that executes the step
    /// Byte offset of the word of shared memory to follow; empty: what the lane accesses at the step.
    std::optional<std::uint64_t> shared_word;
    friend bool operator==(const ValuesQuestion&, const ValuesQuestion&) = default;
};

}  // namespace warplens::app
