#include "app/pipeline/find_shared_registers.h"

#ifdef WARPLENS_SASS
#include <algorithm>
#include <new>
#include <utility>

#include "app/pipeline/find_races.h"
#include "app/pipeline/kernel_code.h"
#include "app/pipeline/launch_run.h"
#include "sass/cubin.h"
#include "sass/uniform_use.h"
#include "simt/functional/machine/shared_registers.h"
#endif

namespace warplens::app {

#ifdef WARPLENS_SASS

namespace {

/// Else all lanes have the same values.
bool parts_write_uniform_registers(const sass::MachineProgram& machine,
                                   const analysis::LaunchReport& report) {
    return std::ranges::any_of(report.sites, [&](const analysis::SiteReport& site) {
        return site.active_lanes < site.steps * warp_size &&
               !sass::uniform_use(machine.instructions[site.site], machine.sm).written.empty();
    });
}

std::string place(const Program& program, SiteId site) {
    const Site& at = program.sites[site];
    return at.line != 0 ? fmt::format("line {} ({})", at.line, at.text) : fmt::format("`{}`", at.text);
}

Problem note_of(const simt::SharedRegister& found, const LoadedLaunch& launch) {
    const Program& program = launch.program;
    const LaunchGeometry& geometry = launch.launch.geometry;
    const auto file = [&](SiteId site) {
        const std::size_t at = program.sites[site].file;
        return at < program.sources.size() ? program.sources[at].name : std::string();
    };
    Problem note;
    note.kind = ProblemKind::shared_register;
    note.site = found.read;
    note.file = file(found.read);
    note.line = program.sites[found.read].line;
    note.block = coordinates(found.block, geometry.grid);
    note.thread = coordinates(std::uint64_t{found.warp} * warp_size, geometry.block);
    note.element = fmt::format("UR{}", found.uniform_register);
    note.other =
        OtherParty{found.write, file(found.write), program.sites[found.write].line, note.block, note.thread};
    note.reach = Reach::warp;
    note.count = found.times;
    note.message = fmt::format(
        "lanes of a warp that are apart need {} for two values, and a warp has one copy of it: `{}` reads it "
        "here, and at {} other lanes write it {}. The assembler took the lanes for together, so that what a "
        "GPU computes depends on which of them run first. Inline the functions that are called where only a "
        "part of a warp runs (__forceinline__), or call them where all of it does",
        note.element, program.sites[found.read].text, place(program, found.write),
        found.in_other_order ? "after that, which may come first on a GPU" : "before that");
    return note;
}

}  // namespace

Result<FoundSharedRegisters> find_shared_registers(LoadedLaunch launch, const analysis::LaunchReport& report,
                                                   const ExecuteOptions& options) {
    FoundSharedRegisters found;
    WARPLENS_TRY(const auto cubin, sass::read_cubin(launch.built->cubin));
    WARPLENS_TRY(const auto machine, sass::number_machine_sites(cubin, launch.program.entry));
    if (!parts_write_uniform_registers(machine, report)) return found;
    simt::SharedRegisters registers(*launch.code, machine);
    simt::RunOptions again = options_again(options, options.blocks);
    again.watch = &registers;
    if (options.races == ExecuteOptions::Races::within_budget) {
        again.step_budget = default_race_budget;
        again.max_steps_per_warp = std::min(again.max_steps_per_warp, default_race_budget);
    }
    const LoadedLaunch facts = launch;
    try {
        WARPLENS_TRY(auto run,
                     LaunchRun::start_again(std::move(launch),
                                            {.interrupted = options.keep_interrupted, .keep_report = false}));
        WARPLENS_TRY(run->execute(again));
    } catch (const std::bad_alloc&) {
        found.left_out = "shared uniform registers were not searched for, since there is not enough memory";
    }
    std::vector<Problem> all;
    for (const simt::SharedRegister& each : registers.found()) all.push_back(note_of(each, facts));
    merge_problems(found.notes, all);
    return found;
}

#else

Result<FoundSharedRegisters> find_shared_registers(LoadedLaunch, const analysis::LaunchReport&,
                                                   const ExecuteOptions&) {
    return FoundSharedRegisters{};
}

#endif

}  // namespace warplens::app
