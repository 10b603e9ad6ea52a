// SharedLayout: a shared array as the kernel's rows and columns, each cell with its bank and the lanes of the
// shown request that access it. The pitch is from the declaration (analysis/memory/declared_shape.h) or,
// without one, estimated from the trace's addresses; padding columns appear as cells that no lane accesses.
// If the pitch is unknown, `pitch_known` is false and rows are 32 words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/memory/banks.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct SharedCell {
    std::uint64_t address = 0;   // bytes from the start of the block's shared memory
    std::uint8_t bank = 0;       // of its first byte
    bool used = false;           // accessed by a request of the recorded block
    LaneMask lanes;              // of the shown request that access it
    std::uint8_t wavefront = 0;  // wavefront of the shown request that serves those lanes, from 0
};

struct SharedLayout {
    std::string variable;     // as in the source: "tile", or "shared memory" if there is no variable
    std::uint64_t base = 0;   // address of the first cell
    std::uint64_t begin = 0;  // of the array: of a large one, rows before the first cell are left out
    std::uint64_t bytes = 0;  // size of the layout
    std::uint32_t cell_bytes = 4;
    std::uint32_t pitch_bytes = 0;        // distance between rows
    std::uint32_t rows = 0, columns = 0;  // columns * cell_bytes == pitch_bytes
    std::uint32_t columns_used = 0;       // columns above it are padding: no request accesses them
    std::vector<std::uint32_t> extents;   // of the declaration, outermost first; empty: none is known
    std::uint32_t element_bytes = 4;      // of the declaration
    std::string element_type;             // likewise: "half"; empty: none is known
    bool pitch_known = false;             // false: the pitch is unknown, rows of 32 words are shown
    bool truncated = false;               // there are more than `max_rows` rows
    std::vector<SharedCell> cells;        // rows * columns, row by row; cells past `bytes` are not used
    WavefrontCount count;                 // of the shown request

    const SharedCell& at(std::uint32_t row, std::uint32_t column) const {
        return cells[row * columns + column];
    }
};

/// The array that `access` (index into Trace::accesses, a shared request) accesses, with that request shown.
/// Empty (no cells) if it is not a shared request.
SharedLayout shared_layout(const trace::Trace& trace, std::uint64_t access, std::uint32_t max_rows = 64);

}  // namespace warplens::analysis
