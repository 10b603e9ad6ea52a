#include "app/pipeline/fit_lengths.h"

#include <algorithm>

#include "app/pipeline/block_sample.h"
#include "app/pipeline/earlier_runs.h"
#include "app/pipeline/launch_run.h"

namespace warplens::app {
namespace {

/// About 50 ms of the engine.
constexpr std::uint64_t most_steps = 3'000'000;
constexpr std::uint64_t most_blocks = 64;

/// What the accesses of some blocks need.
struct Reached {
    std::vector<std::uint64_t> bytes;  // from the beginning, by buffer; 0: no more than it has
    std::uint64_t steps = 0;
};

Result<Reached> reached_by(const LoadedLaunch& launch, std::uint64_t blocks) {
    WARPLENS_TRY(auto run, LaunchRun::start(launch, {.keep_report = false}));
    simt::RunOptions options;
    options.blocks = spread_blocks(launch.launch.geometry.blocks(), blocks);
    options.max_steps_per_warp = most_steps;
    options.max_printed = 0;
    WARPLENS_TRY(run->execute(options));
    Reached reached{{}, run->steps()};
    const simt::GlobalMemory memory = run->take_memory();
    for (const auto& buffer : launch.prepared.buffers) {
        const simt::Allocation* const held = memory.find(buffer.name);
        reached.bytes.push_back(held ? held->reached : 0);
    }
    return reached;
}

/// The first and the last block show what a block costs; as many more as there is time for.
Result<std::vector<std::uint64_t>> reached(const LoadedLaunch& launch) {
    WARPLENS_TRY(auto ends, reached_by(launch, 2));
    const std::uint64_t affordable = 2 * most_steps / std::max<std::uint64_t>(ends.steps, 1);
    if (affordable <= 2 || launch.launch.geometry.blocks() <= 2) return std::move(ends.bytes);
    WARPLENS_TRY(auto spread, reached_by(launch, std::min(affordable, most_blocks)));
    return std::move(spread.bytes);
}

}  // namespace

void fit_lengths(LoadedLaunch& launch, std::uint64_t memory_limit) {
    const auto guessed = [](const auto& buffer) { return buffer.guessed_length; };
    if (std::ranges::none_of(launch.prepared.buffers, guessed)) return;
    const auto bytes = reached(launch);
    if (!bytes) return;
    instrumentation::KernelFile fitted = *launch.kernel;
    bool changed = false;
    for (std::size_t i = 0; i < bytes->size() && i < fitted.buffers.size(); ++i) {
        const std::uint32_t element = std::max(launch.prepared.buffers[i].element_bytes, 1u);
        if ((*bytes)[i] == 0) continue;
        fitted.buffers[i].length = std::to_string(((*bytes)[i] + element - 1) / element);
        changed = true;
    }
    if (!changed) return;
    auto prepared = instrumentation::prepare_launch(fitted, launch.prepared.parameters, memory_limit);
    if (!prepared) return;
    prepared->geometry = launch.prepared.geometry;
    put_written(*prepared, launch.written);
    launch.prepared = std::move(*prepared);
    launch.fitted = std::make_shared<const instrumentation::KernelFile>(std::move(fitted));
}

}  // namespace warplens::app
