// DeviceRunner: the child's side of a run, on the GPU: gets what it does not hold yet, loads, launches clean
// and recording in turn, and puts what was recorded where the recorder reads it. Next: device_memory.h for
// what is kept between runs, protocol.h for the conversation.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "instrumentation/device/device_memory.h"
#include "instrumentation/device/module_cache.h"
#include "instrumentation/device/protocol.h"
#include "instrumentation/device/shared_region.h"
#include "instrumentation/device/wire.h"

namespace warplens::instrumentation {

class DeviceRunner {
  public:
    DeviceRunner(DeviceCalls& calls, Channel& channel);

    /// False: the calls hold the failure.
    bool run(const RunRequest& request, RunAnswer& answer);
    /// What can wait until the answer is out: clears the recording space, unloads what is too much.
    void tidy();

  private:
    /// A kernel, ready to be launched.
    struct Loaded {
        std::string subject;
        cuda::Function function = nullptr;
        std::vector<std::byte> arguments;
        std::vector<double> times_us;
        GpuKernelFacts facts;
    };
    struct Region {
        SharedRegion memory;
        bool registered = false;  // pinned; else the driver copies through memory of its own
    };

    bool send(const Json& message);
    bool report_phase(Phase phase, const std::string& subject);
    /// The next message, which must be the one asked for. A request to cancel is kept until not_cancelled():
    /// every question has its answer, so that no answer is left over for the next run.
    bool wait_for(const char* ask, Json& message);
    /// False, with a failure, when the recorder no longer wants the run.
    bool not_cancelled();

    bool get_blobs(const RunRequest& request);
    bool take_pieces(const RunRequest& request, std::vector<std::uint64_t>& missing_bytes);
    bool load(const RunRequest& request, std::uint32_t module, std::string subject, Loaded& loaded);
    bool load_missing(const RunRequest& request);
    bool load_helpers();  // in each run, so that they count as used
    bool prepare(const RunRequest& request, RunAnswer& answer, Loaded& clean, std::vector<Loaded>& variants);
    bool set_up_space(const RunRequest& request, const VariantRequest& asked, VariantAnswer& answer);
    bool launch(const RunRequest& request, Loaded& kernel, bool timed);
    bool run_streams(const RunRequest& request, const Loaded& kernel, RunAnswer& answer);
    bool launch_recording(const RunRequest& request, const VariantRequest& asked, Loaded& kernel,
                          VariantAnswer& answer);
    bool finish_recording(const RunRequest& request, std::uint32_t variant, VariantAnswer& answer);
    bool get_region(std::uint32_t id, std::uint64_t bytes, std::byte*& start);
    bool adopt_region(std::uint32_t id);

    DeviceCalls& calls_;
    Channel& channel_;
    ModuleCache modules_;
    LaunchBuffers buffers_;
    RecordingMemory recording_;
    BlobMemory sets_;
    CacheFlush flush_;
    std::map<std::uint32_t, Region> regions_;
    std::map<std::uint32_t, std::string> texts_;  // PTX and sets on their way, by blob
    bool cancelled_ = false;
    cuda::Event before_ = nullptr, after_ = nullptr;
    cuda::Function compare_ = nullptr, delay_ = nullptr;
    SpaceHead* head_ = nullptr;  // pinned, as the last recording launch left it
    struct Page;
    std::unique_ptr<Page, void (*)(Page*)> page_;
};

/// "saxpy" of "_Z5saxpyPKfPfi".
std::string plain_name(const std::string& entry);

}  // namespace warplens::instrumentation
