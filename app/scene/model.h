// Model: answers the Session's questions about time — a Scene's schedule with what is derived from it, and
// the launch's cycles alone for the what-if table. Called on the session's worker thread;
// app/scene/time_scene.h is the real one, tests inject others.
#pragma once

#include <functional>
#include <memory>

#include "app/scene/scene.h"
#include "core/result.h"
#include "core/timing_options.h"

namespace warplens::app {

/// `cancelled` is asked now and then; once it returns true the result is discarded.
struct Model {
    /// Never null: SceneTiming::absent is the reason why there is no schedule.
    std::function<std::shared_ptr<const SceneTiming>(const Scene& scene, const TimingOptions& options,
                                                     const std::function<bool()>& cancelled)>
        time;
    /// Cycles of the whole launch. The scene has been timed.
    std::function<Result<double>(const Scene& scene, const TimingOptions& options,
                                 const std::function<bool()>& cancelled)>
        ask;

    explicit operator bool() const { return time && ask; }
};

}  // namespace warplens::app
