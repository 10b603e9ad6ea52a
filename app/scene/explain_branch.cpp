#include "app/scene/explain_branch.h"

#include <fmt/format.h>

#include <string_view>

#include "analysis/wording.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "core/line_of_site.h"

namespace warplens::app {
namespace {

using analysis::grouped;

/// What the machine code has on one line of the source.
struct OnLine {
    std::uint64_t branches = 0, divergent = 0;  // executions
    bool has_guarded_exit = false;
};

OnLine count_on_line(const MachineCode& machine, std::string_view file, std::uint32_t line) {
    OnLine counts;
    for (SiteId id = 0; id < machine.program.sites.size(); ++id) {
        const Site& site = machine.program.sites[id];
        if (site.line != line || source_of(machine.program, site) != file) continue;
        counts.branches += machine.report->sites[id].branches;
        counts.divergent += machine.report->sites[id].branches_divergent;
        counts.has_guarded_exit = counts.has_guarded_exit || (site.kind == SiteKind::exit && site.guarded);
    }
    return counts;
}

}  // namespace

std::optional<BranchInMachineCode> branch_in_machine_code(const Scene& scene, SiteId site) {
    const MachineCode* const machine = scene.machine.get();
    if (machine == nullptr || !machine->report || !machine->stopped.empty() ||
        level_of_counts(scene) == Level::machine || site >= scene.report->sites.size())
        return std::nullopt;
    const analysis::SiteReport& branch = scene.report->sites[site];
    const Site& about = scene.trace->program.sites[site];
    if (branch.branches_divergent == 0 || about.line == 0) return std::nullopt;
    const OnLine there = count_on_line(*machine, source_of(scene.trace->program, about), about.line);
    if (there.branches > 0) {
        if (there.branches == branch.branches && there.divergent == branch.branches_divergent)
            return std::nullopt;
        return BranchInMachineCode{
            fmt::format("in machine code {} of {}", grouped(there.divergent), grouped(there.branches)), "",
            ""};
    }
    if (there.has_guarded_exit)
        return BranchInMachineCode{
            "but in machine code it is not a branch",
            "The assembler makes a guarded `EXIT` of it: lanes end there, and the others go on.",
            "No warp executes two paths here; it goes on until its last lane ends."};
    return BranchInMachineCode{
        "but in machine code it is not a branch",
        "All lanes go through the same instructions, and predicates decide whose results count.",
        "No warp executes two paths here; the instructions that a lane does not need still take their issue "
        "slots."};
}

}  // namespace warplens::app
