#include "app/pipeline/find_races.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "app/pipeline/bind_images.h"
#include "app/pipeline/child_grids.h"
#include "app/pipeline/earlier_runs.h"
#include "app/pipeline/launch_run.h"
#include "app/pipeline/launch_shape.h"
#include "app/pipeline/place_buffer.h"
#include "instrumentation/catalog/arguments.h"
#include "simt/functional/machine_races.h"

namespace warplens::app {
namespace {

constexpr std::uint64_t fewest_blocks = 2;  // races between blocks take two

bool is_race(const Problem& problem) {
    return problem.kind == ProblemKind::shared_race || problem.kind == ProblemKind::global_race;
}

std::vector<std::uint64_t> affordable(const RaceSearch& search, std::uint64_t blocks_in_grid) {
    std::vector<std::uint64_t> blocks = search.blocks;
    if (blocks.empty()) {
        blocks.resize(blocks_in_grid);
        std::iota(blocks.begin(), blocks.end(), 0);
    }
    if (search.budget == 0 || search.steps_of_blocks == 0) return blocks;
    const std::uint64_t cost = std::max<std::uint64_t>(search.steps / search.steps_of_blocks, 1);
    const std::uint64_t count = std::max(search.budget / cost, fewest_blocks);
    if (count < blocks.size()) blocks.resize(count);
    return blocks;
}

}  // namespace

bool never_ends(const std::vector<Problem>& problems) {
    return std::ranges::find(problems, ProblemKind::endless_loop, &Problem::kind) != problems.end();
}

Result<FoundRaces> find_races(const LoadedLaunch& launch, const RaceSearch& search) {
    const LaunchGeometry& geometry = launch.launch.geometry;
    const std::uint64_t all = search.blocks.empty() ? geometry.blocks() : search.blocks.size();
    simt::RunOptions options;
    options.blocks = affordable(search, geometry.blocks());
    FoundRaces found;
    if (options.blocks.size() < all && geometry.cooperative) {
        found.note =
            "races were not searched for, since all blocks of a cooperative launch run together and "
            "take long; --check-races on searches for them";
        return found;
    }
    // The rest of the budget limits the whole search, so that a single block cannot run without end.
    options.max_steps_per_warp =
        search.budget == 0 ? search.max_steps_per_warp : std::min(search.max_steps_per_warp, search.budget);
    options.step_budget = 2 * search.budget;
    options.detect_races = true;
    options.races = simt::watch_races(*launch.code, launch.program.ptx);
    options.max_printed = 0;  // known from the run before
    options.limits = launch.limits;
    describe_launch(launch, options);
    options.resident_blocks = resident_blocks(launch_occupancy(launch.launch, *launch.gpu), *launch.gpu);
    options.cancelled = search.cancelled;

    simt::GlobalMemory memory;
    std::vector<std::uint64_t> addresses;
    try {
        WARPLENS_TRY(const auto prepared, prepare_again(launch));
        for (const instrumentation::PreparedBuffer& buffer : prepared.buffers) {
            WARPLENS_TRY(const std::uint64_t base,
                         place_buffer(buffer, buffer.data, buffer.address, launch.kernel->linked, memory));
            addresses.push_back(base);
        }
        WARPLENS_TRY(const auto arguments,
                     instrumentation::lay_out_arguments(prepared, launch.program.parameters, addresses,
                                                        bind_images(prepared, addresses, memory)));
        simt::RunResult run = simt::run(*launch.code, geometry, arguments, memory, options, nullptr);
        if (run.completed && !run.launches.empty()) {
            WARPLENS_TRY(auto children, execute_child_grids(launch, std::move(run.launches), memory, options,
                                                            search.budget));
            run.cancelled |= children.run.cancelled;
            run.races_watched_in_part |= children.run.races_watched_in_part || children.run.left_out > 0;
            merge_problems(run.problems, children.run.problems);
            merge_problems(run.notes, children.run.notes);
        }
        if (run.cancelled && !search.keep_interrupted) return fail("the run was cancelled");
        found.interrupted = run.cancelled;
        std::erase_if(run.problems, [](const Problem& problem) { return !is_race(problem); });
        std::erase_if(run.notes, [](const Problem& note) {
            return note.kind != ProblemKind::lockstep && note.kind != ProblemKind::doubtful_race;
        });
        found.problems = std::move(run.problems);
        found.notes = std::move(run.notes);
        found.blocks = run.blocks;
        found.complete = run.blocks == all && !run.races_watched_in_part && !run.cancelled;
    } catch (const std::bad_alloc&) {
        found.note = "races were not searched for, since there is not enough memory";
        return found;
    }
    if (found.interrupted)
        found.note = fmt::format("the search for races was stopped in {} of {} blocks", found.blocks, all);
    else if (!found.complete)
        found.note = fmt::format("races were searched for in {} of {} blocks; --check-races on searches all",
                                 found.blocks, all);
    return found;
}

}  // namespace warplens::app
