#include "app/pipeline/gpu/prove_addresses.h"

#include "app/pipeline/launch_run.h"
#include "instrumentation/decode/address_hash.h"

namespace warplens::app {

namespace instr = instrumentation;

Result<Proof> prove_addresses(LoadedLaunch launch, const instr::RecordingPlan& plan,
                              const instr::ReadBack& read, const instr::Decoded& decoded,
                              const GpuRecordOptions& gpu_options) {
    const Program program = launch.program;
    instr::AddressHash hash(plan, program, launch.launch.geometry, read);
    LaunchRun::Keep keep;
    keep.keep_trace = gpu_options.keep_trace;
    keep.recorded = gpu_options.kept;
    keep.listener = &hash;
    for (const trace::Buffer& buffer : launch.launch.buffers) keep.addresses.push_back(buffer.base);
    launch.launch.buffers.clear();
    WARPLENS_TRY(auto run, LaunchRun::start(std::move(launch), std::move(keep)));
    simt::RunOptions options;
    options.blocks = gpu_options.blocks;
    options.cancelled = gpu_options.cancelled;
    WARPLENS_TRY(run->execute(options));

    Proof proof;
    if (!run->completed()) {
        proof.differs = "the CPU engine did not execute the launch to its end";
    } else if (const auto difference = hash.first_difference(decoded)) {
        proof.differs = difference->sentence;
    } else {
        proof.report = run->report();
        if (gpu_options.keep_trace) proof.trace = run->take_trace(*proof.report);
    }
    return proof;
}

}  // namespace warplens::app
