// The commands of the command line. Each prints its result on standard output and returns an exit code; an
// error value means bad input: one sentence on standard error and exit code 2, with no partial output file.
#pragma once

#include <functional>

#include "app/command_line/options.h"
#include "core/result.h"

namespace warplens::app {

struct ProgramLaunches;
struct Sweep;

inline constexpr int exit_success = 0;
inline constexpr int exit_kernel_problems =
    1;  // the kernel has problems, or exceeds a limit; the report lists them
inline constexpr int exit_bad_input = 2;

Result<int> list_kernels();
Result<int> new_kernel(const std::string& path);
/// The machine code of a cubin, or of a kernel with its counts; only with WARPLENS_SASS.
Result<int> list_machine_code(const LaunchFlags& flags);
/// Two builds of a kernel compared instruction by instruction; only with WARPLENS_SASS.
Result<int> diff_builds(const DiffOptions& options);
/// Draws the list of a program's kernels as the picture that the options ask for; null where nothing can
/// draw.
using DrawProgram = std::function<Status(const ProgramOptions& options, const ProgramLaunches& program)>;
/// A whole program, run on the CPU engine: its launches by the work they do.
Result<int> list_launches(const ProgramOptions& options, const DrawProgram& draw);
/// With a window's means; not in the recorder.
Status draw_program(const ProgramOptions& options, const ProgramLaunches& program);
Result<int> report(const ReportOptions& options);
/// report --versus: two runs compared.
Result<int> report_versus(const ReportOptions& options);
Result<int> check(const CheckOptions& options);
/// check --fix: a better layout for a shared array.
Result<int> propose_fix(const CheckOptions& options);
/// Draws a sweep as the picture that the words ask for; null where nothing can draw.
using DrawSweep = std::function<Status(const SweepWords& words, const Sweep& sweep)>;
Result<int> sweep(const SweepWords& words, const DrawSweep& draw);
/// With a window's means; not in the recorder.
Status draw_sweep(const SweepWords& words, const Sweep& sweep);
Result<int> record(const RecordOptions& options);
Result<int> agree(const AgreeOptions& options);
Result<int> make_recordings(const RecordingsOptions& options);
Result<int> shot(const ShotOptions& options);
/// Registers and memory at one step.
Result<int> print_values(const ValuesOptions& options);
Result<int> export_trace(const ExportOptions& options);
Result<int> list_lessons();
/// `names`: lessons that come with the program, or files; none: all lessons of the program.
Result<int> check_lessons(const std::vector<std::string>& names);
/// `notes`: the teacher's edition.
Result<int> lesson_handout(const std::string& name, const std::string& output, bool notes);
/// That there is such a lesson or file, and such a step of it (from 1; 0: any).
Status check_lesson_and_step(const std::string& lesson, std::size_t step);
Result<int> open_window(const WindowFlags& options);

/// What only the program with a window can do.
struct DrawingCommands {
    Result<int> (*open_window)(const WindowFlags&);
    Result<int> (*shot)(const ShotOptions&);
    Status (*draw_sweep)(const SweepWords&, const Sweep&);
    Status (*draw_program)(const ProgramOptions&, const ProgramLaunches&);
    Result<int> (*list_lessons)();
    Result<int> (*check_lessons)(const std::vector<std::string>&);
    Result<int> (*lesson_handout)(const std::string& name, const std::string& output, bool notes);
};

/// Parses the words and carries out the command: all of them, and those that work without a window.
int run_command_line(int argument_count, char** arguments);
int run_words_that_draw(const DrawingCommands& commands, int argument_count, char** arguments);
int run_recorder_command_line(int argument_count, char** arguments);

}  // namespace warplens::app
