// Builds a Trace from a file's chunks: selects the chunks with the requested blocks, joins their slices of
// the arrays, and checks the result with trace/check.h.
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
    bool leave_out_damaged = false;  // leave out incomplete blocks; otherwise any damage is an error
};

struct Assembly {
    Trace trace;
    std::uint64_t recorded_blocks = 0;       // as stated in the file
    std::vector<std::uint64_t> read_blocks;  // linear indices, ascending
    std::string first_damage;                // empty if nothing was left out
};

Result<Assembly> assemble(ChunkStore& store, const Selection& selection);

}  // namespace warplens::trace
