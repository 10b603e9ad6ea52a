// Gpu: runs launches on this machine's GPU. instrumentation's GpuRecorder is the real one, in a child
// process; tests inject others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/gpu_spec.h"
#include "instrumentation/device/gpu_recorder.h"

namespace warplens::app {

struct Gpu {
    std::function<instrumentation::GpuResult<instrumentation::DeviceFacts>()> device;
    /// GpuVariantResult::space is valid until the next call.
    std::function<instrumentation::GpuResult<instrumentation::GpuRunResult>(
        const instrumentation::GpuLaunch&, const std::vector<instrumentation::GpuVariant>&,
        const instrumentation::GpuRunOptions&)>
        run;
    /// Makes the machine code that run() would load for the same launch on `device`, so that run() finds it
    /// made. May be called while another call runs. Null where run() makes none outside the driver.
    std::function<void(const instrumentation::DeviceFacts& device, const instrumentation::GpuLaunch&,
                       const std::vector<instrumentation::GpuVariant>&,
                       const std::function<bool()>& cancelled)>
        assemble;
    /// Null where nothing can be done with streams.
    std::function<instrumentation::GpuResult<std::vector<trace::Activity>>(
        const instrumentation::GpuLaunch&, const instrumentation::StreamPlan&,
        const instrumentation::GpuRunOptions&)>
        run_streams;

    /// It runs lanes as the CPU engine does: see InstrumentOptions::cold_in_place.
    bool lowest_first = false;

    explicit operator bool() const { return device && run; }
};

/// This machine's, whether there is one or not: its child starts when it is first asked. May be copied; one
/// call runs at a time, but for assemble().
Gpu gpu_of_this_machine();

/// The table's row of a device: by its name, else the first of its compute capability; nullptr when neither
/// is there.
const GpuSpec* spec_of(const instrumentation::DeviceFacts& device);

/// Whether the failure means that there is nothing to run on, so that the CPU engine may take over.
bool means_no_gpu(const instrumentation::GpuFailure& failure);

/// Whether the kernel itself caused the failure.
bool is_of_the_kernel(const instrumentation::GpuFailure& failure);
/// Whether a launch, with or without recording, began and did not come to its end.
bool was_given_up(const instrumentation::GpuFailure& failure);

}  // namespace warplens::app
