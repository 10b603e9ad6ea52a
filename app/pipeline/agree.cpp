#include "app/pipeline/agree.h"

#include <algorithm>

#include "analysis/wording.h"
#include "ptx/parser.h"
#include "trace/query.h"

namespace warplens::app {

Result<LoadedLaunch> launch_of_recording(std::shared_ptr<const instrumentation::KernelFile> kernel,
                                         const trace::Trace& recorded) {
    LoadedLaunch launch;
    auto values = instrumentation::resolve_parameters(*kernel, recorded.launch.parameters);
    if (!values) return tl::unexpected(values.error());
    auto prepared = instrumentation::prepare_launch(*kernel, *values, std::uint64_t{4} << 30);
    if (!prepared) return tl::unexpected(prepared.error());
    auto module = ptx::parse(recorded.program.ptx, kernel->name + ".ptx");
    if (!module) return tl::unexpected(module.error());
    auto code = simt::Kernel::load(*module, recorded.program.entry, recorded.program.ptx);
    if (!code) return tl::unexpected(code.error());
    const auto gpu = find_gpu(recorded.launch.gpu);
    launch.kernel = std::move(kernel);
    launch.code = std::move(*code);
    launch.module = std::make_shared<const ptx::Module>(std::move(*module));
    launch.program = recorded.program;
    launch.prepared = std::move(*prepared);
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
    auto executed = pipeline.execute(launch, options);
    if (!executed) return tl::unexpected(executed.error());
    // Clusters and cooperative grids run whole; what is compared are the blocks that were recorded.
    std::erase_if(executed->trace->warps, [&](const trace::WarpRecord& warp) {
        return !std::binary_search(options.blocks.begin(), options.blocks.end(), warp.block);
    });
    return trace::compare(*executed->trace, recorded, {.addresses = !recorded.accesses.empty()});
}

std::string agreement_words(const trace::Agreement& agreement) {
    using analysis::counted;
    using analysis::grouped;
    const std::string all = counted(agreement.warps, "warp");
    if (agreement.exact())
        return fmt::format("agree: {}, {}{}", all, counted(agreement.records, "record"),
                           agreement.warps_that_waited == 0
                               ? ""
                               : fmt::format("; {} looked another number of times at what they wait for",
                                             counted(agreement.warps_that_waited, "warp")));
    const std::string first = agreement.first ? agreement.first->sentence : "";
    if (agreement.lane_by_lane())
        return fmt::format(
            "agree: every lane did the same; in {} of {} lanes ran together in one and apart in the other, "
            "first: {}",
            grouped(agreement.warps_with_other_masks), all, first);
    return fmt::format("differ in {} of {}, first: {}", grouped(agreement.warps_that_differ), all, first);
}

}  // namespace warplens::app
