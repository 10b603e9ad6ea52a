// The grammar of the command line, on CLI11, in two parts: the commands that work without a window, which the
// self-contained recorder has alone, and those that draw.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "app/command_line/commands.h"

namespace warplens::app {

inline constexpr const char* target_help =
    "A kernel's name (see list), or a .cu, .ptx, .cubin or .wltrace file";

void add_launch_flags(CLI::App& app, LaunchFlags& flags);
/// What a run or a picture is compared with.
void add_versus(CLI::App& command, std::vector<std::string>& words);

void add_program(CLI::App& app, Result<int>& outcome, const DrawProgram& draw);

/// list, new, report, program, check, sweep, record, agree, recordings, export and values. The requested
/// command leaves its outcome in `outcome`; both must outlive the parsing.
void add_windowless_commands(CLI::App& app, Result<int>& outcome, const DrawSweep& draw_sweep = {},
                             const DrawProgram& draw_program = {});

/// Parses the words, carries out the command, or `otherwise` where there was none, and reports a failure on
/// standard error. Returns the exit code.
int run_words(CLI::App& app, Result<int>& outcome, const std::function<Result<int>()>& otherwise,
              int argument_count, char** arguments);

}  // namespace warplens::app
