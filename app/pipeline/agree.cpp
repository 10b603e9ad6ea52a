#include "app/pipeline/agree.h"

#include <algorithm>

#include "analysis/wording.h"
#include "ptx/parser.h"
#include "ptx/program.h"
#include "ptx/run_dependence.h"
#include "trace/query.h"

namespace warplens::app {

Result<LoadedLaunch> launch_of_recording(std::shared_ptr<const instrumentation::KernelFile> kernel,
                                         const trace::Trace& recorded) {
    LoadedLaunch launch;
    WARPLENS_TRY(auto values, instrumentation::resolve_parameters(*kernel, recorded.launch.parameters));
    WARPLENS_TRY(auto prepared, instrumentation::prepare_launch(*kernel, values, std::uint64_t{4} << 30));
    WARPLENS_TRY(auto module, ptx::parse(recorded.program.ptx, kernel->name + ".ptx"));
    WARPLENS_TRY(auto code, simt::Kernel::load(module, recorded.program.entry, recorded.program.ptx));
    const auto gpu = find_gpu(recorded.launch.gpu);
    launch.kernel = std::move(kernel);
    launch.code = std::move(code);
    launch.module = std::make_shared<const ptx::Module>(std::move(module));
    launch.program = recorded.program;
    launch.prepared = std::move(prepared);
    launch.launch = recorded.launch;
    launch.launch.buffers.clear();
    launch.launch.engine = "simt";
    launch.launch.provenance = Provenance::simulated;
    launch.gpu = gpu ? *gpu : &default_gpu();
    return launch;
}

Result<trace::Agreement> agree_with_engine(Pipeline& pipeline, const LoadedLaunch& launch,
                                           const trace::Trace& recorded) {
    ExecuteOptions options;
    options.blocks = trace::recorded_blocks(recorded);
    options.keep_trace = true;
    options.check_golden = false;
    if (options.blocks.empty()) return fail("{}: nothing was recorded", launch.launch.kernel);
    WARPLENS_TRY(auto executed, pipeline.execute(launch, options));
    // Clusters and cooperative grids run whole; only the recorded blocks are compared.
    std::erase_if(executed.trace->warps, [&](const trace::WarpRecord& warp) {
        return !std::binary_search(options.blocks.begin(), options.blocks.end(), warp.block);
    });
    return compare_traces(*executed.trace, recorded, !recorded.accesses.empty());
}

trace::Agreement compare_traces(const trace::Trace& cpu, const trace::Trace& gpu, bool addresses) {
    trace::AgreementOptions options{.addresses = addresses};
    // If the PTX of a recording cannot be numbered again, everything is compared.
    RunDependence dependence;
    if (const auto module = ptx::parse(cpu.program.ptx, cpu.program.entry + ".ptx"))
        if (const auto numbered = ptx::number_sites(*module, cpu.program.entry, "");
            numbered && numbered->program.sites.size() == cpu.program.sites.size() &&
            numbered->program.basic_blocks.size() == cpu.program.basic_blocks.size()) {
            dependence = ptx::find_run_dependence(*module, *numbered);
            options.run_dependence = &dependence;
        }
    return trace::compare(cpu, gpu, options);
}

namespace {

/// "; reads %clock64 (k.cu:12): what depends on it is not compared (3 warps)", or nothing.
std::string reason_words(const trace::Agreement& agreement) {
    constexpr std::size_t most = 3;
    if (agreement.reasons.empty()) return "";
    std::string all;
    for (std::size_t i = 0; i < std::min(most, agreement.reasons.size()); ++i)
        all += (i == 0 ? "; " : ", ") + agreement.reasons[i];
    const std::size_t rest = agreement.reasons.size() - std::min(most, agreement.reasons.size());
    if (rest != 0) all += fmt::format(" and {} more", rest);
    return all + fmt::format(": what depends on {} is not compared ({})",
                             agreement.reasons.size() == 1 ? "it" : "them",
                             analysis::counted(agreement.warps_that_depend_on_the_run, "warp"));
}

}  // namespace

std::string agreement_words(const trace::Agreement& agreement) {
    using analysis::counted;
    using analysis::grouped;
    const std::string all = counted(agreement.warps, "warp");
    const std::string first = agreement.first ? agreement.first->sentence : "";
    if (agreement.exact())
        return fmt::format("agree: {}, {}{}{}", all, counted(agreement.records, "record"),
                           agreement.warps_that_waited == 0
                               ? ""
                               : fmt::format("; {} looked another number of times at what they wait for",
                                             counted(agreement.warps_that_waited, "warp")),
                           reason_words(agreement));
    if (agreement.lane_by_lane())
        return fmt::format(
            "agree: every lane did the same; in {} of {} lanes ran together in one and apart in the other, "
            "first: {}{}",
            grouped(agreement.warps_with_other_masks), all, first, reason_words(agreement));
    return fmt::format("differ in {} of {}, first: {}{}", grouped(agreement.warps_that_differ), all, first,
                       reason_words(agreement));
}

}  // namespace warplens::app
