// What a kernel hands on to the functions it calls, in the local memory of each thread.
#pragma once

#include <cstdint>

#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

struct CarriedState {
    std::uint32_t cursor = 0, lt = 0, start = 0, ballot = 0, hash = 0, unused = 0;
    SpaceParameter space;  // the kernel's parameter, which its functions cannot name
};

}  // namespace warplens::instrumentation
