// The grammar of the command line, on CLI11.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "app/command_line/commands.h"

namespace warplens::app {
namespace {

void add_launch_flags(CLI::App& app, LaunchFlags& flags) {
    app.add_option("--set", flags.set, "Set a parameter: NAME=VALUE")->take_all()->allow_extra_args(false);
    app.add_option("--kernel", flags.entry, "Which __global__ function of the file");
    app.add_option("--grid", flags.grid, "Blocks in the grid: X,Y,Z");
    app.add_option("--block", flags.block, "Threads in a block: X,Y,Z");
    app.add_option("--dynamic-shared", flags.dynamic_shared_bytes, "Dynamic shared memory, bytes a block");
    app.add_option("--arg", flags.arguments,
                   "Kernel argument, in order, for a file without a header: f32=2.5, i32=1024, "
                   "buffer:f32[1048576]=iota|zero|random|const:3")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--engine", flags.engine, "Who executes the kernel: simt (the CPU engine)");
    app.add_option("--gpu", flags.gpu, "GPU the occupancy is for: a name or a compute capability");
    app.add_option("--blocks", flags.blocks, "Execute only these blocks, counted from 0: 0-7,64");
    app.add_option("--seed", flags.seed, "Seed of the kernel's random inputs");
    app.add_option("--max-steps", flags.max_steps,
                   "Steps a warp may take before it counts as an endless loop (50000000)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
    app.add_option("-I,--include", flags.include_paths, "Folder to look for included files")
        ->take_all()
        ->allow_extra_args(false);
}

constexpr const char* target_help = "A kernel's name (see list), or a .cu, .ptx or .wltrace file";

}  // namespace

namespace {

int run_words(int argument_count, char** arguments) {
    CLI::App app("Warplens shows what a CUDA kernel's warps really do.", "warplens");
    app.set_version_flag("--version", "warplens 0.1.0");
    app.footer("With no command the window opens, on KERNEL or FILE when one is given.");
    app.require_subcommand(0, 1);
    Result<int> outcome = exit_success;

    WindowFlags window;
    app.add_option("target", window.launch.target, target_help)->type_name("FILE|KERNEL");
    add_launch_flags(app, window.launch);
    app.add_option("--exit-after-frames", window.exit_after_frames, "Close the window after so many frames");
    app.add_option("--picture", window.picture, "Write a PNG of the window when it closes");

    auto* list_command = app.add_subcommand("list", "Name the kernels, with parameters and ranges");
    list_command->callback([&] { outcome = list_kernels(); });

    ReportOptions report_options;
    auto* report_command = app.add_subcommand("report", "Execute a kernel and print what its warps did");
    report_command->add_option("target", report_options.launch.target, target_help)
        ->type_name("KERNEL|FILE")
        ->required();
    add_launch_flags(*report_command, report_options.launch);
    report_command->add_option("--format", report_options.format, "text, json or csv");
    report_command->callback([&] { outcome = report(report_options); });

    RecordOptions record_options;
    auto* record_command = app.add_subcommand("record", "Execute a kernel and keep its trace as a file");
    record_command->add_option("target", record_options.launch.target, target_help)
        ->type_name("KERNEL|FILE")
        ->required();
    add_launch_flags(*record_command, record_options.launch);
    record_command->add_option("-o,--output", record_options.output, "The .wltrace file to write")
        ->required();
    record_command->add_option("--mode", record_options.mode, "full (with addresses) or light (without)");
    record_command->callback([&] { outcome = record(record_options); });

    ShotOptions shot_options;
    auto* shot_command = app.add_subcommand("shot", "Draw one view as PNG or SVG; needs no display");
    shot_command->add_option("target", shot_options.launch.target, target_help)
        ->type_name("KERNEL|FILE")
        ->required();
    add_launch_flags(*shot_command, shot_options.launch);
    shot_command->add_option("--view", shot_options.view, "Which view, or window for the whole window")
        ->required();
    shot_command->add_option("-o,--output", shot_options.output, "The .png or .svg file to write")
        ->required();
    shot_command->add_option("--size", shot_options.size, "Width and height in pixels: 1600x1000");
    shot_command->add_option("--theme", shot_options.theme, "dark or light");
    shot_command->add_option("--select", shot_options.select,
                             "What to show: line=54,site=7,block=0,warp=3,lane=5,cycle=900, or some of it");
    shot_command->add_option("--cycles", shot_options.cycles,
                             "The timeline's range: FIRST..END, the end left out");
    shot_command->callback([&] { outcome = shot(shot_options); });

    ExportOptions export_options;
    auto* export_command =
        app.add_subcommand("export", "Write the modelled schedule for Perfetto's and Chrome's trace viewers");
    export_command->add_option("target", export_options.launch.target, target_help)
        ->type_name("KERNEL|FILE")
        ->required();
    add_launch_flags(*export_command, export_options.launch);
    export_command->add_option("-o,--output", export_options.output, "The .json file to write")->required();
    export_command->add_option("--cycles", export_options.cycles,
                               "Only these cycles of the SM: FIRST..END, the end left out");
    export_command->callback([&] { outcome = export_trace(export_options); });

    try {
        app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        std::fprintf(stderr, "warplens: %s; warplens --help lists what is understood\n", error.what());
        return exit_bad_input;
    }
    if (app.get_subcommands().empty()) outcome = open_window(window);
    if (outcome && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
        outcome = fail("standard output cannot be written: {}", std::strerror(errno));
    }
    if (!outcome) {
        std::fprintf(stderr, "warplens: %s\n", outcome.error().message.c_str());
        return exit_bad_input;
    }
    return *outcome;
}

}  // namespace

int run_command_line(int argument_count, char** arguments) {
    try {
        return run_words(argument_count, arguments);
    } catch (const std::bad_alloc&) {
        std::fputs(
            "warplens: this takes more memory than there is; choose smaller parameters or fewer blocks\n",
            stderr);
        return exit_bad_input;
    }
}

}  // namespace warplens::app
