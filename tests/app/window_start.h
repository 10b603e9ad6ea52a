// WindowStart: one start of the window on an injected run, with an own file, as a session is restored into
// it; and a small own kernel.
#pragma once

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "app/window/frame.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {

struct WindowStart {
    std::mutex writing;                // the session's thread and that of restored baselines run at once
    std::vector<RunRequest> requests;  // read them when the session has settled
    Session session{example_catalogue(),
                    [this](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
                        {
                            const std::scoped_lock lock(writing);
                            requests.push_back(request);
                        }
                        Scene scene = example_scene(trace::ExampleShape::tiny(), request.kernel);
                        scene.parameters =
                            *instrumentation::resolve_parameters(*request.kernel, request.overrides);
                        return scene;
                    }};
    OwnFile own{session, [](const instrumentation::KernelFile&) -> Entries {
                    return std::vector<instrumentation::EntryFacts>{};
                }};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }};

    WindowStart() { frame.set_own_file(&own); }
    void settle() {
        for (int i = 0; i < 1000 && (ui.frame(), session.busy() || own.looks_for_launch()); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ui.frame(3);
    }
    /// Until the baselines of the session before are there.
    void wait_for_baselines(std::size_t count) {
        for (int i = 0; i < 1000 && session.baselines.all().size() < count; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            ui.frame();
        }
    }
};

inline constexpr const char* own_source_text = R"toml(/*
[kernel]
title = "Mine"
[parameters]
n = { default = 1024, min = 32, max = 4096 }
[buffers]
out = { type = "f32", length = "n" }
[launch]
arguments = ["out", "n"]
grid = ["ceil_div(n, 256)"]
block = ["256"]
*/
__global__ void mine(float* out, int n) { out[threadIdx.x] = n; }
)toml";

}  // namespace warplens::app
