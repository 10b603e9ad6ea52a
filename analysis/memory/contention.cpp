#include "analysis/memory/contention.h"

#include <algorithm>

#include "analysis/memory/coalescing.h"
#include "analysis/memory/stored_request.h"

namespace warplens::analysis {

AtomicDetail detail_atomic(const trace::Access& access) {
    AtomicDetail detail;
    detail.lanes = access.mask;
    for_each_lane(access.mask, [&](int lane) {
        const std::uint64_t address = (*access.addresses)[static_cast<std::size_t>(lane)];
        auto at = std::ranges::lower_bound(detail.addresses, address, {}, &ContendedAddress::address);
        if (at == detail.addresses.end() || at->address != address)
            at = detail.addresses.insert(at, {address, LaneMask{}});
        const auto round = static_cast<std::size_t>(at->lanes.count());
        at->lanes.bits |= 1u << lane;
        if (round >= detail.rounds.size()) detail.rounds.resize(round + 1);
        detail.rounds[round].bits |= 1u << lane;
    });
    return detail;
}

ContentionHistogram contention_of_site(const trace::Trace& trace, SiteId site) {
    ContentionHistogram histogram;
    for (std::uint64_t at = 0; at < trace.accesses.size(); ++at) {
        if (trace.accesses[at].site != site) continue;
        const StoredRequest request(trace, at);
        const std::uint32_t rounds = count_atomic_rounds(request.access()).rounds;
        if (histogram.requests[rounds]++ == 0) histogram.first_access[rounds] = at;
        ++histogram.all;
        histogram.rounds += rounds;
        histogram.lanes += static_cast<std::uint64_t>(request.record.mask.count());
    }
    return histogram;
}

}  // namespace warplens::analysis
