// Advise: tries changes of a kernel on the CPU engine and the timing model and keeps those that help. A
// change is run as the window runs a picture, so that its cycles are those that the toolbar will show after
// the change. Then its results are compared with the unchanged kernel's, for the whole grid if it is small.
// It takes seconds: do not call it on the UI thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/pipeline/pipeline.h"
#include "app/scene/advice.h"
#include "app/scene/model.h"

namespace warplens::app {

struct AdviceRequest {
    std::shared_ptr<const instrumentation::KernelFile> kernel;
    std::map<std::string, std::string> overrides;
    std::string gpu;                  // GpuSpec name; empty: default_gpu()
    std::optional<Level> times = {};  // of the cycles; none: the machine's where it can be had
    int patience = 1;                 // how many times the usual time it may take
};

struct AdviceLimits {
    std::chrono::milliseconds time{5000};
    /// Warp-instructions of the blocks whose results are compared, and of a launch that is timed as a whole.
    double compared_steps = 2.5e7;
    int threads = 1;               // that compare them
    double time_for_trials = 0.7;  // share of the time after which no trial begins: the rest is the model's
    std::chrono::milliseconds most_time{20000};  // of a kernel whose first run alone takes long
};

using Cancelled = std::function<bool()>;

/// Who advises; called on a thread of its own.
using Advise = std::function<Advice(const AdviceRequest& request, const Cancelled& cancelled)>;

Advice advise(Pipeline& pipeline, const Model& model, const AdviceRequest& request,
              const AdviceLimits& limits, const Cancelled& cancelled);

}  // namespace warplens::app
