#include "app/pipeline/bank_fix_run.h"

#include <algorithm>
#include <string>

#include "trace/query.h"
#include "trace/replay.h"

namespace warplens::app {
namespace {

using analysis::BankFix;
using analysis::BankFixes;

/// Whether the array's declaration, with this setting, has the row length of the fix.
bool makes(const trace::Trace& launch, const BankFixes& fixes, const BankFix& fix, const std::string& name,
           const std::string& value) {
    trace::Trace changed;
    changed.program.sources = launch.program.sources;
    changed.launch.parameters = launch.launch.parameters;
    changed.launch.parameters[name] = value;
    const auto shape = analysis::declared_shape(changed, fixes.array.name, fix.bytes);
    auto wanted = fixes.array.declared->extents;
    wanted.back() = static_cast<std::uint32_t>(std::int64_t{wanted.back()} + fix.pad);
    return shape && shape->extents == wanted;
}

/// Of each pad, the one parameter that makes it and its value.
std::map<std::int32_t, BankFixRun::Setting> settings_for(const trace::Trace& launch,
                                                         const instrumentation::KernelFile& kernel,
                                                         const BankFixes& fixes) {
    std::map<std::int32_t, BankFixRun::Setting> settings;
    if (fixes.array.flat || !fixes.array.declared) return settings;
    for (const auto& parameter : kernel.parameters) {
        const auto now = launch.launch.parameters.find(parameter.name);
        if (!std::holds_alternative<std::int64_t>(parameter.fallback) ||
            now == launch.launch.parameters.end())
            continue;
        for (std::int64_t value = 0; value <= 2 * analysis::most_pad; ++value) {
            if (!instrumentation::check_parameter_value(parameter, value)) continue;
            const std::string text = std::to_string(value);
            if (text == now->second) continue;
            const auto made = std::ranges::find_if(fixes.ranked, [&](const BankFix& fix) {
                return fix.pad != 0 && !fix.is_swizzle() && fix.refused.empty() &&
                       !settings.contains(fix.pad) && makes(launch, fixes, fix, parameter.name, text);
            });
            if (made != fixes.ranked.end()) settings[made->pad] = {parameter.name, text};
        }
    }
    return settings;
}

Result<BankFixRun> try_on(const trace::Trace& launch, const analysis::SharedRequests& requests,
                          const instrumentation::KernelFile* kernel, std::uint64_t blocks,
                          const analysis::BankFixOptions& asked) {
    const auto gpu = find_gpu(launch.launch.gpu);
    WARPLENS_TRY(auto fixes, analysis::try_bank_fixes(launch, requests, gpu ? **gpu : default_gpu(), asked));
    BankFixRun run{std::move(fixes), launch.launch, blocks, std::nullopt, {}};
    if (kernel != nullptr) run.settings = settings_for(launch, *kernel, run.fixes);
    if (const BankFix* pad = run.fixes.best_pad())
        if (const auto setting = run.settings.find(pad->pad); setting != run.settings.end())
            run.setting = setting->second;
    return run;
}

}  // namespace

Result<BankFixRun> run_bank_fixes(Pipeline& pipeline, LoadedLaunch launch, const ExecuteOptions& options,
                                  const analysis::BankFixOptions& asked) {
    trace::Trace bare;
    bare.program = launch.program;
    bare.launch = launch.launch;
    const auto kernel = launch.kernel;
    analysis::SharedRequests requests;
    ExecuteOptions listened = options;
    listened.check_golden = false;
    listened.listener = &requests;
    WARPLENS_TRY(const auto executed, pipeline.execute(std::move(launch), listened));
    return try_on(bare, requests, kernel.get(), executed.report->blocks_executed, asked);
}

Result<BankFixRun> trace_bank_fixes(const trace::Trace& trace, const instrumentation::KernelFile* kernel,
                                    const analysis::BankFixOptions& asked) {
    analysis::SharedRequests requests;
    trace::replay(trace, requests);
    return try_on(trace, requests, kernel, trace::recorded_blocks(trace).size(), asked);
}

}  // namespace warplens::app
