// The values of corresponding steps of two runs beside each other: rows of registers that correspond, with
// what differs marked.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/views/shared/two_runs.h"
#include "app/views/values/parts.h"

namespace warplens::app {

struct PairedValues {
    const StepValues &before, &after;
    /// Registers of one run by those of the other: scene/same_step.h.
    const std::map<std::string, std::string>&to_before, &to_after;
    std::string_view before_name, after_name;
};

/// The same number of rows for both, so that registers that correspond stand beside each other: those of the
/// step first, then those that differ.
struct ComparedRows {
    std::vector<RegisterRow> before, after;
    std::size_t both = 0;       // rows with a register of each run
    std::size_t differ = 0;     // of them, those whose values differ in the lane
    std::size_t elsewhere = 0;  // of them, those that differ in another lane only
};
ComparedRows paired_rows(const PairedValues& values);

/// "PAD=0 → PAD=1: 3 of 12 registers of lane 0 differ after `ld.shared.f32` of line 54".
std::string paired_title(const PairedValues& values, const ComparedRows& rows);

struct PairedClicks {
    int lane = -1, row = -1;  // of the run after: a lane, and an index into its registers
    std::int64_t word = -1;   // of its shared memory
};
struct PairedScroll {
    float registers = 0;
    std::int64_t before_row = -1, after_row = -1;  // of shared memory
};
/// `pinned`: the register of the run after that is shown in all lanes; null: none.
PairedClicks draw_paired_values(const Ink& ink, const PairedValues& values, const ComparedRows& rows,
                                const RegisterValue* pinned, const Box& box, PairedScroll& scroll,
                                bool interactive);

}  // namespace warplens::app
