#include "app/pipeline/gpu/prove_addresses.h"

#include "app/pipeline/launch_run.h"
#include "instrumentation/decode/address_hash.h"
#include "trace/fanout.h"

namespace warplens::app {

namespace instr = instrumentation;

Result<Proof> prove_addresses(LoadedLaunch launch, const std::vector<HashedRecording>& recordings,
                              const GpuRecordOptions& gpu_options) {
    const Program program = launch.program;
    const LaunchGeometry geometry = launch.launch.geometry;
    std::vector<std::unique_ptr<instr::AddressHash>> hashes;
    std::vector<trace::Observer*> listeners;
    for (const HashedRecording& recording : recordings) {
        hashes.push_back(
            std::make_unique<instr::AddressHash>(*recording.plan, program, geometry, *recording.read));
        listeners.push_back(hashes.back().get());
    }
    std::optional<trace::Fanout> all;
    if (!listeners.empty()) all.emplace(listeners);
    LaunchRun::Keep keep;
    keep.keep_trace = gpu_options.keep_trace;
    keep.recorded = gpu_options.kept;
    keep.listener = all ? &*all : nullptr;
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
        return proof;
    }
    for (std::size_t i = 0; i < recordings.size(); ++i)
        if (const auto difference = hashes[i]->first_difference(*recordings[i].decoded)) {
            proof.differs = difference->sentence;
            return proof;
        }
    proof.report = run->report();
    if (gpu_options.keep_trace) proof.trace = run->take_trace(*proof.report);
    return proof;
}

}  // namespace warplens::app
