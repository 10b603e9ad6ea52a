// The machine code as a listing: one line per instruction, numbered by its site from 1, with what it
// executed, its stall count, and arcs for its scoreboards.
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/machine_code.h"
#include "app/ui/theme.h"
#include "app/views/source/code_pane.h"

namespace warplens::app {

inline constexpr HeatTitles machine_titles{"executed", "lanes",   "sectors", "wavefronts",
                                           "live",     "exposed", "waits",   "stall"};
inline constexpr std::size_t executed_column = 0, machine_lanes_column = 1, machine_sectors_column = 2,
                             wavefronts_column = 3, live_column = 4, exposed_slots_column = 5,
                             waits_column = 6, stall_column = 7;

CodeListing machine_listing(const MachineCode& code);
/// "sm_90 · 40 registers · 144 instructions · exact, machine level"
std::string machine_words(const MachineCode& code);
/// A comment for the PTX line of an access that was merged: "// with 3 more → 1 LDS.128"; else empty.
std::string merge_comment(const MachineCode& code, SiteId ptx_site);
/// The tooltip over the column.
void explain_instruction(const Theme& theme, const MachineCode& code, SiteId site, int column);

}  // namespace warplens::app
