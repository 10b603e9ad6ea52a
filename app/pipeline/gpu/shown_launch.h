// ShownLaunch: what must be the same in two launches of a kernel for the addresses that follow from the
// launch alone to be the same: the arguments, with the buffers' addresses, and every lane's way through the
// basic blocks. When one launch has shown these addresses by their hash, another needs none of them
// (InstrumentOptions::shown).
#pragma once

#include <cstdint>

#include "core/launch.h"
#include "instrumentation/decode/decode.h"

namespace warplens::app {

struct ShownLaunch {
    std::uint64_t arguments = 0;  // and the launch's geometry
    std::uint64_t ways = 0;
    friend bool operator==(const ShownLaunch&, const ShownLaunch&) = default;
};

/// Of a recording with every block that it should have. Which lanes went together does not matter.
ShownLaunch shown_launch(const LaunchGeometry& geometry, const instrumentation::ReadBack& read,
                         const instrumentation::Decoded& decoded);

}  // namespace warplens::app
