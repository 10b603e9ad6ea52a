#include "app/pipeline/compared_runs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "analysis/report/roofline.h"
#include "analysis/warps/operation_count.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/same_results.h"
#include "app/pipeline/telling_contents.h"

namespace warplens::app {
namespace {

using instrumentation::KernelFile;

/// Blocks that a changed launch makes one of: of a warp's width eight, and of less than a warp's several
/// rows.
constexpr Dim3 largest_merge{8, 4, 1};

/// In warp-instructions. The engine takes as long for a product of matrices as for hundreds of others.
double work_of(const analysis::LaunchReport& report, const Program& program) {
    constexpr double operations_in_the_time_of_a_step = 16;
    double work = static_cast<double>(report.steps);
    for (const analysis::SiteReport& site : report.sites)
        if (report.level == Level::ptx && site.site < program.sites.size())
            work += static_cast<double>(site.steps) / operations_in_the_time_of_a_step *
                    analysis::count_operations(program.sites[site.site].opcode).per_warp;
    return work;
}

/// All, or as many as may be executed in so many steps.
std::vector<std::uint64_t> blocks_for(const analysis::LaunchReport& report, const Program& program,
                                      double steps) {
    const std::uint64_t grid = report.launch.geometry.blocks();
    const double work_per_block = std::max(1.0, work_of(report, program)) /
                                  static_cast<double>(std::max<std::uint64_t>(report.blocks_executed, 1));
    const auto count = static_cast<std::uint64_t>(std::max(1.0, steps / work_per_block));
    if (count >= grid) return {};
    const Dim3 extent = report.launch.geometry.grid;
    const Dim3 group{largest_merge.x, std::min(largest_merge.y, extent.y), largest_merge.z};
    const std::uint64_t groups = (count + group.count() - 1) / group.count();
    return in_groups(spread_blocks(grid, groups), group, extent);
}

/// Results that differ by more than few roundings are the same in another order only if no fewer operations
/// made them: a series with fewer terms is another result. Sums that lanes exchange take more.
bool as_many_operations(const analysis::LaunchReport& as_it_is, const analysis::LaunchReport& changed) {
    constexpr double of_another_order = 0.1;
    return changed.roofline->flops >= (1 - of_another_order) * as_it_is.roofline->flops;
}

}  // namespace

ComparedRuns::ComparedRuns(Pipeline& pipeline, LaunchRequest as_it_is, const analysis::LaunchReport& report,
                           const Program& program, double steps, std::function<bool()> cancelled)
    : pipeline_(pipeline),
      request_(std::move(as_it_is)),
      geometry_(report.launch.geometry),
      blocks_(blocks_for(report, program, steps)),
      cancelled_(std::move(cancelled)) {}

ResultDifference ComparedRuns::difference(const LaunchRequest& changed, int threads, BlockRatio ratio) {
    run_as_it_is(threads);
    const ResultDifference unknown{.known = false, .where = {}, .rounded = false};
    ResultDifference same;
    for (const Reference& as_it_is : as_it_is_) {
        LaunchRequest told = changed;
        auto kernel = std::make_shared<KernelFile>(*changed.kernel);
        kernel->buffers = as_it_is.buffers;
        told.kernel = std::move(kernel);
        const auto other = run(told, threads, false, ratio);
        if (!other || !other->report->problems.empty()) return unknown;
        const ResultMatch match = match_results(*request_.kernel, as_it_is.executed.memory, other->memory);
        if (!match.different.empty())
            return {.known = true, .where = "`" + match.different + "`", .rounded = false};
        same.rounded |= match.rounded;
        if (match.reordered && !as_many_operations(*as_it_is.executed.report, *other->report)) return unknown;
        if (!same_texts(as_it_is.executed.report->printed, other->report->printed))
            return {.known = true, .where = "what it prints", .rounded = false};
    }
    return as_it_is_.empty() ? unknown : same;
}

void ComparedRuns::run_as_it_is(int threads) {
    std::call_once(first_, [&] { keep_results(threads); });
}

/// With its own contents, and the others with which it runs without problems, as integers may be indices, and
/// not much longer, as they may be counts.
void ComparedRuns::keep_results(int threads) {
    constexpr std::uint64_t times_longer = 16, most_steps_of_little = 10'000;
    std::uint64_t most_steps = simt::default_step_limit;
    for (const KernelFile& telling : with_telling_contents(*request_.kernel)) {
        LaunchRequest request = request_;
        request.kernel = std::make_shared<KernelFile>(telling);
        auto executed = run(request, threads, false, {}, most_steps);
        const bool is_right = executed && executed->report->problems.empty();
        if (is_right && as_it_is_.empty()) {
            const auto warps =
                executed->report->blocks_executed * static_cast<std::uint64_t>(geometry_.warps_per_block());
            most_steps = times_longer * executed->report->steps / std::max<std::uint64_t>(warps, 1) +
                         most_steps_of_little;
        }
        if (is_right) {
            contents_tell_ |= app::contents_tell(telling);
            as_it_is_.push_back({telling.buffers, std::move(*executed)});
        } else if (as_it_is_.empty()) {
            return;
        }
    }
}

std::optional<Executed> ComparedRuns::run(const LaunchRequest& request, int threads, bool check_golden,
                                          BlockRatio ratio, std::uint64_t max_steps_per_warp) {
    auto loaded = pipeline_.load(request);
    if (!loaded) return std::nullopt;
    ExecuteOptions options;
    if (!blocks_.empty()) {
        const bool goes_on = reads_grid(loaded->program);
        const LaunchGeometry& then = loaded->launch.geometry;
        auto blocks = ratio == BlockRatio() || goes_on
                          ? blocks_of_the_same_threads(blocks_, geometry_, then, goes_on)
                          : blocks_of_the_same_work(blocks_, geometry_, then, ratio);
        if (!blocks) return std::nullopt;
        options.blocks = std::move(*blocks);
    }
    options.threads = threads;
    options.check_golden = check_golden;
    options.count_requests = false;
    options.cancelled = cancelled_;
    options.max_steps_per_warp = max_steps_per_warp;
    const Program program = loaded->program;
    const GpuSpec& gpu = *loaded->gpu;
    auto executed = pipeline_.execute(std::move(*loaded), options);
    if (!executed) return std::nullopt;
    executed->report->roofline = analysis::roofline(*executed->report, program, gpu, nullptr);
    return std::move(*executed);
}

}  // namespace warplens::app
