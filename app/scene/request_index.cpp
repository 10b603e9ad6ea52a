#include "app/scene/request_index.h"

#include <algorithm>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"
#include "analysis/memory/stored_request.h"
#include "app/scene/scene.h"
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
    const analysis::StoredRequest stored(trace, access);
    const trace::Access request = stored.access();
    if (kind == MemoryKind::shared) {
        const auto count = analysis::count_wavefronts(request);
        return {count.wavefronts, count.ideal_wavefronts};
    }
    if (kind == MemoryKind::atomic) return {analysis::count_atomic_rounds(request).rounds, 1};
    const auto count = analysis::count_sectors(request);
    return {count.sectors, count.ideal_sectors};
}

}  // namespace

bool is_of_kind(const trace::Trace& trace, const trace::AccessRecord& record, MemoryKind kind) {
    const Space space = record.space;
    if (kind == MemoryKind::atomic) return trace::operation_of(trace, record) == Operation::atomic;
    return kind == MemoryKind::shared ? space == Space::shared
                                      : space == Space::global || space == Space::local;
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
        if (record.site >= slot.size() || !is_of_kind(trace, record, kind)) continue;
        std::size_t& where = slot[record.site];
        if (where == ~std::size_t{0}) {
            where = index.sites.size();
            index.sites.emplace_back().site = record.site;
        }
        index.sites[where].accesses.push_back(at);
        ++index.requests;
    }
    for (RequestIndex::SiteRequests& site : index.sites) {
        // The worst request is searched for among a bounded number, spread over all: it is a first selection,
        // not a printed figure. Rounds are known from the trace alone, and their mean is printed, so all
        // requests count.
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
        // A report holds the largest number of rounds of a site, not their sum: the sum comes from the trace.
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

std::shared_ptr<const RequestIndexes> index_requests(const Scene& scene) {
    auto indexes = std::make_shared<RequestIndexes>();
    for (std::size_t i = 0; i < indexes->of_kind.size(); ++i)
        indexes->of_kind[i] = index_requests(scene, static_cast<MemoryKind>(i));
    return indexes;
}

}  // namespace warplens::app
