// Roofline: the launch's operations and bytes against what the GPU can do. Operations are counted from the
// PTX (exact at that level: a fused multiply-add is 2, lanes predicated off do none); ideal DRAM bytes are
// the distinct 32-byte sectors of global memory the launch touched, each once read, once written. Where only
// some blocks were executed, both are scaled to the whole grid, and `estimated` says so.
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
    double fp16_operations = 0, fp32_operations = 0, fp64_operations = 0;  // of them
    double tensor_operations = 0;                                          // of them, on matrix units
    double integer_operations = 0;  // not in flops: integer instructions, lane by lane
    double dram_bytes_ideal = 0;    // distinct bytes touched, rounded to sectors; at least this must move
    double dram_read_bytes_ideal = 0, dram_write_bytes_ideal = 0;  // of them
    double l2_bytes = 0;   // sectors requested * 32: what moves when no cache helps
    double intensity = 0;  // flops / dram_bytes_ideal; 0 when no bytes, or without_images
    /// What the GPU's units could do per second on this launch's operations, all of them busy: the published
    /// peak of the one type where there is only one; without operations that of FP32. 0: not known.
    double peak_flops = 0;
    std::string_view peak_unit = "FP32";  // the unit that takes longest: "FP16 tensor cores"
    double peak_bytes_per_second = 0;
    double ridge = 0;                        // intensity at which the roofs meet; 0: not known
    std::optional<double> modelled_seconds;  // of the launch, from a Schedule
    std::optional<double> measured_seconds;  // on a GPU
    bool estimated = false;  // from a sample of the blocks: operations grow with the blocks; bytes do too, up
                             // to the whole of each buffer
    bool without_images = false;  // the launch reads or writes textures or surfaces, and no figure of bytes
                                  // holds what they move: that is not known

    /// Operations a second under the roofs at this intensity; 0: not known.
    double attainable_flops() const;
};

/// `schedule` may be null.
Roofline roofline(const LaunchReport& report, const Program& program, const GpuSpec& gpu,
                  const trace::Schedule* schedule);

}  // namespace warplens::analysis
