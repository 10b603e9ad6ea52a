// The rows of the printed view: the lines of one run, or of two runs aligned.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/printed.h"

namespace warplens::app {

/// One line of a call's text; only its first one says who printed it.
struct PrintedRow {
    enum class Kind : std::uint8_t { same, added, removed, folded };
    std::uint32_t call = 0;  // into the calls of this run; of a removed line, into those of the baseline
    std::string text;
    bool first = false;
    Kind kind = Kind::same;
    std::uint32_t folded = 0;     // lines that both runs print
    std::uint32_t folded_at = 0;  // the first of them, in the difference
};

std::string block_triple(Dim3 at);

/// The lines of the calls that `keeps`.
std::vector<PrintedRow> printed_rows(const PrintedCalls& printed,
                                     const std::function<bool(const Printed&)>& keeps);

/// The lines of two runs aligned: a line is the same if its thread, block and text are. Long stretches of
/// lines that both print are folded, except those that begin at one of `opened`.
struct AlignedPrinted {
    std::vector<PrintedRow> rows;
    std::uint64_t same = 0, added = 0, removed = 0;  // lines
};
AlignedPrinted aligned_rows(const PrintedCalls& before, std::vector<PrintedRow> before_rows,
                            const PrintedCalls& after, std::vector<PrintedRow> after_rows,
                            const std::vector<std::uint32_t>& opened = {});

}  // namespace warplens::app
