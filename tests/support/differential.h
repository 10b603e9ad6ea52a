// One kernel file on a GPU and on the CPU engine: results byte by byte, records lane by lane.
#pragma once

#include <cstdint>
#include <string>

#include "app/pipeline/gpu/record_launch.h"
#include "app/pipeline/pipeline.h"

namespace warplens {

struct Comparison {
    enum class Outcome : std::uint8_t {
        agrees,
        lanes_apart,  // every lane did the same, together with others on one side and separately on the other
        records_differ,  // some lane took another path or accessed another address
        results_differ,
        explained,  // records differ, and all that differs depends on the run (a clock, where a warp is, the
                    // order of atomics) or on rounding that PTX leaves open; the sentence names it
        warned,  // something differs or gave up, and the engine's notes say why: lanes recursed to different
                 // depths
        machine_code,  // likewise, and the CPU engine differs as well where it executes the machine code
        left_out,      // the recording is incomplete: blocks or warps are missing
        gave_up,       // a launch ended in a fault or at the time limit
        failed         // nothing could be compared: it does not compile or cannot be launched
    };
    Outcome outcome = Outcome::failed;
    std::uint64_t records = 0;  // that agree
    std::string sentence;       // the first difference or error
    bool good() const { return outcome == Outcome::agrees || outcome == Outcome::lanes_apart; }
};

inline constexpr std::size_t outcomes = 10;
std::string_view to_string(Comparison::Outcome outcome);

/// `source` with its header; recorded in full and in light mode. `proves`: also records in proof mode, and
/// expects the hashes to be the CPU engine's.
Comparison compare_engines(app::Pipeline& pipeline, app::GpuLauncher& launcher, const std::string& name,
                           const std::string& source, bool proves);

}  // namespace warplens
