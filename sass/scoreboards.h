// Which instructions wait for which: an instruction of variable latency sets one of six scoreboards, and a
// later one names it in its wait mask. It follows all paths of the control-flow graph; indirect branches and
// calls have no edges, so that waits after them are not found.
#pragma once

#include <cstdint>
#include <vector>

#include "sass/program.h"

namespace warplens::sass {

struct ScoreboardWait {
    SiteId setter = 0, waiter = 0;
    std::uint8_t scoreboard = 0;  // 0 to 5
    bool of_sources = false;      // set when the sources were read; else when the result is written

    bool operator==(const ScoreboardWait&) const = default;
};

/// By waiter, then scoreboard, then setter. Of the waits on one path only the first counts: it leaves the
/// scoreboard at zero.
std::vector<ScoreboardWait> scoreboard_waits(const MachineProgram& program);

}  // namespace warplens::sass
