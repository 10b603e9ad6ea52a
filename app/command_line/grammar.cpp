#include "app/command_line/grammar.h"

#include <memory>

#include "app/command_line/output.h"

namespace warplens::app {
namespace {

/// CLI::Range takes "nan", which is neither below its range nor above.
CLI::Validator seconds_up_to(double most) {
    constexpr double least = 0.01;
    const auto check = [=](const std::string& text) {
        double seconds = 0;
        if (CLI::detail::lexical_cast(text, seconds) && seconds >= least && seconds <= most)
            return std::string();
        return fmt::format("Value {} not in range {} to {}", text, least, most);
    };
    return CLI::Validator(check, fmt::format("FLOAT in [{} - {}]", least, most));
}

}  // namespace

void add_launch_flags(CLI::App& app, LaunchFlags& flags) {
    app.add_option("--set", flags.set, "Set a parameter: NAME=VALUE")->take_all()->allow_extra_args(false);
    app.add_option("--kernel", flags.entry, "Which __global__ function of the file");
    app.add_option("--grid", flags.grid, "Blocks in the grid: X,Y,Z");
    app.add_option("--block", flags.block, "Threads in a block: X,Y,Z");
    app.add_option("--cluster", flags.cluster, "Blocks in a cluster: X,Y,Z");
    app.add_flag("--cooperative", flags.cooperative,
                 "Cooperative launch: all blocks are resident, so that they can synchronize");
    app.add_option("--dynamic-shared", flags.dynamic_shared_bytes, "Dynamic shared memory, bytes per block");
    app.add_option("--arg", flags.arguments,
                   "Kernel argument, in order, for a file without a header: f32=2.5, i32=1024, "
                   "buffer:f32[1048576]=iota|zero|random|const:3|file:PATH, "
                   "texture:f32[256,256]=random,filter=linear,address=clamp, surface:u8x4[640,480], "
                   "struct:{f32=1,i32=2}, bytes:0000803f")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--run-program", flags.program_launch,
                   "Build the file's host code, run it, and take the inputs that it gives to the kernel; the "
                   "CPU engine executes the launches before. NUMBER: which launch of the kernel (1)")
        ->type_name("[NUMBER]")
        ->expected(0, 1)
        ->default_str("1")
        ->check(CLI::Range(1u, 1000000u));
    app.add_option(
        "--engine", flags.engine,
        "What executes the kernel: simt (the CPU engine), cuda (this machine's GPU) or recorded (a "
        "recording of an H200 that comes with the program)");
    app.add_option("--time-limit", flags.time_limit_s,
                   "Seconds a kernel may run before it is stopped (on a GPU 2, on the CPU engine 600)")
        ->check(seconds_up_to(86400));
    app.add_option("--gpu", flags.gpu,
                   "GPU that is modelled, with --engine simt: a name or a compute capability, and where "
                   "wanted other limits: "
                   "\"H200 with shared=100KiB reserve=0\"");
    app.add_option("--blocks", flags.blocks,
                   "Execute (on a GPU: record) only these blocks, counted from 0: 0-7,64");
    app.add_option("--sms", flags.sms, "On a GPU: record only the blocks on these SMs, counted from 0: 0-3");
    app.add_option("--seed", flags.seed, "Seed of the kernel's random inputs");
    app.add_option("--max-steps", flags.max_steps,
                   "Steps per warp after which it is reported as an endless loop (50000000)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
    app.add_option("--stack-bytes", flags.stack_bytes,
                   "Stack of a thread whose calls recurse, as cudaLimitStackSize sets it (1024)")
        ->check(CLI::Range(0u, 512u * 1024));
    app.add_option("--heap-bytes", flags.heap_bytes,
                   "Heap of malloc in device code, as cudaLimitMallocHeapSize sets it (8388608)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 30));
    app.add_option("-I,--include", flags.include_paths, "Folder to look for included files")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("-D,--define", flags.defines, "Define a macro while compiling: NAME or NAME=VALUE")
        ->take_all()
        ->allow_extra_args(false);
}

void add_versus(CLI::App& command, std::vector<std::string>& words) {
    command
        .add_option("--versus", words,
                    "Compare with another run: settings of this kernel (PAD=1, gpu=A100, engine=cuda; repeat "
                    "it for more), a kernel's name, or a .cu, .ptx or .wltrace file; docs/compare.md")
        ->type_name("SETTING|KERNEL|FILE")
        ->take_all()
        ->allow_extra_args(false);
}

namespace {

void add_target(CLI::App& command, LaunchFlags& flags) {
    command.add_option("target", flags.target, target_help)->type_name("KERNEL|FILE")->required();
    add_launch_flags(command, flags);
}

void add_race_flag(CLI::App& command, std::string& word, const char* otherwise) {
    command
        .add_option("--check-races", word,
                    fmt::format("Search for races between threads: on, off, or auto (in as many blocks as a "
                                "few seconds allow){}",
                                otherwise))
        ->check(CLI::IsMember({"auto", "on", "off"}));
}

void add_level(CLI::App& command, std::string& level) {
    command
        .add_option("--level", level,
                    "Whose instructions are executed, counted and timed: ptx, or machine (of sm_90); by "
                    "default counts are the PTX's, and times the machine code's where it can be had")
        ->check(CLI::IsMember({"ptx", "machine"}));
}

void add_report(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand("report", "Execute a kernel and print what its warps did");
    const auto options = std::make_shared<ReportOptions>();
    add_target(*command, options->launch);
    add_level(*command, options->launch.level);
    command->add_option("--format", options->format,
                        "text, json or csv; of a comparison text, json or markdown");
    add_versus(*command, options->versus);
    add_race_flag(*command, options->check_races, "");
    command->add_flag("!--no-advice", options->advice, "Do not try changes of the kernel (text)");
    command
        ->add_option(
            "--advice-time", options->advice_seconds,
            "Seconds to try changes of the kernel (3, or up to 12 where a run takes long); JSON has advice "
            "only with this")
        ->check(CLI::Range(0.1, 3600.0));
    command->callback([&outcome, options] { outcome = report(*options); });
}

void add_check(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand(
        "check",
        "Compare a kernel's metrics with limits, for tests and build servers; exit code 1 if a limit "
        "is exceeded");
    const auto options = std::make_shared<CheckOptions>();
    command->add_option("target", options->launch.target, target_help)->type_name("KERNEL|FILE");
    add_launch_flags(*command, options->launch);
    add_level(*command, options->launch.level);
    command
        ->add_option("--max", options->max, "Upper limit: METRIC=VALUE (docs/metrics.md lists the metrics)")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--min", options->min, "Lower limit: METRIC=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--site", options->lines, "Only this line of the kernel's file")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--limits", options->limits_file,
                        "A TOML file of checks, one entry per kernel and its settings");
    command
        ->add_option(
            "--versus", options->versus,
            "Compare with a report that `report --format json` wrote, such as the main branch's, or with "
            "another run: a setting, a kernel or a file, such as a .cubin")
        ->type_name("FILE");
    command
        ->add_option("--max-worse", options->max_worse,
                     "With --versus: how much worse a metric may be, 2% or METRIC=2%; by default not at all")
        ->take_all()
        ->allow_extra_args(false);
    command->add_flag("--allow-problems", options->allow_problems,
                      "Problems of the kernel and a failed golden check do not fail the check");
    add_race_flag(*command, options->check_races, "; default auto");
    command->add_flag("--fix", options->fix,
                      "Try pads and XOR swizzles on a shared array and print the change to make");
    command->add_option("--array", options->array, "Which shared array, with --fix");
    command
        ->add_option("--row-elements", options->row_elements,
                     "With --fix: elements per row of the array, if the source does not declare them")
        ->check(CLI::Range(1u, 1u << 24));
    command->add_option("--format", options->format, "text, json or github (annotations of the source)");
    command->callback([&outcome, options] { outcome = check(*options); });
}

void add_sweep(CLI::App& app, Result<int>& outcome, const DrawSweep& draw) {
    auto* command =
        app.add_subcommand("sweep", "Run a kernel over values of a parameter, as a table or a curve");
    const auto words = std::make_shared<SweepWords>();
    add_target(*command, words->launch);
    add_level(*command, words->launch.level);
    command
        ->add_option(
            "--over", words->over,
            "What to vary, one or two of: NAME=A..B, NAME=A..B:STEP, NAME=A..B:*FACTOR or NAME=A,B,C; "
            "a parameter, gpu, or grid.x and block.x; by default what the Sweep view begins with")
        ->take_all()
        ->allow_extra_args(false);
    command
        ->add_option("--metric", words->metrics,
                     "Metrics to report for each run (docs/metrics.md); by default those of the Sweep view")
        ->take_all()
        ->allow_extra_args(false);
    add_race_flag(*command, words->check_races, "; auto where `problems` is a metric, else off");
    command->add_option("--format", words->format, "text, csv, json, png or svg");
    command->add_option("-o,--output", words->output, "The file to write; a picture needs one");
    command->add_option("--size", words->size, "Of a picture, in pixels: 1280x800");
    command->add_option("--theme", words->theme, "Of a picture: dark or light");
    command->callback([&outcome, words, draw] { outcome = sweep(*words, draw); });
}

void add_caches(CLI::App& command, std::string& caches) {
    command
        .add_option(
            "--caches", caches,
            "On a GPU: warm, as an earlier launch leaves them (the default), or cold, with L2 full of "
            "other data")
        ->check(CLI::IsMember({"warm", "cold"}));
}

void add_record(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand("record", "Execute a kernel and keep its trace as a file");
    const auto options = std::make_shared<RecordOptions>();
    add_target(*command, options->launch);
    command
        ->add_option("-o,--output", options->output, "The .wltrace file to write, or - for standard output")
        ->required();
    command->add_option("--mode", options->mode,
                        "full (with addresses) or light (without); on a GPU also proof (the CPU engine's "
                        "addresses, proven equal by "
                        "hashes)");
    add_caches(*command, options->caches);
    command->add_flag(
        "--every-pass", options->every_pass,
        "On a GPU: clocks of every pass of a loop, not only before and after it; recording then "
        "takes longer");
    command->callback([&outcome, options] { outcome = record(*options); });
}

void add_agree(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand(
        "agree", "Compare a GPU's records with the CPU engine's, one by one; exit code 1 if they differ");
    const auto options = std::make_shared<AgreeOptions>();
    add_target(*command, options->launch);
    command->add_option("other", options->other, "With a .wltrace: the trace to compare it with")
        ->type_name("FILE");
    command->callback([&outcome, options] { outcome = agree(*options); });
}

void add_recordings(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand(
        "recordings",
        "Record the catalogue's kernels on this machine's GPU, for --engine recorded elsewhere");
    const auto options = std::make_shared<RecordingsOptions>();
    command->add_option("kernels", options->kernels, "Only these kernels")->type_name("KERNEL");
    command
        ->add_option("-o,--output", options->output,
                     "The folder to write to, with the layout of assets/recordings")
        ->required();
    command->add_option("--settings", options->settings,
                        "Folder of the settings.json that lists what to record (assets/recordings)");
    command->add_option("--time-limit", options->time_limit_s, "Seconds a kernel may run (2)")
        ->check(seconds_up_to(3600));
    add_caches(*command, options->caches);
    command->callback([&outcome, options] { outcome = make_recordings(*options); });
}

void add_program(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand("program",
                                       "Build and run the host code of a .cu file, execute all its launches "
                                       "on the CPU engine, and list them "
                                       "by the time that is modelled for them");
    const auto options = std::make_shared<ProgramOptions>();
    command->add_option("file", options->launch.target, "A .cu file with a main function")
        ->type_name("FILE")
        ->required();
    command->add_option("--format", options->format, "text or json");
    command->add_option("-I,--include", options->launch.include_paths, "Folder to look for included files")
        ->take_all()
        ->allow_extra_args(false);
    command
        ->add_option("-D,--define", options->launch.defines,
                     "Define a macro while compiling: NAME or NAME=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->callback([&outcome, options] { outcome = list_launches(*options); });
}

void add_new(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand("new", "Write a small kernel file to start from");
    const auto path = std::make_shared<std::string>();
    command->add_option("file", *path, "The .cu file to write; it must not exist")
        ->type_name("FILE")
        ->required();
    command->callback([&outcome, path] { outcome = new_kernel(*path); });
}

#ifdef WARPLENS_SASS
void add_sass(CLI::App& app, Result<int>& outcome) {
    auto* command =
        app.add_subcommand("sass",
                           "Print machine code with control fields and source lines; of a kernel, also what "
                           "each instruction executed");
    const auto flags = std::make_shared<LaunchFlags>();
    command->add_option("target", flags->target, "Name in the catalogue, or a .cu, .ptx or .cubin file")
        ->type_name("KERNEL|FILE")
        ->required();
    add_launch_flags(*command, *flags);
    command->callback([&outcome, flags] { outcome = list_machine_code(*flags); });
}

void add_diff(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand(
        "diff", "Compare the machine code of two builds instruction by instruction, and what it executed");
    const auto options = std::make_shared<DiffOptions>();
    command
        ->add_option("before", options->launch.target, "Name in the catalogue, or a .cu, .ptx or .cubin file")
        ->type_name("KERNEL|FILE")
        ->required();
    command
        ->add_option(
            "after", options->other,
            "The other build: settings of the same kernel (PAD=1), a kernel's name, or a .cu, .ptx or "
            ".cubin file")
        ->type_name("SETTING|KERNEL|FILE")
        ->required();
    command->add_option("--format", options->format, "text or json");
    add_launch_flags(*command, options->launch);
    command->callback([&outcome, options] { outcome = diff_builds(*options); });
}
#endif

void add_export(CLI::App& app, Result<int>& outcome) {
    auto* command =
        app.add_subcommand("export", "Write the modelled schedule for Perfetto's and Chrome's trace viewers");
    const auto options = std::make_shared<ExportOptions>();
    add_target(*command, options->launch);
    command->add_option("-o,--output", options->output, "The .json file to write, or - for standard output")
        ->required();
    command->add_option("--cycles", options->cycles,
                        "Only these cycles of the SM: FIRST..END, the end left out");
    command->add_flag("--streams", options->streams,
                      "The streams that a GPU measured, from a .wltrace, instead of the schedule");
    command->callback([&outcome, options] { outcome = export_trace(*options); });
}

void add_values(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand(
        "values", "Print registers, the element accessed and who wrote it, at one step of a warp");
    const auto options = std::make_shared<ValuesOptions>();
    add_target(*command, options->launch);
    command->add_option("--select", options->select,
                        "Which step: block=0,warp=1,step=14,lane=3; line=39 or site=12 instead of a step "
                        "is the first there");
    command->add_option("--word", options->word,
                        "List the writes to the word at this byte of shared memory, not those to the element "
                        "that the lane accesses");
    command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command->callback([&outcome, options] { outcome = print_values(*options); });
}

/// "help", "help report", "help lesson check".
void add_help(CLI::App& app, Result<int>& outcome) {
    auto* command = app.add_subcommand("help", "Print the commands, or the options of one");
    const auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("command", *words, "The command")->type_name("COMMAND");
    command->callback([&app, &outcome, words] {
        const CLI::App* about = &app;
        std::string name = app.get_name();
        for (const std::string& word : *words) {
            const auto inside =
                about->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
            if (inside.empty()) {
                outcome = fail("there is no command `{}`; {} help lists them", fmt::join(*words, " "),
                               app.get_name());
                return;
            }
            about = inside.front();
            name += " " + word;
        }
        print_result(about->get_formatter()->make_help(about, name, CLI::AppFormatMode::Normal));
    });
}

}  // namespace

void add_windowless_commands(CLI::App& app, Result<int>& outcome, const DrawSweep& draw) {
    auto* list_command = app.add_subcommand("list", "Name the kernels, with parameters and ranges");
    list_command->callback([&outcome] { outcome = list_kernels(); });
    add_help(app, outcome);
    add_new(app, outcome);
    add_report(app, outcome);
    add_program(app, outcome);
    add_check(app, outcome);
    add_sweep(app, outcome, draw);
    add_record(app, outcome);
    add_agree(app, outcome);
    add_recordings(app, outcome);
    add_export(app, outcome);
    add_values(app, outcome);
#ifdef WARPLENS_SASS
    add_sass(app, outcome);
    add_diff(app, outcome);
#endif
}

}  // namespace warplens::app
