#include "analysis/memory/bank_heatmap.h"

#include <algorithm>

#include "analysis/memory/stored_request.h"

namespace warplens::analysis {

BankHeatmap bank_heatmap(const trace::Trace& trace, const BankHeatmapOptions& options) {
    std::uint64_t begin = 0;
    std::uint64_t end = trace.accesses.size();
    if (options.warp_record < trace.warps.size()) {
        begin = trace.warps[options.warp_record].accesses_begin;
        end = trace.warps[options.warp_record].accesses_end;
    }
    const auto wanted = [&](const trace::AccessRecord& record) {
        return record.space == Space::shared && (options.site == no_index || record.site == options.site);
    };

    BankHeatmap map;
    for (std::uint64_t i = begin; i < end; ++i) map.requests += wanted(trace.accesses[i]);
    const std::uint64_t limit = std::max(1u, options.max_columns);
    map.requests_per_column =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (map.requests + limit - 1) / limit));
    map.columns.reserve(map.requests / map.requests_per_column + 1);

    for (std::uint64_t i = begin; i < end; ++i) {
        if (!wanted(trace.accesses[i])) continue;
        if (map.columns.empty() || map.columns.back().requests == map.requests_per_column) {
            map.columns.emplace_back();
            map.columns.back().first_access = i;
        }
        BankHeatmap::Column& column = map.columns.back();
        const StoredRequest request(trace, i);
        const WavefrontCount count = count_wavefronts(request.access());
        if (column.requests == 0 || count.wavefronts > column.wavefronts) {
            column.worst_access = i;
            column.wavefronts = count.wavefronts;
            column.ideal_wavefronts = count.ideal_wavefronts;
        }
        const auto words = count_bank_words(request.access());
        for (std::size_t bank = 0; bank < words.size(); ++bank) {
            column.max_words[bank] = std::max(column.max_words[bank], words[bank]);
            column.sum_words[bank] += words[bank];
            map.most_words = std::max(map.most_words, words[bank]);
        }
        ++column.requests;
        map.wavefronts += count.wavefronts;
        map.ideal_wavefronts += count.ideal_wavefronts;
    }
    return map;
}

}  // namespace warplens::analysis
