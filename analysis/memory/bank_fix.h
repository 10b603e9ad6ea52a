// Bank fixes: what a shared array's requests would cost in another layout — a pad at the end of each row, or
// columns swizzled by an XOR with the row. The recorded requests are moved to the new addresses and their
// wavefronts counted again by count_wavefronts, loads, stores and atomics together, so that a prediction is
// what a run of the changed kernel would count. It does not model what the index arithmetic costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/declared_shape.h"
#include "analysis/memory/shared_requests.h"
#include "core/gpu_spec.h"
#include "core/result.h"
#include "trace/trace.h"

namespace warplens::analysis {

/// A shared array as rows of elements, row by row from `base`.
struct SharedArray {
    std::string name;  // as a person knows it
    std::uint64_t base = 0, bytes = 0;
    std::uint32_t element_bytes = 4;
    std::uint32_t row_elements = 0;    // from row to row
    std::uint32_t rows_of_matrix = 0;  // rows of one matrix, where the array holds several; else all rows
    bool flat = false;                 // one-dimensional: rows are ours, of one pass of the banks each
    bool dynamic = false;              // the launch gives its size
    std::optional<DeclaredShape> declared;  // nothing where no source at hand declares it

    std::uint64_t rows() const {
        const std::uint64_t row = std::uint64_t{row_elements} * element_bytes;
        return row == 0 ? 0 : (bytes + row - 1) / row;
    }
};

struct BankFix {
    std::uint32_t pad = 0;                        // elements more a row
    std::uint32_t mask = 0, shift = 0, unit = 1;  // column ^ (((row >> shift) & mask) * unit); mask 0: none
    std::uint64_t wavefronts = 0;                 // of all requests to the array
    double conflict_ways = 0;                     // of the worst
    std::uint64_t bytes = 0;                      // of the array
    int blocks_per_sm = 0;
    std::string refused;  // why it cannot be done; then nothing above but `bytes` is told

    bool is_swizzle() const { return mask != 0; }
    bool changes_nothing() const { return pad == 0 && mask == 0; }
};

struct BankFixes {
    SharedArray array;
    std::uint64_t requests = 0, loads = 0, stores = 0, atomics = 0;
    std::uint64_t ideal_wavefronts = 0;
    std::uint64_t left_out = 0;   // requests that were not kept: the sums below are without them
    std::uint64_t strangers = 0;  // requests that also reach outside the array
    std::vector<BankFix> ranked;  // by wavefronts, then bytes; what was refused last
    BankFix now;

    const BankFix& best() const { return ranked.front(); }
    bool gains() const { return !ranked.empty() && best().wavefronts < now.wavefronts; }
    /// The best that only adds a pad; nothing when none is better than now.
    const BankFix* best_pad() const;
};

inline constexpr std::uint32_t most_pad = 32;

struct BankFixOptions {
    std::string array;               // empty: the one that wastes most wavefronts
    std::uint32_t row_elements = 0;  // 0: as declared
};

/// `launch` holds the program and the launch; what it recorded is not read. Errors: no such array, no
/// request to any, or a shape that has to be given.
Result<BankFixes> try_bank_fixes(const trace::Trace& launch, const SharedRequests& requests,
                                 const GpuSpec& gpu, const BankFixOptions& options = {});

/// All pads, and of swizzles that cost the same only the first, for a table; what was refused is only pads.
std::vector<const BankFix*> distinct_fixes(const BankFixes& fixes);

/// "column ^ (row & 31)", "pad 1", "as it is"
std::string name_of(const BankFix& fix, const SharedArray& array);
/// What to write instead: a declaration for a pad, an index expression for a swizzle or a flat array.
std::string change_of(const BankFix& fix, const SharedArray& array);

}  // namespace warplens::analysis
