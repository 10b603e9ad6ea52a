#include "app/scene/machine_code.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "analysis/wording.h"
#include "app/scene/scene.h"

namespace warplens::app {

using analysis::grouped;

std::string merge_sentence(const Scene& scene, SiteId ptx_site) {
    if (!scene.machine) return {};
    const MachineCode& machine = *scene.machine;
    const analysis::MergedAccess* first = nullptr;
    std::set<SiteId> sources;
    analysis::AccessTotals wide, narrow;
    for (const analysis::MergedAccess& merged : machine.merged) {
        if (std::ranges::find(merged.ptx, ptx_site) == merged.ptx.end()) continue;
        if (!first) first = &merged;
        wide.add(machine.report->sites[merged.machine].access);
        sources.insert(merged.ptx.begin(), merged.ptx.end());
    }
    if (!first) return {};
    for (const SiteId site : sources) narrow.add(scene.report->sites[site].access);
    const bool counts_wavefronts = wide.wavefronts > 0;
    if (counts_wavefronts && wide.wavefronts == narrow.wavefronts)
        return fmt::format("The assembler merges {}: {} wavefronts, as many as at the PTX level, exact.",
                           analysis::merge_words(*first, machine.program), grouped(wide.wavefronts));
    return fmt::format("The assembler merges {}: {} {} instead of {} at the machine level, exact.",
                       analysis::merge_words(*first, machine.program),
                       grouped(counts_wavefronts ? wide.wavefronts : wide.requests),
                       counts_wavefronts ? "wavefronts" : "requests",
                       grouped(counts_wavefronts ? narrow.wavefronts : narrow.requests));
}

std::size_t merged_parts(const Scene& scene, SiteId ptx_site) {
    if (!scene.machine) return 1;
    for (const analysis::MergedAccess& merged : scene.machine->merged)
        if (std::ranges::find(merged.ptx, ptx_site) != merged.ptx.end())
            return merged.ptx.size() * merged.executions;
    return 1;
}

}  // namespace warplens::app
