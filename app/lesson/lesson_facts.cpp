#include "app/lesson/lesson_facts.h"

#include <algorithm>

#include "analysis/memory/cluster_traffic.h"
#include "analysis/report/launch_tree.h"
#include "analysis/report/whole_grid.h"
#include "analysis/time/activity_report.h"
#include "analysis/warps/waves.h"
#include "core/sm_timing.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using Read = std::function<Result<double>(const LessonLaunch&)>;

template <class Of>
Read of_launch(Of of) {
    return [of](const LessonLaunch& launch) -> Result<double> {
        return static_cast<double>(of(launch.report->launch.geometry));
    };
}

template <class Number>
Read of_gpu(Number GpuSpec::*member) {
    return [member](const LessonLaunch& launch) -> Result<double> {
        const auto value = static_cast<double>(launch.gpu->*member);
        if (value == 0) return fail("that number of the {} is not known", launch.gpu->name);
        return value;
    };
}

Read of_timing(int SmTiming::*member) {
    return [member](const LessonLaunch& launch) -> Result<double> { return sm_timing(*launch.gpu).*member; };
}

template <class Of>
Read of_waves(Of of) {
    return [of](const LessonLaunch& launch) -> Result<double> {
        return static_cast<double>(
            of(analysis::waves_of(launch.report->launch.geometry.blocks(),
                                  launch.report->occupancy.blocks_per_sm, launch.gpu->sm_count)));
    };
}

/// Of the grids below the launch.
template <class Of>
Read of_children(Of of) {
    return [of](const LessonLaunch& launch) -> Result<double> {
        if (!launch.report->launches) return fail("the kernel launches no grids");
        if (launch.report->launches->left_out > 0) return fail("not all grids were executed");
        return static_cast<double>(of(*launch.report->launches));
    };
}

/// The first access that the run's thread makes at the run's line.
Result<std::uint64_t> touched_address(const LessonLaunch& launch) {
    const trace::Trace& trace = *launch.trace;
    const auto lanes = static_cast<std::uint64_t>(warp_size);
    const auto* warp = trace::find_warp(trace, launch.block.value_or(0),
                                        static_cast<std::uint32_t>(launch.thread.value_or(0) / lanes));
    if (warp == nullptr) return fail("the grid has no such block, or the block no such thread");
    const int lane = static_cast<int>(launch.thread.value_or(0) % lanes);
    for (std::uint64_t i = warp->accesses_begin; i < warp->accesses_end; ++i) {
        const trace::AccessRecord& access = trace.accesses[i];
        if (std::ranges::count(launch.sites, access.site) > 0 && access.mask.has(lane))
            return trace::addresses_of(trace, access)[static_cast<std::size_t>(lane)];
    }
    return fail("that thread touches no memory at that line");
}

/// Counted in elements of the buffer that it lies in.
Result<double> touched_element(const LessonLaunch& launch) {
    WARPLENS_TRY(const auto address, touched_address(launch));
    for (const trace::Buffer& buffer : launch.trace->launch.buffers)
        if (address >= buffer.base && address < buffer.base + buffer.bytes)
            return static_cast<double>((address - buffer.base) / buffer.element_bytes);
    return fail("the address is in none of the kernel's buffers");
}

/// Steps of the shuffles of the run's lines.
Result<double> shuffles(const LessonLaunch& launch) {
    std::uint64_t steps = 0;
    for (const SiteId site : launch.sites)
        if (launch.program->sites[site].opcode.starts_with("shfl."))
            steps += launch.report->sites[site].steps;
    return static_cast<double>(steps);
}

Result<double> cluster_to_others(const LessonLaunch& launch) {
    const auto clusters = analysis::recorded_clusters(*launch.trace);
    if (clusters.empty()) return fail("the launch has no clusters");
    const analysis::ClusterTraffic traffic = analysis::cluster_traffic(*launch.trace, clusters.front());
    const auto all = traffic.all().accesses();
    if (all == 0) return fail("no thread uses the cluster's window");
    return static_cast<double>(traffic.to_others().accesses()) / static_cast<double>(all);
}

/// Of the ways of using streams that a recording compares, in their order.
Read of_streams(std::function<double(const std::vector<analysis::ActivityFigures>&)> of) {
    return [of = std::move(of)](const LessonLaunch& launch) -> Result<double> {
        if (launch.trace == nullptr || launch.trace->activities.empty())
            return fail("no streams were measured; set engine = \"recorded\" and a kernel with [streams]");
        return of(analysis::activity_figures(launch.trace->activities));
    };
}

std::vector<LessonFact> make_facts() {
    using analysis::Waves;
    using Figures = std::vector<analysis::ActivityFigures>;
    const auto best = [](const Figures& figures) { return figures[analysis::fastest(figures)]; };
    return {
        {"launch.blocks", "blocks of the grid", false,
         of_launch([](const LaunchGeometry& geometry) { return geometry.blocks(); })},
        {"launch.threads_per_block", "threads of a block", false,
         of_launch([](const LaunchGeometry& geometry) { return geometry.threads_per_block(); })},
        {"launch.warps_per_block", "warps of a block", false,
         of_launch([](const LaunchGeometry& geometry) { return geometry.warps_per_block(); })},
        {"launch.threads", "threads of the grid", false, of_launch([](const LaunchGeometry& geometry) {
             return geometry.blocks() * static_cast<std::uint64_t>(geometry.threads_per_block());
         })},
        {"launch.warps", "warps of the grid", false, of_launch([](const LaunchGeometry& geometry) {
             return geometry.blocks() * static_cast<std::uint64_t>(geometry.warps_per_block());
         })},
        {"launch.grid_x", "blocks along x", false,
         of_launch([](const LaunchGeometry& geometry) { return geometry.grid.x; })},
        {"launch.grid_y", "blocks along y", false,
         of_launch([](const LaunchGeometry& geometry) { return geometry.grid.y; })},
        {"whole_grid.global_load_bytes", "bytes that global loads use in the whole grid", false,
         [](const LessonLaunch& launch) -> Result<double> {
             WARPLENS_TRY(const auto bytes,
                          analysis::over_whole_grid(*launch.report, launch.report->global_load.used_bytes));
             return static_cast<double>(bytes);
         }},
        {"launch.waves", "times that the GPU must fill with blocks to run the grid", false,
         of_waves([](const Waves& waves) { return waves.count; })},
        {"launch.blocks_at_once", "blocks that all SMs together hold", false,
         of_waves([](const Waves& waves) { return waves.at_once; })},
        {"launch.blocks_in_last_wave", "blocks of the last wave", false,
         of_waves([](const Waves& waves) { return waves.last_blocks; })},
        {"launches.grids", "grids launched from the device", false,
         of_children([](const analysis::LaunchTree& tree) { return tree.grids.size() - 1; })},
        {"launches.blocks", "their blocks", false,
         of_children([](const analysis::LaunchTree& tree) { return tree.children().blocks; })},
        {"launches.mean_active_lanes", "lanes that are on in their steps, mean", false,
         of_children([](const analysis::LaunchTree& tree) { return tree.children().mean_active_lanes(); })},
        {"gpu.sms", "SMs", false, of_gpu(&GpuSpec::sm_count)},
        {"gpu.schedulers_per_sm", "warp schedulers of an SM", false, of_gpu(&GpuSpec::schedulers_per_sm)},
        {"gpu.max_warps_per_sm", "warps that an SM holds at most", false, of_gpu(&GpuSpec::max_warps_per_sm)},
        {"gpu.max_blocks_per_sm", "blocks that an SM holds at most", false,
         of_gpu(&GpuSpec::max_blocks_per_sm)},
        {"gpu.max_threads_per_block", "threads that a block has at most", false,
         of_gpu(&GpuSpec::max_threads_per_block)},
        {"gpu.registers_per_sm", "32-bit registers of an SM", false, of_gpu(&GpuSpec::registers_per_sm)},
        {"gpu.max_registers_per_thread", "registers that a thread has at most", false,
         of_gpu(&GpuSpec::max_registers_per_thread)},
        {"gpu.shared_bytes_per_sm", "shared memory of an SM, bytes", false,
         of_gpu(&GpuSpec::shared_bytes_per_sm)},
        {"gpu.max_shared_bytes_per_block", "shared memory that a block may use, bytes", false,
         of_gpu(&GpuSpec::max_shared_bytes_per_block)},
        {"gpu.reserved_shared_bytes_per_block", "of it taken by the system for each block, bytes", false,
         [](const LessonLaunch& launch) -> Result<double> {
             return launch.gpu->reserved_shared_bytes_per_block;  // 0 is known, too
         }},
        {"gpu.dram_bytes_per_second", "peak DRAM bandwidth", false, of_gpu(&GpuSpec::dram_bytes_per_second)},
        {"gpu.fp32_flops", "peak FP32 operations per second", false,
         [](const LessonLaunch& launch) -> Result<double> { return launch.gpu->peaks.fp32; }},
        {"latency.shared_load", "cycles until a conflict-free shared load returns", false,
         of_timing(&SmTiming::shared_load_latency)},
        {"latency.cluster_load",
         "cycles of a load from the shared memory of another block of the cluster, at least", false,
         of_timing(&SmTiming::cluster_load_latency)},
        {"latency.shuffle", "cycles until a shuffle returns", false, of_timing(&SmTiming::shuffle_latency)},
        {"latency.l1_hit", "cycles of a load that hits L1", false, of_timing(&SmTiming::l1_hit_latency)},
        {"latency.l2_hit", "cycles of a load that hits L2", false, of_timing(&SmTiming::l2_hit_latency)},
        {"latency.dram", "cycles of a load from DRAM", false, of_timing(&SmTiming::dram_latency)},
        {"touched.element", "element of its buffer that the run's thread touches at the run's line", true,
         touched_element},
        {"warp.shuffles", "shuffles that warps executed", false, shuffles},
        {"cluster.to_others", "share of the accesses through the first cluster's window to other blocks",
         true, cluster_to_others},
        {"streams.first_us", "µs of the first way of using streams", true,
         of_streams([](const Figures& figures) { return figures.front().total_us; })},
        {"streams.fastest_us", "µs of the fastest way", true,
         of_streams([=](const Figures& figures) { return best(figures).total_us; })},
        {"streams.first_copies_hidden", "share of the copies' time behind kernels, first way", true,
         of_streams([](const Figures& figures) { return figures.front().copies_hidden(); })},
        {"streams.fastest_copies_hidden", "share of the copies' time behind kernels, fastest way", true,
         of_streams([=](const Figures& figures) { return best(figures).copies_hidden(); })},
        {"streams.first_copy_us", "µs in which at least one copy ran, first way", true,
         of_streams([](const Figures& figures) { return figures.front().copy_us; })},
        {"streams.first_kernel_us", "µs in which at least one kernel ran, first way", true,
         of_streams([](const Figures& figures) { return figures.front().kernel_us; })},
    };
}

}  // namespace

const std::vector<LessonFact>& lesson_facts() {
    static const std::vector<LessonFact> table = make_facts();
    return table;
}

const LessonFact* find_fact(std::string_view name) {
    const auto found = std::ranges::find(lesson_facts(), name, &LessonFact::name);
    return found == lesson_facts().end() ? nullptr : &*found;
}

}  // namespace warplens::app
