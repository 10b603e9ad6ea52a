// SharedLayout: a shared array laid out as the rows and columns a kernel thinks in, each cell with its bank
// and the lanes of the shown request that touch it. The pitch is the declaration's
// (analysis/memory/declared_shape.h) or, without one, read off the trace's addresses; padding columns show as
// cells no lane ever touched. Where nothing tells a pitch, `pitch_known` says so and rows are 32 words.
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
    bool used = false;           // touched by some request of the recorded block
    LaneMask lanes;              // of the shown request that touch it
    std::uint8_t wavefront = 0;  // pass of the shown request that serves those lanes, 0 first
};

struct SharedLayout {
    std::string variable;     // as a person knows it: "tile", or "shared memory" when no variable is named
    std::uint64_t base = 0;   // address of the first cell
    std::uint64_t bytes = 0;  // laid out
    std::uint32_t cell_bytes = 4;
    std::uint32_t pitch_bytes = 0;        // from row to row
    std::uint32_t rows = 0, columns = 0;  // columns * cell_bytes == pitch_bytes
    std::uint32_t columns_used = 0;       // columns beyond it are padding: no request touches them
    bool pitch_known = false;             // false: no addresses told a pitch, rows of 32 words are shown
    bool truncated = false;               // more rows than `max_rows` asked for
    std::vector<SharedCell> cells;        // rows * columns, row by row; cells past `bytes` are not used
    WavefrontCount count;                 // of the shown request

    const SharedCell& at(std::uint32_t row, std::uint32_t column) const {
        return cells[row * columns + column];
    }
};

/// The array that `access` (index into Trace::accesses, a shared request) falls into, with that request
/// shown. Empty (no cells) when it is no shared request.
SharedLayout shared_layout(const trace::Trace& trace, std::uint64_t access, std::uint32_t max_rows = 64);

}  // namespace warplens::analysis
