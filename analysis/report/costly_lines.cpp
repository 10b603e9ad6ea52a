#include "analysis/report/costly_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "analysis/wording.h"

namespace warplens::analysis {

std::string CostlyLine::cost() const {
    std::string words;
    if (access.sectors > access.ideal_sectors)
        words = fmt::format("{} sectors per request (ideal {})", ratio(access.sectors, access.requests),
                            ratio(access.ideal_sectors, access.requests));
    if (access.wavefronts > access.ideal_wavefronts) {
        if (!words.empty()) words += "; ";
        words += fmt::format(
            "{} wavefronts per request (ideal {}); worst {}-way", ratio(access.wavefronts, access.requests),
            ratio(access.ideal_wavefronts, access.requests), rounded(access.conflict_ways()));
    }
    return words;
}

std::vector<CostlyLine> costly_lines(const LaunchReport& report, const Program& program) {
    std::vector<CostlyLine> costly;
    const std::vector<InlinedPlace> inlined = inlined_places(program);
    for (const SiteReport& site : report.sites) {
        if (CostlyLine{nullptr, 0, site.access, {}}.excess() == 0) continue;
        const Site& about = program.sites[site.site];
        auto line = std::ranges::find_if(costly, [&](const CostlyLine& other) { return other.is_of(about); });
        if (line == costly.end()) line = costly.insert(costly.end(), {&about, 0, {}, {}});
        ++line->instructions;
        const InlinedPlace& inner = inlined[site.site];
        if (inner.line != 0 && std::ranges::find(line->inlined, inner) == line->inlined.end())
            line->inlined.push_back(inner);
        line->access.add(site.access);
    }
    for (CostlyLine& line : costly) std::ranges::sort(line.inlined);
    std::ranges::stable_sort(costly, std::ranges::greater{}, &CostlyLine::excess);
    return costly;
}

}  // namespace warplens::analysis
