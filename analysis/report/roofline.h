// Roofline: the launch's operations and bytes compared with the GPU's peaks. Operations are counted from the
// report's program (exact at its level: a fused multiply-add is 2, lanes predicated off do none); ideal DRAM
// bytes are the distinct 32-byte sectors of global memory that the launch accessed, read once and written
// once each. If only some blocks were executed, both are scaled to the whole grid and `estimated` is true.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/gpu_spec.h"
#include "core/program.h"
#include "trace/schedule.h"

namespace warplens::analysis {

struct LaunchReport;

struct Roofline {
    double flops = 0;  // floating-point operations of the whole launch, of every width
    double fp16_operations = 0, fp32_operations = 0, fp64_operations = 0;  // of these
    double tensor_operations = 0;                                          // of these, on matrix units
    double integer_operations = 0;  // not in flops: integer instructions, per lane
    double dram_bytes_ideal = 0;    // distinct bytes accessed, rounded to sectors: the minimum traffic
    double dram_read_bytes_ideal = 0, dram_write_bytes_ideal = 0;  // of these
    double l2_bytes = 0;   // sectors requested * 32: the traffic without cache hits
    double intensity = 0;  // flops / dram_bytes_ideal; 0 without bytes or with without_images
    /// Peak rate for this launch's mix of operations, with all units busy: the published peak if there is
    /// only one type; that of FP32 without operations. 0: not known.
    double peak_flops = 0;
    std::string_view peak_unit = "FP32";  // the slowest unit: "FP16 tensor cores"
    double peak_bytes_per_second = 0;
    double ridge = 0;                        // intensity at which the roofs meet; 0: not known
    std::optional<double> modelled_seconds;  // from a Schedule
    std::optional<double> measured_seconds;  // of the original kernel on a GPU, without recording
    bool estimated = false;    // from a sample of the blocks: operations scale with the blocks; bytes too, up
                               // to the size of each buffer
    Level level = Level::ptx;  // of the operations and bytes
    bool without_images = false;  // the launch accesses textures or surfaces, whose traffic is not known

    /// Attainable operations per second at this intensity; 0: not known.
    double attainable_flops() const;
};

/// `schedule` may be null.
Roofline roofline(const LaunchReport& report, const Program& program, const GpuSpec& gpu,
                  const trace::Schedule* schedule);

}  // namespace warplens::analysis
