// What is stored in a visit's record beyond its first unit: base values of addresses, packed, by every lane,
// and ballots of guards by the leader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"

namespace warplens::instrumentation {

/// Where a piece of code goes.
struct Place {
    enum class Kind : std::uint8_t { head, before, behind };
    Kind kind = Kind::head;
    std::uint32_t statement = 0;  // of the original body; unused for head
};

/// One 32-bit word of a lane.
struct PayloadWord {
    enum class Part : std::uint8_t { low, high, halves };
    Part part = Part::low;
    std::uint32_t reg = no_index;     // of the function; no_index: `symbol`'s address
    std::uint32_t second = no_index;  // halves: the register of the upper 16 bits; no_index: a 16-bit store
    std::string symbol;
    bool check_high = false;  // low half of a global address: the upper half is compared
};

/// One store a lane of 2, 4, 8 or 16 bytes; of a block with BlockPlan::lane_values, one for each word.
struct PayloadStore {
    BasicBlockId block = 0;
    Place place;
    std::uint32_t offset = 0;  // of lane 0, from the visit's first unit; in a lane's column, from the visit's
                               // first word
    std::uint32_t stride = 4;
    std::vector<PayloadWord> words;
    bool ends_visit = false;  // the last one of a visit in the lane's column
};

/// The leader stores which lanes a guard lets execute, asked before the site.
struct GuardBallot {
    BasicBlockId block = 0;
    SiteId site = 0;
    std::uint32_t offset = 0;  // from the visit's first unit
};

}  // namespace warplens::instrumentation
