#include "analysis/warps/warp_divergence.h"

#include <algorithm>

#include "trace/query.h"

namespace warplens::analysis {

std::vector<WarpDivergence> warps_by_divergence(const trace::Trace& trace) {
    const trace::RecordedSites sites(trace.program);
    std::vector<WarpDivergence> out(trace.warps.size());
    for (std::size_t i = 0; i < trace.warps.size(); ++i) {
        const trace::WarpRecord& warp = trace.warps[i];
        WarpDivergence& sum = out[i];
        sum.warp_record = static_cast<std::uint32_t>(i);
        trace::RecordCursor cursor(trace, warp);
        for (std::uint64_t at = warp.visits_begin; at < warp.visits_end; ++at) {
            const trace::Visit& visit = trace.visits[at];
            const std::uint64_t steps = trace.program.basic_blocks[visit.basic_block].site_count;
            sum.steps += steps;
            sum.active_lanes += steps * static_cast<std::uint64_t>(visit.active.count());
            for (const trace::RecordedSites::Entry& entry : sites.of(visit.basic_block)) {
                const trace::SiteRecords records = cursor.next(entry, visit.active);
                if (!entry.branch) continue;
                ++sum.branches;
                sum.branches_divergent += !records.taken.empty() && records.taken != visit.active;
            }
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const WarpDivergence& a, const WarpDivergence& b) {
        // a.lanes / a.steps < b.lanes / b.steps, without rounding; a warp without steps comes last
        if (a.steps == 0 || b.steps == 0) return a.steps > b.steps;
        return static_cast<long double>(a.active_lanes) * static_cast<long double>(b.steps) <
               static_cast<long double>(b.active_lanes) * static_cast<long double>(a.steps);
    });
    return out;
}

}  // namespace warplens::analysis
