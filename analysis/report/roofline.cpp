#include "analysis/report/roofline.h"

#include <algorithm>

#include "analysis/report/launch_report.h"
#include "analysis/report/whole_grid.h"
#include "analysis/warps/operation_count.h"
#include "core/lane_mask.h"
#include "core/sm_timing.h"
#include "trace/measured.h"

namespace warplens::analysis {
namespace {

using Operations = std::array<double, operation_kind_count>;

/// Of the whole launch.
Operations operations_of(const LaunchReport& report, const Program& program) {
    Operations sums{};
    for (const SiteReport& site : report.sites) {
        const OperationCount one = count_operations(program.sites[site.site]);
        const double of_last = report.last_block ? double(report.last_block->executed_lanes[site.site]) : 0;
        const double lanes = scaled_to_grid(report, double(site.executed_lanes), of_last);
        sums[static_cast<std::size_t>(one.kind)] += one.per_lane * lanes + one.per_warp * lanes / warp_size;
    }
    return sums;
}

/// Distinct bytes of the whole launch in one direction. For a sample, each buffer's part scales with the
/// blocks up to the buffer's size.
double ideal_bytes(const LaunchReport& report, double scale, std::uint64_t TouchedSectors::*direction) {
    double sectors = double(report.footprint.elsewhere.*direction) * scale;
    for (std::size_t i = 0; i < report.footprint.buffers.size(); ++i) {
        const double touched = double(report.footprint.buffers[i].*direction);
        const std::uint64_t bytes = report.launch.buffers[i].bytes;
        const auto all = double(bytes / sector_bytes + (bytes % sector_bytes != 0));
        sectors += std::max(touched, std::min(touched * scale, all));
    }
    return sectors * sector_bytes;
}

double peak_of(const ComputePeaks& peaks, OperationKind kind) {
    switch (kind) {
        case OperationKind::fp16:
            return peaks.fp16;
        case OperationKind::fp32:
            return peaks.fp32;
        case OperationKind::fp64:
            return peaks.fp64;
        case OperationKind::tensor_fp16:
            return peaks.tensor_fp16;
        case OperationKind::tensor_tf32:
            return peaks.tensor_tf32;
        case OperationKind::tensor_fp64:
            return peaks.tensor_fp64;
        case OperationKind::tensor_fp8:
            return peaks.tensor_fp8;
        case OperationKind::tensor_int8:
            return peaks.tensor_int8;
        default:
            return 0;
    }
}

/// The compute roof: the units work in parallel, so the slowest one decides.
void set_peak(Roofline& roofline, const Operations& operations, const ComputePeaks& peaks) {
    roofline.peak_flops = peaks.fp32;
    double longest = 0, all = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const auto kind = static_cast<OperationKind>(i);
        if (operations[i] <= 0 || kind == OperationKind::none || kind == OperationKind::integer) continue;
        const double peak = peak_of(peaks, kind);
        if (peak <= 0) {
            roofline.peak_unit = to_string(kind);
            roofline.peak_flops = 0;
            return;
        }
        all += operations[i];
        if (operations[i] / peak <= longest) continue;
        longest = operations[i] / peak;
        roofline.peak_unit = to_string(kind);
    }
    if (longest > 0) roofline.peak_flops = all / longest;
}

}  // namespace

double Roofline::attainable_flops() const {
    if (peak_bytes_per_second <= 0) return peak_flops;
    const double by_memory = intensity * peak_bytes_per_second;
    return peak_flops > 0 ? std::min(peak_flops, by_memory) : 0;
}

Roofline roofline(const LaunchReport& report, const Program& program, const GpuSpec& gpu,
                  const trace::Schedule* schedule) {
    Roofline result;
    result.level = report.level;
    result.estimated = report.blocks_executed < report.launch.geometry.blocks();

    result.without_images = report.image_requests() > 0;

    const auto operations = operations_of(report, program);
    const auto of = [&](OperationKind kind) { return operations[static_cast<std::size_t>(kind)]; };
    result.fp16_operations = of(OperationKind::fp16);
    result.fp32_operations = of(OperationKind::fp32);
    result.fp64_operations = of(OperationKind::fp64);
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (is_tensor(static_cast<OperationKind>(i))) result.tensor_operations += operations[i];
    result.integer_operations = of(OperationKind::integer);
    result.flops =
        result.fp16_operations + result.fp32_operations + result.fp64_operations + result.tensor_operations;

    const auto sectors =
        double(report.global_load.sectors + report.global_store.sectors + report.global_atomic.sectors +
               report.local_load.sectors + report.local_store.sectors);
    const double all_sectors =
        scaled_to_grid(report, sectors, report.last_block ? double(report.last_block->sectors) : 0);
    result.l2_bytes = all_sectors * sector_bytes;
    const double scale = sectors > 0 ? all_sectors / sectors : 0;
    result.dram_read_bytes_ideal = ideal_bytes(report, scale, &TouchedSectors::read);
    result.dram_write_bytes_ideal = ideal_bytes(report, scale, &TouchedSectors::written);
    result.dram_bytes_ideal = result.dram_read_bytes_ideal + result.dram_write_bytes_ideal;
    if (result.dram_bytes_ideal > 0 && !result.without_images)
        result.intensity = result.flops / result.dram_bytes_ideal;

    set_peak(result, operations, gpu.peaks);
    result.peak_bytes_per_second = gpu.dram_bytes_per_second;
    if (result.peak_bytes_per_second > 0) result.ridge = result.peak_flops / result.peak_bytes_per_second;
    const double clock = sm_timing(gpu).clock_hz;
    if (schedule && clock > 0 && schedule->launch.cycles > 0)
        result.modelled_seconds = schedule->launch.cycles / clock;
    if (report.measured && !report.measured->perturbations.empty())
        if (const double clean_us = report.measured->perturbations.front().clean_us; clean_us > 0)
            result.measured_seconds = clean_us * 1e-6;
    return result;
}

}  // namespace warplens::analysis
