#include "app/views/shared/access_choice.h"

#include <algorithm>

#include "trace/query.h"

namespace warplens::app {
namespace {

std::uint32_t warp_index(const trace::Trace& trace, std::uint64_t access) {
    return static_cast<std::uint32_t>(&trace::warp_of_access(trace, access) - trace.warps.data());
}

/// A site's requests by one warp, as a range of SiteRequests::accesses.
struct WarpRange {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
};
WarpRange range_of(const RequestIndex::SiteRequests& site, const trace::WarpRecord& warp) {
    const auto& all = site.accesses;
    const auto begin = std::lower_bound(all.begin(), all.end(), warp.accesses_begin);
    const auto end = std::lower_bound(begin, all.end(), warp.accesses_end);
    return {static_cast<std::size_t>(begin - all.begin()), static_cast<std::size_t>(end - all.begin())};
}

}  // namespace

AccessChoice choice_of(const RequestIndex& index, const trace::Trace& trace, std::uint64_t access) {
    AccessChoice choice;
    choice.access = access;
    choice.site = trace.accesses[access].site;
    choice.warp_record = warp_index(trace, access);
    if (const auto* site = index.find(choice.site)) {
        const WarpRange range = range_of(*site, trace.warps[choice.warp_record]);
        const auto at = std::lower_bound(site->accesses.begin(), site->accesses.end(), access);
        choice.occurrence =
            static_cast<std::uint32_t>(static_cast<std::size_t>(at - site->accesses.begin()) - range.begin);
        choice.occurrences = static_cast<std::uint32_t>(range.size());
    }
    return choice;
}

std::optional<AccessChoice> choose_access(const RequestIndex& index, const trace::Trace& trace,
                                          const Spot& chosen, const std::optional<AccessChoice>& shown) {
    if (index.sites.empty()) return std::nullopt;
    if (chosen.access < trace.accesses.size()) {
        const SiteId site = trace.accesses[chosen.access].site;
        const auto* accesses = index.find(site);
        if (accesses &&
            std::binary_search(accesses->accesses.begin(), accesses->accesses.end(), chosen.access))
            return choice_of(index, trace, chosen.access);
    }
    const RequestIndex::SiteRequests* site = index.find(chosen.site);
    if (!site && chosen.source_line != 0 && chosen.site == no_index) {
        for (const auto& candidate : index.sites) {
            if (trace.program.sites[candidate.site].line == chosen.source_line) {
                site = &candidate;
                break;
            }
        }
    }
    const bool shown_is_valid = shown && shown->access < trace.accesses.size() &&
                                trace.accesses[shown->access].site == shown->site &&
                                index.find(shown->site) != nullptr;
    if (!site && shown_is_valid) site = index.find(shown->site);
    if (!site) site = &index.sites.front();
    // The chosen warp first, then what is shown, then the worst request.
    if (chosen.warp_record < trace.warps.size()) {
        if (shown_is_valid && shown->site == site->site && shown->warp_record == chosen.warp_record)
            return shown;
        const WarpRange range = range_of(*site, trace.warps[chosen.warp_record]);
        if (range.size() > 0) return choice_of(index, trace, site->accesses[range.begin]);
    }
    if (shown_is_valid && shown->site == site->site) return choice_of(index, trace, shown->access);
    return choice_of(index, trace, site->worst_access);
}

AccessChoice step_choice(const RequestIndex& index, const trace::Trace& trace, const AccessChoice& choice,
                         AccessStep step, int by) {
    const std::size_t rank = index.rank(choice.site);
    if (rank >= index.sites.size()) return choice;
    const RequestIndex::SiteRequests& site = index.sites[rank];
    const auto moved = [](std::size_t at, int by, std::size_t size) {
        if (by < 0) return at == 0 ? at : at - 1;
        return at + 1 < size ? at + 1 : at;
    };
    if (step == AccessStep::site) {
        const std::size_t next = moved(rank, by, index.sites.size());
        if (next == rank) return choice;
        const RequestIndex::SiteRequests& other = index.sites[next];
        const WarpRange range = range_of(other, trace.warps[choice.warp_record]);
        return choice_of(index, trace, range.size() ? other.accesses[range.begin] : other.worst_access);
    }
    const WarpRange range = range_of(site, trace.warps[choice.warp_record]);
    if (step == AccessStep::occurrence) {
        const std::size_t next = moved(choice.occurrence, by, range.size());
        return choice_of(index, trace, site.accesses[range.begin + next]);
    }
    // The neighbouring warp that executed the site, at the same occurrence where it has one.
    if (by < 0) {
        if (range.begin == 0) return choice;
        const std::uint32_t warp = warp_index(trace, site.accesses[range.begin - 1]);
        const WarpRange other = range_of(site, trace.warps[warp]);
        const std::size_t at = std::min<std::size_t>(choice.occurrence, other.size() - 1);
        return choice_of(index, trace, site.accesses[other.begin + at]);
    }
    if (range.end >= site.accesses.size()) return choice;
    const std::uint32_t warp = warp_index(trace, site.accesses[range.end]);
    const WarpRange other = range_of(site, trace.warps[warp]);
    const std::size_t at = std::min<std::size_t>(choice.occurrence, other.size() - 1);
    return choice_of(index, trace, site.accesses[other.begin + at]);
}

Spot spot_of(const trace::Trace& trace, const AccessChoice& choice, int lane) {
    Spot spot;
    spot.warp_record = choice.warp_record;
    spot.site = choice.site;
    spot.access = choice.access;
    spot.lane = lane;
    if (choice.site < trace.program.sites.size()) spot.source_line = trace.program.sites[choice.site].line;
    return spot;
}

}  // namespace warplens::app
