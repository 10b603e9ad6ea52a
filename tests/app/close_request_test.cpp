// The real window under a virtual display, asked to close while something takes long: it is gone within a
// second, whatever runs.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <thread>

#include "app/command_line/target.h"
#include "app/lesson/lesson_numbers.h"
#include "app/pipeline/engines.h"
#include "app/session/saved/saved_session.h"
#include "app/ui/hit_boxes.h"
#include "app/window/end_in_time.h"
#include "app/window/window.h"
#include "core/start_program.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/app/ask_to_close.h"
#include "tests/app/example_scene.h"
#include "tests/app/virtual_display.h"

namespace warplens::app {
namespace {

using namespace std::chrono_literals;
using CloseClock = std::chrono::steady_clock;

/// Shared with the window's process.
struct Progress {
    std::atomic<bool> begun = false;  // what takes long
    std::atomic<pid_t> compiler = 0;  // a process of the window
    std::atomic<int> clicked = 0;     // how many of LongTask::clicks
    std::atomic<int> x = -1, y = -1;  // of the next one, in pixels; -1: it is not drawn yet
};

Progress& new_progress() {
    void* const memory =
        ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return *new (memory) Progress;
}

/// Takes no notice of anything, as a driver or a parser does; ends so that no test leaves it behind.
void take_long(Progress& progress) {
    progress.begun = true;
    std::this_thread::sleep_for(60s);
}

/// A window that takes long somewhere.
struct LongTask {
    const char* name;
    std::function<void(WindowOptions&, Progress&)> set_up;
    std::vector<std::string> clicks = {};  // the boxes to click first
};

Result<Scene> example_answer(const RunRequest& request) { return example_scene({}, request.kernel); }

/// What the lesson computes takes forever.
void read_endless_lesson(WindowOptions& options, Progress& progress) {
    const std::string folder = testing::TempDir() + "warplens_close_request/";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "endless.md")
        << "+++\ntitle = \"Endless\"\nsubject = \"Loops\"\nabout = \"A loop.\"\norder = 1\nkernel = "
           "\"endless\"\n"
           "+++\n\nIt takes {global_load.requests} requests.\n\n## A number\n\n```question\nask = \"How "
           "many?\"\n"
           "truth = \"global_load.requests\"\nunit = \"requests\"\nright = \"Yes, {truth}.\"\n"
           "wrong = \"Not {answer} but {truth}.\"\nview = \"lanes\"\n```\n";
    auto kernel = instrumentation::read_kernel_file(
        "endless.cu",
        "/*\n[kernel]\ntitle = \"E\"\n[buffers]\nout = { type = \"f32\", length = 32, fill = \"zero\" "
        "}\n[launch]\n"
        "arguments = [\"out\"]\ngrid = [\"64\"]\nblock = [\"32\"]\n*/\n"
        "__global__ void endless(volatile float* out) { while (out[0] == 0) out[1] = 1; }\n");
    ASSERT_TRUE(kernel) << kernel.error().message;
    options.lessons.numbers = std::make_shared<LessonNumbers>(
        make_pipeline(), std::vector<instrumentation::KernelFile>{*kernel}, "");
    options.lessons.files = lesson_files(folder).value();
    options.lesson = "endless";
    // The lesson's thread says nothing of itself; by then it computes.
    std::thread([&progress] {
        std::this_thread::sleep_for(1500ms);
        progress.begun = true;
    }).detach();
}

/// A launch on a GPU whose driver never answers.
void record_on_a_paused_gpu(WindowOptions& options, Progress& progress) {
    const auto kernels = catalogue();
    ASSERT_TRUE(kernels) << kernels.error().message;
    const auto saxpy = instrumentation::find_kernel(*kernels, "saxpy");
    ASSERT_TRUE(saxpy) << saxpy.error().message;
    options.kernel = std::make_shared<const instrumentation::KernelFile>(**saxpy);
    options.catalogue = {options.kernel};
    options.engine = Engine::cuda;
    Gpu gpu;
    gpu.device = [] {
        return instrumentation::DeviceFacts{"NVIDIA H200", "580.159.04, CUDA 13.0", 9, 0, 132, 1.98e9, 0, 0};
    };
    gpu.run = [&progress](const auto&, const auto&,
                          const auto&) -> instrumentation::GpuResult<instrumentation::GpuRunResult> {
        take_long(progress);
        return instrumentation::GpuRunResult{};
    };
    auto engines = std::make_shared<Engines>(make_pipeline(), gpu, "");
    options.run = [engines](const RunRequest& request, const std::function<bool()>& cancelled) {
        return engines->run_scene(request, cancelled);
    };
}

/// The session that is restored has a baseline, which is run again.
void restore_a_baseline(WindowOptions& options, Progress& progress) {
    SavedSession saved;
    saved.run.kernel = options.kernel->name;
    saved.baselines = {saved.run};
    saved.baselines.front().knobs["PAD"] = "1";
    saved.compared = 0;
    saved.centre_view = "banks";
    options.session_path = testing::TempDir() + "warplens_close_request/session.json";
    ASSERT_TRUE(save_session(saved, options.session_path));
    options.kernel = nullptr;
    options.run = [&progress](const RunRequest& request, const auto&) {
        if (request.overrides.contains("PAD")) take_long(progress);
        return example_answer(request);
    };
}

/// The kernel opens in this view.
void open_in(WindowOptions& options, const char* view) {
    auto kernel = std::make_shared<instrumentation::KernelFile>(*options.kernel);
    kernel->views = {view};
    options.catalogue = {kernel};
    options.kernel = kernel;
}

std::vector<LongTask> long_tasks() {
    return {
        {"run",
         [](WindowOptions& options, Progress& progress) {
             options.run = [&](const RunRequest& request, const auto&) {
                 take_long(progress);
                 return example_answer(request);
             };
         }},
        {"timing_model",
         [](WindowOptions& options, Progress& progress) {
             options.model.time = [&](const Scene&, const TimingOptions&, const auto&) {
                 take_long(progress);
                 return std::make_shared<const SceneTiming>();
             };
             options.model.ask = [](const Scene&, const TimingOptions&, const auto&) -> Result<double> {
                 return fail("nobody asks");
             };
         }},
        {"advice",
         [](WindowOptions& options, Progress& progress) {
             options.advise = [&](const AdviceRequest&, const auto&) {
                 take_long(progress);
                 return Advice{};
             };
         }},
        {"machine_code",
         [](WindowOptions& options, Progress& progress) {
             options.machine = [&](const Scene&, const auto&) {
                 take_long(progress);
                 return std::make_shared<const MachineCode>();
             };
         }},
        {"search_for_a_gpu",
         [](WindowOptions& options, Progress& progress) {
             options.find_gpu = [&]() -> Result<std::string> {
                 take_long(progress);
                 return std::string("none");
             };
         }},
        {"paused_compiler",
         [](WindowOptions& options, Progress& progress) {
             options.run = [&](const RunRequest& request, const auto&) {
                 const auto compiler = start_program({.command = {"sleep", "60"}});
                 if (compiler) {
                     const Leftover listed = Leftover::process(*compiler);
                     ::kill(*compiler, SIGSTOP);
                     progress.compiler = *compiler;
                     progress.begun = true;
                     ::waitpid(*compiler, nullptr, 0);
                 }
                 return example_answer(request);
             };
         }},
        {"frame",
         [](WindowOptions& options, Progress& progress) {
             // Called by the window's own thread, once a frame.
             options.exit_after_frames = std::numeric_limits<int>::max();
             options.keep_open = [&, frames = 0]() mutable {
                 if (++frames == 5) take_long(progress);
                 return true;
             };
         }},
        {"first_frame",
         [](WindowOptions& options, Progress& progress) {
             options.exit_after_frames = std::numeric_limits<int>::max();
             options.keep_open = [&] {
                 take_long(progress);
                 return true;
             };
         }},
        {"values",
         [](WindowOptions& options, Progress& progress) {
             open_in(options, "values");
             options.read_values = [&](const Scene&, const ValuesQuestion&, const auto&) {
                 take_long(progress);
                 return StepValues{};
             };
         }},
        {"sweep",
         [](WindowOptions& options, Progress& progress) {
             open_in(options, "sweep");
             options.sweep = [&](const SweepRequest&, const auto&) -> Result<Sweep> {
                 take_long(progress);
                 return Sweep{};
             };
         },
         {"sweep run"}},
        {"file_dialog", [](WindowOptions&, Progress&) {}, {"file", "file open", "path field"}},
        {"lesson", read_endless_lesson},
        {"recording_on_a_gpu", record_on_a_paused_gpu},
        {"baseline", restore_a_baseline},
        {"index_of_a_trace",
         [](WindowOptions& options, Progress& progress) {
             options.scene = example_scene(trace::ExampleShape::huge(4'000'000));
             progress.begun = true;
         }},
    };
}

/// Says where the next box to click is, whenever a frame was drawn.
void publish_clicks(WindowOptions& options, const LongTask& task, Progress& progress) {
    options.exit_after_frames = std::numeric_limits<int>::max();
    options.keep_open = [&, notes = std::make_shared<FrameNotes>()] {
        record_notes(notes.get());
        const auto next = static_cast<std::size_t>(progress.clicked);
        if (next == task.clicks.size() || progress.x >= 0) return true;
        const auto found = notes->boxes.find(task.clicks[next]);
        if (found == notes->boxes.end()) return true;
        progress.y = static_cast<int>(found->second.centre().y);
        progress.x = static_cast<int>(found->second.centre().x);
        return true;
    };
}

/// As a person does. False when a box was not drawn in time.
bool click_all(const LongTask& task, Progress& progress, CloseClock::time_point deadline) {
    while (static_cast<std::size_t>(progress.clicked) < task.clicks.size()) {
        while (progress.x < 0) {
            if (CloseClock::now() > deadline) return false;
            std::this_thread::sleep_for(5ms);
        }
        const auto tool = start_program({.command = {"xdotool", "mousemove", std::to_string(progress.x),
                                                     std::to_string(progress.y), "click", "1"}});
        if (!tool) return false;
        ::waitpid(*tool, nullptr, 0);
        ++progress.clicked;
        progress.x = -1;
    }
    return true;
}

[[noreturn]] void be_window(const LongTask& task, Progress& progress) {
    EndInTime end;
    WindowOptions options;
    options.catalogue = example_catalogue();
    options.remember_layout = false;
    options.kernel = options.catalogue.back();
    options.run = [](const RunRequest& request, const auto&) { return example_answer(request); };
    options.end = &end;
    if (!task.clicks.empty()) publish_clicks(options, task, progress);
    task.set_up(options, progress);
    const int code = run_window(options);
    ::_exit(code);
}

/// Seconds from the request to the end of the process; nothing when it did not end in time.
std::optional<double> seconds_to_close(const LongTask& task, const std::string& display) {
    Progress& progress = new_progress();
    const pid_t window = ::fork();
    if (window == 0) be_window(task, progress);
    const auto deadline = CloseClock::now() + 40s;
    EXPECT_TRUE(click_all(task, progress, deadline)) << task.name << ": " << progress.clicked;
    if (task.name == std::string_view("file_dialog")) progress.begun = true;
    while (!progress.begun && CloseClock::now() < deadline) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(progress.begun) << task.name;
    while (!ask_to_close(display) && CloseClock::now() < deadline) std::this_thread::sleep_for(5ms);
    const auto asked = CloseClock::now();
    int status = 0;
    bool ended = false;
    while (!ended && CloseClock::now() < asked + 20s) {
        ended = ::waitpid(window, &status, WNOHANG) == window;
        if (!ended) std::this_thread::sleep_for(5ms);
    }
    const double seconds = std::chrono::duration<double>(CloseClock::now() - asked).count();
    if (!ended) {
        ::kill(window, SIGKILL);
        ::waitpid(window, &status, 0);
    }
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << task.name << ": " << status;
    if (const pid_t compiler = progress.compiler; compiler > 0) {
        // Killed with the window; nobody may have collected it yet.
        const std::string state = "/proc/" + std::to_string(compiler) + "/stat";
        std::ifstream read(state);
        std::string number, name, letter;
        if (read >> number >> name >> letter) {
            EXPECT_TRUE(letter == "Z" || letter == "X") << letter;
        }
    }
    ::munmap(&progress, sizeof progress);
    return ended ? std::optional(seconds) : std::nullopt;
}

TEST(close_request_long, is_answered_within_a_second_whatever_runs) {
    VirtualDisplay display;
    ASSERT_TRUE(display.started()) << "Xvfb is needed; the Debian package is xvfb";
    setenv("DISPLAY", display.name().c_str(), 1);
    for (const LongTask& task : long_tasks()) {
        // A machine that is busy elsewhere may be slow once.
        std::optional<double> seconds = seconds_to_close(task, display.name());
        for (int again = 0; again < 4 && seconds && *seconds >= 1; ++again)
            seconds = seconds_to_close(task, display.name());
        ASSERT_TRUE(seconds) << task.name << ": it did not close";
        EXPECT_LT(*seconds, 1) << task.name;
        RecordProperty(task.name, std::to_string(*seconds));
    }
    unsetenv("DISPLAY");
}

}  // namespace
}  // namespace warplens::app
