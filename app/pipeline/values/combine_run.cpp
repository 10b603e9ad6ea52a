#include "app/pipeline/values/combine_run.h"

#include <fmt/format.h>

#include "analysis/wording.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/launch_run.h"
#include "app/pipeline/values/combine_acts.h"
#include "simt/functional/block/value_log.h"

namespace warplens::app {
namespace {

/// Of the block: about a tenth of a second.
constexpr std::uint64_t most_followed = 60'000;

std::shared_ptr<const analysis::CombineTrees> absent(std::string why) {
    analysis::CombineTrees none;
    none.absent = std::move(why);
    return std::make_shared<const analysis::CombineTrees>(std::move(none));
}

}  // namespace

bool may_have_trees(const LoadedLaunch& launch) {
    return launch.level == Level::ptx && may_form_trees(*launch.module, launch.program.entry);
}

std::shared_ptr<const analysis::CombineTrees> no_trees() {
    return absent("No value that one thread combined is combined again by another thread.");
}

std::shared_ptr<const analysis::CombineTrees> find_trees(LoadedLaunch launch, std::uint64_t block,
                                                         const std::function<bool()>& cancelled) {
    const std::shared_ptr<const ptx::Module> module = launch.module;
    const std::shared_ptr<const simt::Kernel> code = launch.code;
    const auto warps = static_cast<std::uint32_t>(launch.launch.geometry.warps_per_block());
    auto acts = value_acts(*module, launch.program.entry);
    if (!acts) return absent(acts.error().message);
    analysis::CombineFlow flow(std::move(*acts));
    simt::ValueLog log(*code, *module, block, most_followed,
                       [&](const trace::ValueEvent& event) { flow.take(event); });
    LaunchRun::Keep keep;
    keep.listener = &log;
    keep.interrupted = true;
    keep.keep_report = false;
    auto run = LaunchRun::start(std::move(launch), std::move(keep));
    if (!run) return absent(run.error().message);
    simt::RunOptions options;
    options.blocks = {block};
    options.watch = &log;
    options.max_steps_per_warp = picture_steps_per_warp;
    options.max_printed = 0;
    options.cancelled = cancelled;
    const Status done = (*run)->execute(options);
    if (cancelled && cancelled()) return nullptr;
    if (!done) return absent(done.error().message);
    flow.finish();
    analysis::CombineTrees trees = analysis::combine_trees(flow);
    trees.warps = warps;
    trees.block = block;
    if (log.cut()) trees.stopped_after = most_followed;
    if (trees.trees.empty() && log.cut())
        return absent(
            fmt::format("Of block {} only the first {} instructions were followed, and they form no "
                        "tree: what comes after them is not known.",
                        analysis::grouped(block), analysis::grouped(most_followed)));
    if (trees.trees.empty()) return no_trees();
    return std::make_shared<const analysis::CombineTrees>(std::move(trees));
}

}  // namespace warplens::app
