// Makes a Trace of a file's chunks: chooses the chunks that hold the wanted blocks, joins their slices of the
// arrays again, and holds the outcome to trace/check.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "trace/file/chunk_store.h"
#include "trace/trace.h"

namespace warplens::trace {

struct Selection {
    std::uint64_t first_block = 0, last_block = ~std::uint64_t{0};  // both included
    bool leave_out_damaged = false;  // blocks that are not whole; otherwise any damage is an error
};

struct Assembly {
    Trace trace;
    std::uint64_t recorded_blocks = 0;       // as the file says it was written
    std::vector<std::uint64_t> read_blocks;  // linear indices, ascending
    std::string first_damage;                // empty when nothing was left out
};

Result<Assembly> assemble(ChunkStore& store, const Selection& selection);

}  // namespace warplens::trace
