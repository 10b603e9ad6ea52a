#include "tests/support/differential.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "app/pipeline/agree.h"
#include "trace/agreement.h"
#include "trace/query.h"

namespace warplens {

namespace {

using Outcome = Comparison::Outcome;

Comparison stopped(Outcome outcome, std::string sentence) { return {outcome, 0, std::move(sentence)}; }

/// The first byte of the buffers that differs; empty when none does.
std::string first_difference(const app::LoadedLaunch& launch, const std::vector<std::vector<std::byte>>& gpu,
                             const simt::GlobalMemory& cpu) {
    for (std::size_t i = 0; i < launch.prepared.buffers.size(); ++i) {
        const instrumentation::PreparedBuffer& buffer = launch.prepared.buffers[i];
        const simt::Allocation* held = cpu.find(buffer.name);
        if (i >= gpu.size() || !held) return buffer.name + " was not read back";
        const std::vector<std::byte>& theirs = gpu[i];
        const auto [a, b] = std::mismatch(theirs.begin(), theirs.end(), held->data.begin());
        if (a == theirs.end()) continue;
        const std::size_t element = static_cast<std::size_t>(a - theirs.begin()) / 4;
        std::uint32_t on_gpu = 0, on_cpu = 0;
        std::memcpy(&on_gpu, theirs.data() + 4 * element, 4);
        std::memcpy(&on_cpu, held->data.data() + 4 * element, 4);
        return fmt::format("{}[{}] is {:#010x} on the GPU, {:#010x} in the CPU engine", buffer.name, element,
                           on_gpu, on_cpu);
    }
    return {};
}

/// The program itself says that a GPU's results may differ (docs/agreement.md, "Recursion to different
/// depths").
bool warned(const analysis::LaunchReport& report) {
    return std::ranges::any_of(
        report.notes, [](const Problem& note) { return note.kind == ProblemKind::diverged_recursion; });
}

app::ExecuteOptions engine_options() {
    app::ExecuteOptions options;
    options.check_golden = false;
    options.threads = 1;
    return options;
}

/// Whether the CPU engine, too, has other results where it executes the machine code, or reports a problem.
bool machine_code_differs(app::Pipeline& pipeline, app::LaunchRequest request,
                          const simt::GlobalMemory& of_ptx) {
    request.level = Level::machine;
    auto launch = pipeline.load(request);
    if (!launch) return false;
    const auto executed = pipeline.execute(std::move(*launch), engine_options());
    if (!executed || !executed->report->problems.empty()) return static_cast<bool>(executed);
    return std::ranges::any_of(of_ptx.allocations(), [&](const simt::Allocation& expected) {
        const simt::Allocation* found = executed->memory.find(expected.name);
        return found && found->data != expected.data;
    });
}

/// Of a launch that did not end well.
Comparison stopped(const std::string& mode, const instrumentation::GpuFailure& failure) {
    const bool ran = app::was_given_up(failure);
    return stopped(ran ? Outcome::gave_up : Outcome::failed, mode + failure.message);
}

/// Of records that differ: whether only that does which a correct run may decide, and by what.
Comparison differing(const std::string& mode, const trace::Agreement& strict, const trace::Trace& cpu,
                     const trace::Trace& gpu, bool addresses) {
    const trace::Agreement others = app::compare_traces(cpu, gpu, addresses);
    if (!others.lane_by_lane() || others.reasons.empty())
        return stopped(Outcome::records_differ, mode + strict.first->sentence);
    return stopped(Outcome::explained,
                   fmt::format("{}{}; {}", mode, others.reasons.front(), strict.first->sentence));
}

Comparison compare_with_gpu(app::GpuLauncher& launcher, const app::LoadedLaunch& launch,
                            const app::Executed& executed, bool proves) {
    app::GpuRecordOptions gpu_options;
    gpu_options.repeats = 1;
    gpu_options.check_golden = false;
    gpu_options.keep_results = true;
    const auto recorded = launcher.record(launch, gpu_options);
    if (!recorded) return stopped("", recorded.error());
    const std::string wrong = first_difference(launch, recorded->results, executed.memory);
    if (!recorded->notes.empty() || recorded->blocks_left_out != 0)
        return stopped(Outcome::left_out,
                       recorded->notes.empty() ? "blocks are missing" : recorded->notes.front());

    const trace::Agreement agreement = trace::compare(*executed.trace, *recorded->trace);
    if (!agreement.lane_by_lane()) return differing("", agreement, *executed.trace, *recorded->trace, true);
    // Full mode records every visit; light mode relies on whole warps and logs the branches of others.
    gpu_options.mode = instrumentation::RecordMode::light;
    const auto light = launcher.record(launch, gpu_options);
    if (!light) return stopped("light: ", light.error());
    if (first_difference(launch, light->results, executed.memory) != wrong)
        return stopped(Outcome::results_differ, "light: other results than in full mode");
    if (!light->notes.empty() || light->blocks_left_out != 0)
        return stopped(Outcome::left_out,
                       "light: " + (light->notes.empty() ? "blocks are missing" : light->notes.front()));
    const trace::Agreement visits = trace::compare(*executed.trace, *light->trace, {false});
    if (!visits.lane_by_lane()) return differing("light: ", visits, *executed.trace, *light->trace, false);
    if (proves) {
        gpu_options.mode = instrumentation::RecordMode::proof;
        const auto proven = launcher.record(launch, gpu_options);
        if (!proven) return stopped("proof: ", proven.error());
        if (proven->measured->addresses != "proven")
            return stopped(Outcome::records_differ,
                           proven->notes.empty() ? "not proven" : "proof: " + proven->notes.front());
    }
    // Rounding may differ where all records agree.
    if (!wrong.empty()) return stopped(Outcome::results_differ, wrong + "; its records agree");
    if (agreement.exact() && visits.exact()) return {Outcome::agrees, agreement.records, {}};
    if (agreement.exact())
        return {Outcome::lanes_apart, agreement.records, "light: " + visits.first->sentence};
    return {Outcome::lanes_apart, agreement.records, agreement.first->sentence};
}

}  // namespace

std::string_view to_string(Outcome outcome) {
    constexpr std::array<std::string_view, outcomes> names{
        "agrees", "lanes apart",  "records differ", "results differ", "explained",
        "warned", "machine code", "left out",       "gave up",        "failed"};
    static_assert(!names.back().empty());
    return names[static_cast<std::size_t>(outcome)];
}

Comparison compare_engines(app::Pipeline& pipeline, app::GpuLauncher& launcher, const std::string& name,
                           const std::string& source, bool proves) {
    auto kernel = instrumentation::read_kernel_file(name + ".cu", source);
    if (!kernel) return stopped(Outcome::failed, kernel.error().message);
    app::LaunchRequest request;
    request.kernel = std::make_shared<instrumentation::KernelFile>(std::move(*kernel));
    request.gpu = "H200";
    const auto launch = pipeline.load(request);
    if (!launch) return stopped(Outcome::failed, launch.error().message);
    app::ExecuteOptions options = engine_options();
    options.keep_trace = true;
    const auto executed = pipeline.execute(*launch, options);
    if (!executed) return stopped(Outcome::failed, executed.error().message);
    if (!executed->report->problems.empty())
        return stopped(Outcome::failed, executed->report->problems.front().message);

    Comparison found = compare_with_gpu(launcher, *launch, *executed, proves);
    if (found.good() || found.outcome == Outcome::failed) return found;
    if (warned(*executed->report)) found.outcome = Outcome::warned;
    else if (machine_code_differs(pipeline, request, executed->memory)) found.outcome = Outcome::machine_code;
    return found;
}

}  // namespace warplens
