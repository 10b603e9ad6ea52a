// `warplens [FILE|KERNEL]`: opens the window; without a display, prints what works without one.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "app/command_line/commands.h"
#include "app/command_line/headerless.h"
#include "app/command_line/output.h"
#include "app/command_line/run_program.h"
#include "app/command_line/target.h"
#include "app/pipeline/engine_sweep.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/machine_scene.h"
#include "app/pipeline/make_scene.h"
#include "app/scene/index_scene.h"
#include "app/scene/time_scene.h"
#include "app/session/saved/saved_session.h"
#include "app/window/end_in_time.h"
#include "app/window/window.h"
#include "core/whole_path.h"
#include "instrumentation/catalog/catalogue.h"

namespace warplens::app {
namespace {

bool has_display() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return true;
    }
    return false;
}

/// The launch flags given with a file: they are applied to the file each time it is read.
OpenedWith opened_with(const LaunchFlags& flags) {
    OpenedWith with;
    with.include_paths = flags.include_paths;
    with.defines = flags.defines;
    with.program_launch = static_cast<int>(flags.program_launch);
    if (!has_launch_flags(flags) && flags.entry.empty()) return with;
    with.finds_kernel = arguments_choose_kernel(flags);
    with.launch = [flags](instrumentation::KernelFile& kernel, const FindEntries& entries) {
        return apply_partial_launch_flags(flags, kernel, entries);
    };
    return with;
}

LessonMeans lesson_means() {
    LessonMeans means;
    means.progress_path = progress_path();
    auto kernels = catalogue();
    const auto folders = instrumentation::installed_folders();
    auto files = folders ? lesson_files(folders->lessons) : fail("{}", folders.error().message);
    if (files) means.files = std::move(*files);
    else means.no_files = files.error().message;
    if (kernels)
        means.numbers =
            std::make_shared<LessonNumbers>(make_pipeline(), std::move(*kernels), recordings_folder());
    return means;
}

constexpr const char* without_display =
    "Warplens opens a window, and there is no display here (DISPLAY and WAYLAND_DISPLAY are not set).\n"
    "These work without one:\n"
    "\n"
    "  ./run list                                                       the kernels, with parameters and "
    "ranges\n"
    "  ./run report transpose_tiled --set PAD=1                         what the warps did, as text, json or "
    "csv\n"
    "  ./run shot transpose_tiled --view banks -o banks.png             one view as a picture; --view window "
    "for all\n"
    "  ./run record transpose_tiled -o transpose.wltrace                keep a trace, for report and shot\n"
    "  ./run new my_kernel.cu                                           a small kernel of your own to begin "
    "with\n"
    "  ./run --help                                                     everything else\n";

/// What the command line names.
struct WindowTarget {
    std::optional<LaunchRequest> request;         // a kernel of the catalogue
    std::optional<Scene> trace;                   // a recorded trace
    std::string file;                             // a person's own
    std::map<std::string, std::string> settings;  // of `file`
};

Result<WindowTarget> read_target(const LaunchFlags& launch) {
    WindowTarget read;
    if (launch.target.empty()) return read;
    WARPLENS_TRY(auto kind, target_kind(launch.target));
    if (kind == TargetKind::cubin_file) WARPLENS_TRY(check_cubin_flags(launch));
    if (kind == TargetKind::trace_file) {
        WARPLENS_TRY(auto trace, load_trace(launch));
        read.trace = scene_of_trace(std::move(trace));
        index_scene(*read.trace);
    } else if (kind != TargetKind::kernel_name) {
        // Errors in it are reported at once; the window can still ask for its launch.
        WARPLENS_TRY(instrumentation::read_kernel_source(launch.target));
        WARPLENS_TRY(read.settings, settings_of(launch));
        read.file = launch.target;
    } else {
        WARPLENS_TRY(read.request, launch_request(launch));
    }
    return read;
}

void set_target(WindowTarget target, const LaunchFlags& launch, WindowOptions& window) {
    window.scene = std::move(target.trace);
    if (window.scene) window.scene_file = whole_path(launch.target);
    if (target.request) {
        window.kernel = target.request->kernel;
        window.parameters = target.request->overrides;
    } else if (!target.file.empty()) {
        window.file = target.file;
        window.parameters = std::move(target.settings);
        window.opened_with = opened_with(launch);
    }
}

/// Everything that runs in the background.
void set_work(const LaunchFlags& launch, WindowOptions& window) {
    const auto pipeline = make_pipeline(true);
    window.find_entries = [pipeline](const instrumentation::KernelFile& kernel) {
        LaunchRequest asked;
        asked.kernel = std::make_shared<const instrumentation::KernelFile>(kernel);
        return pipeline->entries(asked);
    };
    window.run_program = [pipeline](ProgramInputsRequest request) { return run_program(*pipeline, request); };
    window.list_program = [pipeline](ProgramInputsRequest request, const auto& so_far) {
        return run_whole_program(*pipeline, std::move(request), so_far);
    };
    const auto engines = std::make_shared<Engines>(pipeline, gpu_of_this_machine(), recordings_folder(),
                                                   launch.time_limit_s.value_or(2));
    window.run = [engines](const RunRequest& request, const std::function<bool()>& cancelled) {
        return engines->run_scene(request, cancelled);
    };
    window.prepare = [engines](const RunRequest& request, const std::function<bool()>& cancelled) {
        engines->prepare(request, cancelled);
    };
    window.read_trace = [](const std::string& path) -> Result<Scene> {
        LaunchFlags flags;
        flags.target = path;
        WARPLENS_TRY(auto trace, load_trace(flags));
        return scene_of_trace(std::move(trace));
    };
    window.find_gpu = [gpu = engines->gpu()]() -> Result<std::string> {
        const auto device = gpu.device();
        if (!device) return fail("{}", device.error().message);
        return device->name;
    };
    window.model = timing_model();
    window.sweep = sweep_on_engine(make_pipeline());
    window.machine = [pipeline](const Scene& scene, const Cancelled& cancelled) {
        return machine_code_of(*pipeline, scene, cancelled);
    };
    // On the pipeline of the runs, so that code compiled for a trial is ready when its button is clicked.
    window.read_values = [pipeline](const Scene& scene, const ValuesQuestion& question,
                                    const Cancelled& cancelled) {
        return values_of_scene(*pipeline, scene, question, cancelled);
    };
    window.advise = [pipeline, model = window.model](const AdviceRequest& asked, const Cancelled& cancelled) {
        return advise(*pipeline, model, asked, {}, cancelled);
    };
}

Result<int> say_without_display(const std::string& target) {
    if (!target.empty())
        return fail(
            "there is no display to open a window on; try: warplens report {0}, or warplens shot {0} "
            "--view window -o window.png",
            target);
    print_result(without_display);
    return exit_success;
}

}  // namespace

Result<int> open_window(const WindowFlags& options) {
    EndInTime end;  // ends after all else
    WARPLENS_TRY(const auto engine, engine_of(options.launch, Engine::simt));
    WARPLENS_TRY(auto target, read_target(options.launch));
    if (options.lesson) WARPLENS_TRY(check_lesson_and_step(*options.lesson, options.lesson_step));
    if (!has_display() && options.lesson && !options.lesson->empty())
        return fail(
            "there is no display to open the lesson on; try: warplens lesson handout {} -o lesson.html",
            *options.lesson);
    if (!has_display()) return say_without_display(options.launch.target);

    WARPLENS_TRY(auto kernels, catalogue());
    WindowOptions window;
    for (auto& kernel : kernels)
        window.catalogue.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
    set_target(std::move(target), options.launch, window);
    set_work(options.launch, window);
    window.end = &end;
    window.exit_after_frames = options.exit_after_frames;
    window.remember_layout = options.exit_after_frames == 0;
    if (window.remember_layout) window.session_path = session_path();
    window.picture = options.picture;
    window.edit = options.edit;
    window.gpu = options.launch.gpu;
    if (!options.launch.engine.empty()) window.engine = engine;
    window.lesson = options.lesson;
    window.lesson_step = options.lesson_step;
    window.present = options.present;
    window.lessons = lesson_means();
    return run_window(window);
}

}  // namespace warplens::app
