// A small catalogue and a Scene made of tests/support/synthetic.h's example, for tests of the window. Nothing
// here is a product of the engine.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report/launch_report.h"
#include "app/scene/scene.h"
#include "app/session/session.h"
#include "tests/support/synthetic.h"

namespace warplens::app {

inline std::shared_ptr<const instrumentation::KernelFile> example_kernel(std::string name,
                                                                         std::string subject,
                                                                         std::vector<std::string> views) {
    auto kernel = std::make_shared<instrumentation::KernelFile>();
    kernel->name = name;
    kernel->title = "Example " + name;
    kernel->subject = std::move(subject);
    kernel->lesson = "The lesson of " + name + " in one sentence that is long enough to take two lines.";
    kernel->views = std::move(views);
    kernel->source = "// source of " + name + "\n";
    return kernel;
}

/// transpose_tiled (TILE of a list, PAD of a range, W of a long range) and saxpy (n).
inline Catalogue example_catalogue() {
    const auto with = [](const auto& kernel, std::vector<instrumentation::ParameterDeclaration> parameters) {
        auto copy = std::make_shared<instrumentation::KernelFile>(*kernel);
        copy->parameters = std::move(parameters);
        return copy;
    };
    instrumentation::ParameterDeclaration tile, pad, width, n;
    tile.name = "TILE";
    tile.is_macro = true;
    tile.fallback = std::int64_t{32};
    tile.values = {std::int64_t{8}, std::int64_t{16}, std::int64_t{32}};
    tile.help = "side of the tile";
    pad.name = "PAD";
    pad.is_macro = true;
    pad.fallback = std::int64_t{0};
    pad.minimum = 0;
    pad.maximum = 4;
    pad.help = "unused columns of the tile";
    width.name = "W";
    width.fallback = std::int64_t{1024};
    width.minimum = 32;
    width.maximum = 8192;
    width.step = 32;
    width.help = "columns of the matrix";
    n.name = "n";
    n.fallback = std::int64_t{65536};
    n.minimum = 1;
    n.maximum = 4194304;
    n.help = "elements";
    return {with(example_kernel("saxpy", "Threads and blocks", {"sectors", "source"}), {n}),
            with(example_kernel("transpose_tiled", "Shared-memory banks", {"banks", "source"}),
                 {tile, pad, width})};
}

inline Scene example_scene(const trace::ExampleShape& shape = trace::ExampleShape::tiny(),
                           std::shared_ptr<const instrumentation::KernelFile> kernel = nullptr) {
    auto recorded = std::make_shared<trace::Trace>(trace::make_example(shape));
    if (kernel) recorded->launch.kernel = recorded->program.entry = kernel->name;
    analysis::LaunchFold fold(recorded->program);
    trace::run_example(shape, fold);
    auto report = std::make_shared<analysis::LaunchReport>(fold.report());
    report->launch = recorded->launch;
    report->blocks_executed = shape.blocks;

    Scene scene;
    scene.kernel = kernel;
    if (kernel)
        for (const auto& parameter : kernel->parameters)
            scene.parameters[parameter.name] = parameter.fallback;
    scene.gpu = &default_gpu();
    scene.trace = std::move(recorded);
    scene.report = std::move(report);
    scene.blocks_executed = shape.blocks;
    scene.blocks_in_grid = 1024;
    return scene;
}

/// A RunScene that answers at once with the example, remembers its requests, and lets a test wait for an
/// answer without a clock.
class ScriptedRun {
  public:
    RunScene run() {
        return [this](const RunRequest& request, const std::function<bool()>& cancelled) -> Result<Scene> {
            {
                const std::scoped_lock lock(writing_);
                requests.push_back(request);
            }
            if (answer) return answer(request, cancelled);
            return example_scene(trace::ExampleShape::tiny(), request.kernel);
        };
    }
    std::function<void()> wake() {
        return [this] { finished_.release(); };
    }
    /// Waits until a run's outcome is ready for Session::poll.
    void wait() { finished_.acquire(); }
    /// For answers that may be ready before they are shown: they wake once, and polls show them later.
    void wait_at_most(std::chrono::milliseconds time) { (void)finished_.try_acquire_for(time); }

    RunScene answer;                   // else the example
    std::vector<RunRequest> requests;  // read it only while nothing runs

  private:
    std::mutex writing_;  // a Session's runs and those of its restored baselines are on two threads
    std::counting_semaphore<1000> finished_{0};
};

}  // namespace warplens::app
