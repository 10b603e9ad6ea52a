// The arrays that the recorded requests of a trace access, as rows of elements: device buffers, the module's
// variables, shared and constant arrays. A row's length is from the declaration or estimated from the
// addresses, or it is that of another buffer with as many elements of the same size; where none says it,
// `columns_known` is false, the array is flat, and rows are as long as they are easy to draw.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/memory_space.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct MappedArray {
    std::string name;  // as in the source
    Space space = Space::global;
    std::uint64_t base = 0, bytes = 0;  // shared: within each block's memory
    std::uint32_t element_bytes = 4;
    std::uint64_t columns = 1;                // elements per row
    std::vector<std::uint32_t> extents = {};  // of a shared array's declaration, outermost first; else empty
    bool columns_known = false;               // from the declaration, the addresses or another array
    std::string like = {};                    // name of that array; empty: its own declaration or addresses
    std::uint64_t group =
        1;  // of a flat array: elements from lane to lane, or those of a row too short to draw
    bool loaded = false, stored = false;

    bool is_flat() const { return !columns_known && space == Space::global; }
    std::uint64_t elements() const { return bytes / element_bytes; }
    /// Rows of one index of the outermost extents: of "[2][16][33]" 16; 0: the array has no more than two, or
    /// is shown in rows of another length.
    std::uint64_t rows_of_plane() const {
        return extents.size() > 2 && columns == extents.back() ? extents[extents.size() - 2] : 0;
    }
    std::uint64_t rows() const { return (elements() + columns - 1) / columns; }
    friend bool operator==(const MappedArray&, const MappedArray&) = default;
};

/// Those that at least one request accesses: buffers in the launch's order, then variables.
std::vector<MappedArray> mapped_arrays(const trace::Trace& trace);

/// Columns of a flat array that suit a picture of `elements` of it: about twice as many as rows, whole
/// groups. Groups of several elements make rows of at most `most`, so that no cell hides a gap within them.
std::uint64_t easy_columns(const MappedArray& array, std::uint64_t elements,
                           std::uint64_t most = ~std::uint64_t{0});

}  // namespace warplens::analysis
