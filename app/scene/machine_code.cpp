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

/// Of an atomic of which a line has one: what is left of its lanes at one address, where the compiler lets a
/// warp combine their values first.
std::string combined_lanes(const Scene& scene, SiteId site) {
    const MachineCode& machine = *scene.machine;
    const Program& program = scene.trace->program;
    const Site& about = program.sites[site];
    if (about.operation != Operation::atomic || about.line == 0) return {};
    const auto file_of = [](const Program& of, const Site& one) {
        return one.file < of.sources.size() ? of.sources[one.file].name : std::string();
    };
    const auto most_lanes = [&](const analysis::LaunchReport& report, const Program& of) {
        std::pair<std::uint32_t, int> most{0, 0};  // and of how many sites
        for (const analysis::SiteReport& one : report.sites) {
            const Site& other = of.sites[one.site];
            const bool here = other.line == about.line && file_of(of, other) == file_of(program, about);
            if (one.operation != Operation::atomic || !here) continue;
            most.first = std::max(most.first, one.access.most_lanes_per_address);
            ++most.second;
        }
        return most;
    };
    const auto [lanes, sites] = most_lanes(*scene.report, program);
    const auto [left, machine_sites] = most_lanes(*machine.report, machine.program);
    if (sites != 1 || machine_sites == 0 || left == 0 || left >= lanes) return {};
    return fmt::format(
        "In machine code a warp combines values of one address first: at most {} there "
        "instead of {}, exact.",
        analysis::counted(left, "lane"), lanes);
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
    if (!first) return combined_lanes(scene, site);
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
