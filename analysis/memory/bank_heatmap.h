// BankHeatmap: a Trace's shared-memory requests in execution order as columns, the 32 banks as rows, and the
// distinct words that each request accesses per bank. The size is bounded: many requests may share a column,
// which then has the maximum per bank. One request in detail is analysis/memory/banks.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/memory/banks.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct BankHeatmapOptions {
    SiteId site = no_index;                // only this site; no_index: all
    std::uint32_t warp_record = no_index;  // only this index into Trace::warps; no_index: all
    std::uint32_t max_columns = 512;
};

struct BankHeatmap {
    struct Column {
        std::uint64_t first_access = 0;  // index into Trace::accesses of the column's first request
        std::uint64_t worst_access = 0;  // the request with the most wavefronts, the first of equals
        std::uint32_t requests = 0;
        std::uint32_t wavefronts = 0;                       // of the worst request
        std::uint32_t ideal_wavefronts = 0;                 // of the same request
        std::array<std::uint8_t, bank_count> max_words{};   // maximum over the column's requests
        std::array<std::uint32_t, bank_count> sum_words{};  // sum over the column's requests
    };
    std::vector<Column> columns;  // in the order of Trace::accesses
    std::uint64_t requests = 0;
    std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
    std::uint32_t requests_per_column = 1;  // the last column may hold fewer
    std::uint8_t most_words = 0;            // the largest cell of all
};
BankHeatmap bank_heatmap(const trace::Trace& trace, const BankHeatmapOptions& options = {});

}  // namespace warplens::analysis
