#include "app/pipeline/gpu/gpu.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "instrumentation/compile/assembler.h"

namespace warplens::app {

namespace instr = instrumentation;

namespace {

struct Shared {
    std::mutex mutex;
    instr::GpuRecorder recorder{{}, std::make_shared<instr::Assembler>(instr::default_cache_folder())};
};

}  // namespace

Gpu gpu_of_this_machine() {
    auto shared = std::make_shared<Shared>();
    Gpu gpu;
    gpu.device = [shared] {
        const std::lock_guard lock(shared->mutex);
        return shared->recorder.device();
    };
    gpu.run = [shared](const instr::GpuLaunch& launch, const std::vector<instr::GpuVariant>& variants,
                       const instr::GpuRunOptions& options) {
        const std::lock_guard lock(shared->mutex);
        return shared->recorder.run(launch, variants, options);
    };
    gpu.assemble = [shared](const instr::DeviceFacts& device, const instr::GpuLaunch& launch,
                            const std::vector<instr::GpuVariant>& variants,
                            const std::function<bool()>& cancelled) {
        shared->recorder.assemble(device, launch, variants, cancelled);
    };
    gpu.run_streams = [shared](const instr::GpuLaunch& launch, const instr::StreamPlan& plan,
                               const instr::GpuRunOptions& options) {
        const std::lock_guard lock(shared->mutex);
        return shared->recorder.run_streams(launch, plan, options);
    };
    return gpu;
}

}  // namespace warplens::app
