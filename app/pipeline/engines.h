// Engines: runs a picture on the engine that is chosen. The window's RunScene and `shot` use it. What takes
// long on a GPU — the child process, compiled and instrumented code, loaded modules — is kept between runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/pipeline/gpu/record_launch.h"
#include "app/pipeline/make_scene.h"
#include "app/pipeline/pipeline.h"
#include "app/pipeline/run_request.h"

namespace warplens::app {

class Engines {
  public:
    /// `recordings`: assets/recordings; empty: there are none. `time_limit_s`: of one kernel on the GPU.
    Engines(std::shared_ptr<Pipeline> pipeline, Gpu gpu, std::string recordings, double time_limit_s = 2);

    /// One call at a time. Where there is no GPU, the CPU engine takes over and Scene::notice reports it.
    Result<Scene> run_scene(const RunRequest& request, const std::function<bool()>& cancelled);

    /// Makes the code that the run needs, for a GPU also the forms that record and their machine code. May be
    /// called while another call runs.
    void prepare(const RunRequest& request, const std::function<bool()>& cancelled);

    const Gpu& gpu() const { return launcher_.gpu(); }

  private:
    Result<Scene> run_on_gpu(const RunRequest& request, const std::function<bool()>& cancelled);
    Result<LoadedLaunch> load_for(const RunRequest& request, const instrumentation::DeviceFacts& device,
                                  const std::function<bool()>& cancelled);
    /// How a picture of the launch is recorded.
    GpuRecordOptions picture_options(const LoadedLaunch& launch, std::uint64_t block_limit,
                                     const std::function<bool()>& cancelled);
    Result<PictureRun> record_picture(LoadedLaunch launch, std::uint64_t block_limit,
                                      const std::function<bool()>& cancelled);
    Result<Scene> show_recording(const RunRequest& request);

    std::shared_ptr<Pipeline> pipeline_;
    GpuLauncher launcher_;
    std::string recordings_;
    double time_limit_s_;
    std::mutex mutex_;                                    // of what follows
    std::optional<instrumentation::DeviceFacts> device_;  // once a run has asked for it
    struct Seen {
        double steps_per_block = 0, visits_per_warp = 0;  // 0: not seen yet
    };
    std::map<std::string, Seen> seen_;  // by PTX, of the last run
};

/// The request with what the device is: its row of the GPU table and its machine code.
LaunchRequest request_for(LaunchRequest request, const instrumentation::DeviceFacts& device);

}  // namespace warplens::app
