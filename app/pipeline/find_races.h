// The search for races of a launch that has been executed already: it runs again, on one thread, as many of
// its first blocks as a budget of steps allows. Internal to the pipeline.
#pragma once

#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// Steps that `report` spends on it by default: a few seconds.
inline constexpr std::uint64_t default_race_budget = 20'000'000;
/// Of a launch that does not end: a race may be the cause, and is in its first steps or not found.
inline constexpr std::uint64_t endless_race_budget = 500'000;

struct RaceSearch {
    std::vector<std::uint64_t> blocks;  // that were executed, the first ones; empty: the whole grid
    std::uint64_t steps = 0, steps_of_blocks = 0;  // executed, by how many blocks: gives the cost of one
    std::uint64_t budget = 0;                      // steps; 0: all blocks, whatever it takes
    std::uint64_t max_steps_per_warp = simt::default_step_limit;
    std::function<bool()> cancelled;
    bool keep_interrupted = false;  // what a cancelled search has found, instead of an error
};

struct FoundRaces {
    std::vector<Problem> problems;
    std::vector<Problem> notes;  // on lanes that count on lockstep
    std::uint64_t blocks = 0;    // in which they were searched for
    bool complete = false;       // in all that were executed
    bool interrupted = false;    // cancelled, with RaceSearch::keep_interrupted
    std::string note;            // a sentence about what was left out; empty: nothing was
};

/// Of a launch with an endless loop, which would not end in another run either.
bool never_ends(const std::vector<Problem>& problems);

/// `launch` as it was loaded. Its buffers may be empty; they are filled again.
Result<FoundRaces> find_races(const LoadedLaunch& launch, const RaceSearch& search);

}  // namespace warplens::app
