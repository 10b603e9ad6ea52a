#include "app/views/shared/access_choice.h"

#include <algorithm>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

struct Cost {
    std::uint64_t cost = 0, ideal = 0;
    /// a/b compared without division.
    bool worse_than(const Cost& other) const {
        const std::uint64_t mine = cost * std::max<std::uint64_t>(other.ideal, 1);
        const std::uint64_t theirs = other.cost * std::max<std::uint64_t>(ideal, 1);
        return mine != theirs ? mine > theirs : cost > other.cost;
    }
};

Cost cost_of(const trace::Trace& trace, std::uint64_t access, MemoryKind kind) {
    const trace::AccessRecord& record = trace.accesses[access];
    const trace::Addresses addresses = trace::addresses_of(trace, record);
    const trace::Access request = as_access(trace, record, addresses);
    if (kind == MemoryKind::shared) {
        const auto count = analysis::count_wavefronts(request);
        return {count.wavefronts, count.ideal_wavefronts};
    }
    if (kind == MemoryKind::atomic) return {analysis::count_atomic_turns(request).turns, 1};
    const auto count = analysis::count_sectors(request);
    return {count.sectors, count.ideal_sectors};
}

bool is_kind(const trace::Trace& trace, const trace::AccessRecord& record, MemoryKind kind) {
    const Space space = record.space;
    if (kind == MemoryKind::atomic) return trace::operation_of(trace, record) == Operation::atomic;
    return kind == MemoryKind::shared ? space == Space::shared
                                      : space == Space::global || space == Space::local;
}

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

trace::Access as_access(const trace::Trace& trace, const trace::AccessRecord& record,
                        const trace::Addresses& addresses) {
    return {record.site,
            record.mask,
            record.space,
            trace::operation_of(trace, record),
            trace.program.sites[record.site].bytes_per_lane,
            &addresses};
}

const RequestIndex::SiteRequests* RequestIndex::find(SiteId site) const {
    const std::size_t at = rank(site);
    return at < sites.size() ? &sites[at] : nullptr;
}

std::size_t RequestIndex::rank(SiteId site) const {
    return static_cast<std::size_t>(
        std::find_if(sites.begin(), sites.end(), [&](const auto& s) { return s.site == site; }) -
        sites.begin());
}

RequestIndex index_requests(const Scene& scene, MemoryKind kind) {
    RequestIndex index;
    if (!scene.trace) return index;
    const trace::Trace& trace = *scene.trace;
    std::vector<std::size_t> slot(trace.program.sites.size(), ~std::size_t{0});
    for (std::uint64_t at = 0; at < trace.accesses.size(); ++at) {
        const trace::AccessRecord& record = trace.accesses[at];
        if (record.site >= slot.size() || !is_kind(trace, record, kind)) continue;
        std::size_t& where = slot[record.site];
        if (where == ~std::size_t{0}) {
            where = index.sites.size();
            index.sites.emplace_back().site = record.site;
        }
        index.sites[where].accesses.push_back(at);
        ++index.requests;
    }
    for (RequestIndex::SiteRequests& site : index.sites) {
        // The worst request is looked for among a bounded number, spread over all: a start for the eye, not
        // a figure that is printed. Turns are known from the trace alone, and their mean is printed: all
        // count.
        constexpr std::size_t looked_at = 4096;
        const std::size_t stride =
            kind == MemoryKind::atomic ? 1 : std::max<std::size_t>(1, site.accesses.size() / looked_at);
        Cost worst, sum;
        for (std::size_t i = 0; i < site.accesses.size(); i += stride) {
            const Cost cost = cost_of(trace, site.accesses[i], kind);
            if (site.worst_access == no_access || cost.worse_than(worst)) {
                worst = cost;
                site.worst_access = site.accesses[i];
            }
            sum.cost += cost.cost;
            sum.ideal += cost.ideal;
        }
        site.requests = site.accesses.size();
        site.cost = sum.cost;
        site.ideal = sum.ideal;
        // A report knows the most turns of a site, not their sum: that stays the trace's.
        if (kind != MemoryKind::atomic && scene.report && site.site < scene.report->sites.size()) {
            const analysis::AccessTotals& totals = scene.report->sites[site.site].access;
            if (totals.requests) {
                site.requests = totals.requests;
                site.cost = kind == MemoryKind::shared ? totals.wavefronts : totals.sectors;
                site.ideal = kind == MemoryKind::shared ? totals.ideal_wavefronts : totals.ideal_sectors;
            }
        }
    }
    std::stable_sort(index.sites.begin(), index.sites.end(), [](const auto& a, const auto& b) {
        const Cost left{a.cost, a.ideal}, right{b.cost, b.ideal};
        if (left.worse_than(right)) return true;
        return !right.worse_than(left) && a.site < b.site;
    });
    return index;
}

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
    // Stay with the chosen warp, then with what is shown, then begin with the worst request.
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
