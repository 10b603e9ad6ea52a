// The text and the JSON of `warplens diff`.
#pragma once

#include <memory>
#include <string>

#include "analysis/report/launch_report.h"
#include "core/program.h"

namespace warplens::app {

/// One build of a kernel: its machine code and, where it was executed, what each instruction did.
struct Build {
    std::string name;  // "transpose_tiled PAD=1", "build/kernel.cubin"
    std::string entry, target;
    std::uint32_t registers = 0, shared_bytes = 0, stack_bytes = 0;
    Program program;                                       // at the machine level
    std::shared_ptr<const analysis::LaunchReport> report;  // null: not executed
    std::string stopped;                                   // as Reported::stopped
};

std::string diff_text(const Build& before, const Build& after);
std::string diff_json(const Build& before, const Build& after);

}  // namespace warplens::app
