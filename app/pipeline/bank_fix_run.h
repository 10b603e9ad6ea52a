// Bank fixes of a launch that is run for the search, or of a trace, and the kernel parameter that would make
// one of them. analysis/memory/bank_fix.h searches; app/command_line/fix.cpp prints the result, and the banks
// view draws it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analysis/memory/bank_fix.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {

struct BankFixRun {
    analysis::BankFixes fixes;
    trace::Launch launch;
    std::uint64_t blocks_executed = 0;
    using Setting = std::pair<std::string, std::string>;  // PAD, 1
    std::optional<Setting> setting;                       // that makes the best pad
    std::map<std::int32_t, Setting> settings;             // by pad: all that one parameter makes
};

/// Executes the launch, or the blocks of `options`, and tries the fixes on what it did.
Result<BankFixRun> run_bank_fixes(Pipeline& pipeline, LoadedLaunch launch, const ExecuteOptions& options,
                                  const analysis::BankFixOptions& asked);

/// On the blocks that a trace holds. `kernel` may be null: then there is no setting.
Result<BankFixRun> trace_bank_fixes(const trace::Trace& trace, const instrumentation::KernelFile* kernel,
                                    const analysis::BankFixOptions& asked);

}  // namespace warplens::app
