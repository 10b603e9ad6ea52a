#include "analysis/memory/sector_histogram.h"

#include <map>

#include "analysis/memory/stored_request.h"

namespace warplens::analysis {

SectorHistogram sector_histogram(const trace::Trace& trace, SiteId site) {
    std::map<std::uint32_t, SectorHistogram::Bin> bins;
    SectorHistogram histogram;
    for (std::uint64_t i = 0; i < trace.accesses.size(); ++i) {
        const trace::AccessRecord& record = trace.accesses[i];
        if (site != no_index && record.site != site) continue;
        if (record.space != Space::global && record.space != Space::local) continue;
        const StoredRequest request(trace, i);
        const SectorCount count = record.space == Space::global ? count_sectors(request.access())
                                                                : count_local_sectors(request.access());
        SectorHistogram::Bin& bin = bins[count.sectors];
        if (bin.requests == 0) {
            bin.sectors = count.sectors;
            bin.first_access = i;
        }
        ++bin.requests;
        if (count.sectors == count.ideal_sectors) ++bin.at_ideal;
        ++histogram.requests;
        histogram.sectors += count.sectors;
        histogram.ideal_sectors += count.ideal_sectors;
        histogram.used_bytes += count.used_bytes;
    }
    for (const auto& [sectors, bin] : bins) histogram.bins.push_back(bin);
    return histogram;
}

}  // namespace warplens::analysis
