// A file of limits: the checks of all kernels of a project, in TOML, one entry per kernel and its settings.
// docs/check_and_sweep.md is the reference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/compare/regressions.h"
#include "app/command_line/options.h"
#include "app/pipeline/limits.h"
#include "core/result.h"

namespace warplens::app {

/// One run and its limits.
struct CheckJob {
    LaunchFlags launch;
    std::vector<Limit> limits;
    std::string versus;                           // a report in JSON; empty: none
    std::vector<analysis::WorseLimit> max_worse;  // with it
    std::vector<std::uint32_t> lines;             // only these lines of the kernel's file; empty: all
    bool allow_problems = false;
    std::string check_races;  // auto, on, off; empty: auto
    std::string from;         // "limits.toml:7"; empty: from the command line
};

/// Files that it names are relative to its own folder. Errors name file and line.
Result<std::vector<CheckJob>> read_limits_file(const std::string& path);
Result<std::vector<CheckJob>> parse_limits(const std::string& text, const std::string& path);

}  // namespace warplens::app
