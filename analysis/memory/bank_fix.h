// Bank fixes: what a shared array's requests would cost in another layout — a pad at the end of each row, or
// columns swizzled by an XOR with the row. The recorded requests are moved to the new addresses and
// count_wavefronts counts their wavefronts again, for loads, stores and atomics together, so a prediction
// equals the count of a run of the changed kernel. The cost of the index arithmetic is not modelled.
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
    std::string name;  // as in the source
    std::uint64_t base = 0, bytes = 0;
    std::uint32_t element_bytes = 4;
    std::uint32_t row_elements = 0;         // row pitch
    std::uint32_t rows_of_matrix = 0;       // rows of one matrix if the array holds several; else all rows
    bool flat = false;                      // one-dimensional: a row is one round of the banks
    bool dynamic = false;                   // the launch sets its size
    std::optional<DeclaredShape> declared;  // std::nullopt if no available source declares it

    std::uint64_t rows() const {
        const std::uint64_t row = std::uint64_t{row_elements} * element_bytes;
        return row == 0 ? 0 : (bytes + row - 1) / row;
    }
};

struct BankFix {
    std::int32_t pad = 0;  // additional elements per row; negative: fewer, of those that are padding now
    std::uint32_t mask = 0, shift = 0, unit = 1;  // column ^ (((row >> shift) & mask) * unit); mask 0: none
    std::uint64_t wavefronts = 0;                 // sum over all requests to the array
    double conflict_ways = 0;                     // of the worst request
    std::uint64_t bytes = 0;                      // of the array
    int blocks_per_sm = 0;
    std::string refused;  // why it is impossible; then only `bytes` above is set

    bool is_swizzle() const { return mask != 0; }
    bool changes_nothing() const { return pad == 0 && mask == 0; }
};

struct BankFixes {
    SharedArray array;
    std::uint64_t requests = 0, loads = 0, stores = 0, atomics = 0;
    std::uint64_t ideal_wavefronts = 0;
    std::uint64_t left_out = 0;   // requests that were not kept: the sums below exclude them
    std::uint64_t strangers = 0;  // requests that also access memory outside the array
    std::vector<BankFix> ranked;  // by wavefronts, then bytes; impossible ones last
    BankFix now;

    const BankFix& best() const { return ranked.front(); }
    bool gains() const { return !ranked.empty() && best().wavefronts < now.wavefronts; }
    /// The best fix that only changes the pad; nullptr if none is an improvement.
    const BankFix* best_pad() const;
};

inline constexpr std::int32_t most_pad = 32;

struct BankFixOptions {
    std::string array;               // empty: the array with the most excess wavefronts
    std::uint32_t row_elements = 0;  // 0: as declared
};

/// `launch` holds the program and the launch; its recorded accesses are not read. Errors: no such array, no
/// request to any array, or a shape that must be specified.
Result<BankFixes> try_bank_fixes(const trace::Trace& launch, const SharedRequests& requests,
                                 const GpuSpec& gpu, const BankFixOptions& options = {});

/// For a table: all pads, the first of swizzles with equal cost, and of impossible fixes only pads.
std::vector<const BankFix*> distinct_fixes(const BankFixes& fixes);

/// "column ^ (row & 31)", "pad 1", "pad −1", "as it is"
std::string name_of(const BankFix& fix, const SharedArray& array);
/// The source change: a declaration for a pad, an index expression for a swizzle or a flat array.
std::string change_of(const BankFix& fix, const SharedArray& array);

}  // namespace warplens::analysis
