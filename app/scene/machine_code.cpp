#include "app/scene/machine_code.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "analysis/wording.h"
#include "app/scene/level_of_time.h"
#include "app/scene/scene.h"

namespace warplens::app {

using analysis::grouped;

namespace {

/// Of a Scene at the machine level, what a machine instruction was made of.
const analysis::MergedAccess* merge_into(const Scene& scene, SiteId machine_site) {
    const auto& merged = scene.machine->merged;
    const auto found = std::ranges::find(merged, machine_site, &analysis::MergedAccess::machine);
    return found == merged.end() ? nullptr : &*found;
}

}  // namespace

std::string merge_sentence(const Scene& scene, SiteId site) {
    if (!scene.machine) return {};
    const MachineCode& machine = *scene.machine;
    if (level_of_counts(scene) == Level::machine) {
        const analysis::MergedAccess* merged = merge_into(scene, site);
        return merged
                   ? fmt::format("The assembler merged {}.", analysis::merge_words(*merged, machine.program))
                   : std::string();
    }
    const analysis::MergedAccess* first = nullptr;
    std::set<SiteId> sources;
    analysis::AccessTotals wide, narrow;
    for (const analysis::MergedAccess& merged : machine.merged) {
        if (std::ranges::find(merged.ptx, site) == merged.ptx.end()) continue;
        if (!first) first = &merged;
        wide.add(machine.report->sites[merged.machine].access);
        sources.insert(merged.ptx.begin(), merged.ptx.end());
    }
    if (!first) return {};
    for (const SiteId source : sources) narrow.add(scene.report->sites[source].access);
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

std::size_t merged_parts(const Scene& scene, SiteId site) {
    if (!scene.machine) return 1;
    const auto parts = [](const analysis::MergedAccess& merged) {
        return merged.ptx.size() * merged.executions;
    };
    if (level_of_counts(scene) == Level::machine) {
        const analysis::MergedAccess* merged = merge_into(scene, site);
        return merged ? parts(*merged) : 1;
    }
    for (const analysis::MergedAccess& merged : scene.machine->merged)
        if (std::ranges::find(merged.ptx, site) != merged.ptx.end()) return parts(merged);
    return 1;
}

}  // namespace warplens::app
