// StepState: the state of a warp and of its block's shared memory at one step, as StepReplay (replay_block.h)
// reads it. Plain data: bits, addresses and writers; app/pipeline/step_values.h gives them names and types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/lane_mask.h"
#include "core/program.h"
#include "trace/observer.h"

namespace warplens::simt {

/// A warp's step, counted as trace::Step::index.
struct StepAt {
    std::uint64_t block = 0;  // linear index in the grid
    std::uint32_t warp = 0;   // within the block
    std::uint64_t step = 0;
    friend bool operator==(const StepAt&, const StepAt&) = default;
};

/// A register of the function that the step belongs to: its bits per lane, a predicate's as 0 or 1. Of a
/// .b128 register the lower half.
struct RegisterState {
    std::uint32_t index = 0;  // in ptx::Function::registers
    std::array<std::uint64_t, warp_size> before{}, after{};
    LaneMask written_before, written_after;  // lanes that have written it since the block began
};

/// One request of the step, as trace::Access; an asynchronous copy has two.
struct StepRequest {
    Space space = Space::none;
    Operation operation = Operation::none;
    std::uint32_t bytes_per_lane = 0;
    LaneMask mask;
    trace::Addresses addresses{};
};

/// Who stored to a word of shared memory last.
struct WordWriter {
    StepAt at;
    SiteId site = no_index;  // no_index: nobody yet
    int lane = -1;
};

/// The block's shared memory after the step.
struct SharedState {
    static constexpr std::uint32_t word_bytes = 4;
    std::vector<std::byte> bytes;
    std::vector<std::uint8_t> written;  // per byte: 1 once stored to
    std::vector<WordWriter> writers;    // per word
};

/// A shuffle, vote, match or reduction of the warp: what its lanes gave and received.
struct ExchangedValues {
    std::uint64_t step = 0;
    SiteId site = no_index;
    std::uint32_t given = no_index, received = no_index;  // registers; no_index: none
    LaneMask lanes;
    std::array<std::uint64_t, warp_size> before{}, after{};  // of `given`, of `received`
};
inline constexpr std::size_t most_exchanges = 4096;

struct StepState {
    StepAt at;
    SiteId site = no_index;      // no_index: the warp ended before the step
    std::uint32_t function = 0;  // of the site, in ptx::Module::functions
    LaneMask active, executed;   // executed: not predicated off
    std::vector<RegisterState> registers;
    std::vector<StepRequest> requests;
    SharedState shared;
    std::vector<ExchangedValues> exchanges;  // of the warp, up to the step: the first most_exchanges
};

}  // namespace warplens::simt
