// The rows of machine_operations.def: how long the machine's operations take and on which pipe. lowering/
// selects them for PTX, machine_level/ for the instructions of machine code.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/sm_timing.h"
#include "simt/timing/machine_code.h"

namespace warplens::simt {

struct MachineRow {
    std::string_view name;
    MachineKind kind;
    Pipe pipe;
    bool balanced;  // alternates between alu and fma_heavy
    std::uint16_t cycles;
    int (*latency_of)(const SmTiming&);  // null: `cycles`

    std::uint16_t latency(const SmTiming& timing) const {
        return latency_of != nullptr ? static_cast<std::uint16_t>(latency_of(timing)) : cycles;
    }
};

/// nullptr if there is no such row.
const MachineRow* find_machine_row(std::string_view name);

}  // namespace warplens::simt
