// AccessMap: which threads load and store which elements of an array, counted exactly from a trace. A cell is
// an element, or several where the array is larger than the picture.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/memory/mapped_arrays.h"
#include "core/program.h"
#include "trace/trace.h"

namespace warplens::analysis {

/// The requests to count: of consecutive warps of the trace, loads or stores or both, of one instruction or
/// all.
struct MapFilter {
    std::uint32_t first_warp = 0, last_warp = 0;  // indices into Trace::warps, `last_warp` left out
    bool loads = true, stores = true;             // an atomic is both
    SiteId site = no_index;                       // no_index: all
    std::uint32_t last_order = no_index;          // only earlier requests of each warp: see MapThread::order
    friend bool operator==(const MapFilter&, const MapFilter&) = default;
};

/// Rows and columns of an array.
struct MapArea {
    std::uint64_t row = 0, column = 0, rows = 0, columns = 0;
    friend bool operator==(const MapArea&, const MapArea&) = default;
};

/// One access of one thread.
struct MapThread {
    std::uint32_t warp_record = no_index;  // index into Trace::warps
    std::uint8_t lane = 0;
    std::uint32_t order = 0;  // among all requests of its warp, from 0
    std::uint64_t access = ~std::uint64_t{0};
    friend bool operator==(const MapThread&, const MapThread&) = default;
};

struct MapCell {
    std::uint64_t loads = 0, stores = 0;  // by threads, once per element; an atomic is both
    std::uint64_t accesses = 0;
    std::uint32_t elements = 0;  // of the cell, accessed
    MapThread first;             // by its order; of several the lowest warp's
    bool several_blocks = false, several_warps = false, several_threads = false;
};

struct MapSize {
    std::uint32_t rows = 64, columns = 128;  // most cells
};

struct AccessMap {
    MapArea area;
    std::uint64_t rows_per_cell = 1, columns_per_cell = 1;
    std::uint32_t rows = 0, columns = 0;                // cells
    std::vector<MapCell> cells;                         // row by row
    std::uint64_t loads = 0, stores = 0, accesses = 0;  // likewise
    std::uint64_t read = 0, written = 0, elements = 0;  // distinct elements: read, written, either
    std::uint32_t orders = 0;                           // one more than the last order
    std::uint64_t left_out = 0;                         // requests beyond the limit

    const MapCell& at(std::uint32_t row, std::uint32_t column) const {
        return cells[std::size_t{row} * columns + column];
    }
    /// The cell of an element; nullptr outside the area.
    const MapCell* cell_of(const MappedArray& array, std::uint64_t element) const;
};

/// Of the part of the array that is accessed, or of the whole where that is not much smaller or `whole`.
AccessMap access_map(const trace::Trace& trace, const MappedArray& array, const MapFilter& filter,
                     MapSize size, bool whole = false);

/// From the first to the last element that is accessed, both included; std::nullopt: none is.
struct ElementRange {
    std::uint64_t first = 0, last = 0;
    friend bool operator==(const ElementRange&, const ElementRange&) = default;
};
std::optional<ElementRange> accessed_range(const trace::Trace& trace, const MappedArray& array,
                                           const MapFilter& filter);

/// One element that a thread accesses.
struct ThreadElement {
    std::uint64_t element = 0;
    std::uint64_t access = 0;  // index into Trace::accesses
};
/// Those of one lane of a warp, in the order of its requests.
std::vector<ThreadElement> elements_of_thread(const trace::Trace& trace, const MappedArray& array,
                                              std::uint32_t warp_record, int lane, const MapFilter& filter);

/// Threads of the filter's warps, and those of them that access none of the arrays.
struct IdleThreads {
    std::uint64_t threads = 0, idle = 0;
};
IdleThreads idle_threads(const trace::Trace& trace, const MapFilter& filter);
/// Of one warp: the lanes of threads that access none of them.
LaneMask idle_lanes(const trace::Trace& trace, const trace::WarpRecord& warp);

}  // namespace warplens::analysis
