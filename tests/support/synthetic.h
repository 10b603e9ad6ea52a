// Example Traces for tests and benchmarks of code that reads one: a small kernel's events, computed in closed
// form and reported to a Recorder, at any size. They do not come from an engine and are never shown as if
// they did: the launch's engine is "synthetic". Its Program's PTX is real and could be executed.
#pragma once

#include <cstdint>

#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::trace {

struct ExampleShape {
    std::uint32_t blocks = 1;  // 0: nothing was recorded
    std::uint32_t threads_per_block =
        64;                    // at most 1024; if not a multiple of 32, the last warp is partly filled
    std::uint32_t rounds = 2;  // of the kernel's loop, at least 1

    static constexpr ExampleShape empty() { return {0, 64, 1}; }
    static constexpr ExampleShape tiny() { return {2, 72, 2}; }
    /// At least this many visits, accesses and masks together. 25 million of them take 0.6 GB.
    static constexpr ExampleShape huge(std::uint64_t events = 25'000'000) {
        constexpr std::uint64_t blocks = 128, warps = 8, events_per_round = 13;
        const std::uint64_t per_round = blocks * warps * events_per_round;
        return {static_cast<std::uint32_t>(blocks), static_cast<std::uint32_t>(warps * 32),
                static_cast<std::uint32_t>((events + per_round - 1) / per_round)};
    }
};

/// The kernel loads with stride 2, stores a row of a shared tile and loads a column of it (32 ways conflict),
/// gathers on even lanes after a divergent branch, and stores under a guard that the last 5 threads fail.
Program example_program();
Launch example_launch(const ExampleShape& shape);
/// Reports the whole launch to an Observer, warps one after another between barriers.
void run_example(const ExampleShape& shape, Observer& observer);
/// The Trace of run_example, all blocks recorded.
Trace make_example(const ExampleShape& shape);

}  // namespace warplens::trace
