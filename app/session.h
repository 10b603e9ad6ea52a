// Session: what the window works on — the catalogue, the current kernel with its knobs and GPU, the Scene
// they led to, and the one Selection. Runs happen on a worker thread; a newer change cancels the older run,
// and the last Scene stays until a new one arrives. All calls come from the UI thread and none waits, but for
// the destructor, which waits for the worker to notice that it is cancelled. What runs is app/run_request.h's
// RunScene; how it is drawn is app/frame.h's.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/run_request.h"
#include "app/scene.h"
#include "app/selection.h"

namespace warplens::app {

using Catalogue = std::vector<std::shared_ptr<const instrumentation::KernelFile>>;

class Session {
  public:
    /// `wake` is called from the worker thread when a run has finished: the window posts itself an event.
    Session(Catalogue catalogue, RunScene run, std::function<void()> wake = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Each of these posts a run when it changes something. Knobs are remembered kernel by kernel.
    void open_kernel(std::string_view name);
    void open_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel);
    void set_parameter(const std::string& name, const std::string& value);
    void set_gpu(const std::string& name);
    void run_again();
    /// Gives up the run under way; the last Scene stays.
    void cancel();
    /// Shows a Scene that needs no run, such as an opened trace; the knobs follow its parameters.
    void show(Scene scene);

    /// Takes what the worker finished; call it once a frame. True when there is a new Scene or failure.
    bool poll();

    const Catalogue& catalogue() const { return catalogue_; }
    const instrumentation::KernelFile* kernel() const { return kernel_.get(); }
    /// The knob's text: what was set, or the header's default.
    std::string value(const instrumentation::ParameterDeclaration& parameter) const;
    const std::string& gpu() const { return gpu_; }

    const Scene* scene() const { return scene_.get(); }
    bool running() const { return running_; }
    /// The last run was given up, so the Scene is not what the knobs say.
    bool cancelled() const { return cancelled_; }
    /// The Scene shown is not (yet) what the knobs say.
    bool stale() const { return running_ || cancelled_ || !failure_.empty(); }
    /// Why the last run gave no Scene; empty when it did.
    const std::string& failure() const { return failure_; }

    Selection selection;

  private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        std::uint64_t ticket = 0;
        RunRequest request;
        Clock::time_point posted;
    };
    struct Outcome {
        std::uint64_t ticket = 0;
        Result<Scene> scene;
        Spot telling;  // the access that says most, for the kernel's first view
    };

    void post();
    void work(std::stop_token stop);
    Outcome run(const Job& job, const std::stop_token& stop);
    void accept(Scene scene, const Spot& telling);

    Catalogue catalogue_;
    RunScene run_;
    std::function<void()> wake_;

    std::shared_ptr<const instrumentation::KernelFile> kernel_;
    std::map<std::string, std::map<std::string, std::string>> overrides_;  // by kernel, then parameter
    std::string gpu_;
    std::shared_ptr<const Scene> scene_;
    std::string failure_;
    bool running_ = false;
    bool cancelled_ = false;
    std::uint64_t generation_ = 0;

    std::mutex mutex_;  // guards the next two
    std::optional<Job> waiting_;
    std::optional<Outcome> finished_;
    std::condition_variable_any changed_;
    std::atomic<std::uint64_t> wanted_ = 0;  // ticket of the newest request; all others are cancelled
    std::jthread worker_;                    // last: it must end before what it uses
};

}  // namespace warplens::app
