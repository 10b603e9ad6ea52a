// `warplens values`: registers and memory of a warp at one step.
#include <algorithm>
#include <numeric>

#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/command_line/values_printing.h"
#include "app/scene/requested_selection.h"
#include "app/scene/step_spot.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

struct Chosen {
    ValuesRequest request;
    std::uint64_t block = 0;
};

tl::unexpected<Error> stopped() {
    return fail("{}; no values were read", RunWatch::of_this_process().reason());
}

/// "--select block=9: …": the trace has no room for the blocks from `first_lost` on.
tl::unexpected<Error> no_room(std::uint64_t block, std::string_view how_many, std::uint64_t first_lost) {
    return fail(
        "--select block={}: the step is found in the trace of all blocks up to it, and {} of them fit "
        "into the memory for traces; choose {}a smaller problem",
        block, how_many, first_lost > 0 ? fmt::format("a block below {}, or ", first_lost) : "");
}

/// Executes the blocks up to the wanted one, to find the step.
Result<ValuesQuestion> find_step(Pipeline& pipeline, ValuesRequest& request, const SpotRequest& spot) {
    WARPLENS_TRY(auto launch, pipeline.load(request.launch));
    const std::uint64_t blocks = launch.launch.geometry.blocks(), block = *spot.block;
    if (block >= blocks) return fail("--select block={}: the grid has blocks 0 to {}", block, blocks - 1);
    const LaunchGeometry geometry = launch.launch.geometry;
    if (const std::uint64_t most = trace::most_recorded_blocks(geometry); block >= most)
        return no_room(block, fmt::format("at most {}", most), most);
    std::vector<std::uint64_t>& run = request.run.emplace_back(block + 1);
    std::iota(run.begin(), run.end(), std::uint64_t{0});
    ExecuteOptions execute;
    execute.blocks = run;
    execute.keep_trace = true;
    execute.whole_trace = true;
    execute.check_golden = false;
    execute.max_steps_per_warp = request.max_steps_per_warp;
    watch_run(execute, geometry);
    WARPLENS_TRY(auto executed, pipeline.execute(std::move(launch), execute));
    if (executed.interrupted && should_stop()) return stopped();
    Scene scene;
    scene.trace = executed.trace;
    const std::vector<std::uint64_t> kept = trace::recorded_blocks(*scene.trace);
    if (!std::ranges::binary_search(kept, block)) {
        std::uint64_t first_lost = 0;
        while (first_lost < kept.size() && kept[first_lost] == first_lost) ++first_lost;
        return no_room(block, fmt::format("only {}", kept.size()), first_lost);
    }
    auto found = requested_selection(scene, "values", spot);
    if (!found) return fail("--select {}", found.error().message);
    const auto step = step_of_spot(*scene.trace, *found);
    if (!step) return fail("--select: there is no such warp");
    const trace::WarpRecord& warp = scene.trace->warps[found->warp_record];
    request.alone = !depends_on_other_blocks(*scene.trace, block);
    return ValuesQuestion{{warp.block, warp.warp, *step}, found->lane, std::nullopt};
}

}  // namespace

Result<int> print_values(const ValuesOptions& options) {
    const bool json = options.format == "json";
    WARPLENS_TRY(const auto kind, target_kind(options.launch.target));
    if (kind == TargetKind::trace_file)
        return fail("{}: a trace holds no values; name the kernel or its file, which is executed again",
                    options.launch.target);
    WARPLENS_TRY(const auto engine, engine_of(options.launch, Engine::simt));
    if (engine != Engine::simt)
        return fail("--engine {}: the CPU engine computes values", options.launch.engine);
    if (!options.launch.blocks.empty()) return fail("--blocks: use --select block=B");
    auto spot = parse_spot_request(options.select);
    if (!spot) return fail("--select {}", spot.error().message);
    if (spot->cycle) return fail("--select cycle: name a step, a line or a site");
    if (!spot->block) spot->block = 0;
    ValuesRequest request;
    WARPLENS_TRY(request.launch, launch_request(options.launch));
    if (options.launch.max_steps) request.max_steps_per_warp = *options.launch.max_steps;
    const auto pipeline = make_pipeline();
    start_watch(options.launch);
    WARPLENS_TRY(request.question, find_step(*pipeline, request, *spot));
    request.question.shared_word = options.word;
    const auto values = step_values(*pipeline, request, should_stop);
    if (!values && should_stop()) return stopped();
    if (!values) return tl::unexpected(values.error());
    print_result(json ? values_json(*values) : values_text(*values));
    return exit_success;
}

}  // namespace warplens::app
