#include "app/pipeline/time_report.h"

#include <algorithm>

#include "simt/timing/timing_model.h"

namespace warplens::app {
namespace {

/// The totals alone: the spans of a long launch would take more memory than everything else.
Result<trace::Schedule> model(const trace::Trace& trace, const GpuSpec& gpu,
                              std::shared_ptr<const simt::MachineProgram> code,
                              std::vector<simt::BlocksOfSm> sms) {
    simt::TimingRequest request;
    request.sms = std::move(sms);
    request.code = std::move(code);
    request.keep_spans = false;
    return simt::schedule(trace, gpu, request);
}

}  // namespace

trace::RecorderOptions blocks_for_model(const LaunchGeometry& geometry,
                                        const std::vector<std::uint64_t>& executed, const GpuSpec& gpu) {
    trace::RecorderOptions options;
    options.memory_limit = most_traced_bytes;
    if (executed.empty()) {
        options.blocks = simt::blocks_of_first_sm(geometry.blocks(), gpu.sm_count, most_modelled_blocks);
        return options;
    }
    // Those of one SM first; the others replace blocks of it that are not executed.
    const auto sms = static_cast<std::uint64_t>(gpu.sm_count);
    const auto take = [&](bool of_the_sm) {
        for (const std::uint64_t block : executed)
            if (options.blocks.size() < most_modelled_blocks &&
                (block % sms == executed.front() % sms) == of_the_sm)
                options.blocks.push_back(block);
    };
    take(true);
    take(false);
    std::ranges::sort(options.blocks);
    return options;
}

void time_report(analysis::LaunchReport& report, const trace::Trace& trace, const GpuSpec& gpu,
                 bool completed, std::shared_ptr<const simt::MachineProgram> code,
                 std::vector<simt::BlocksOfSm> sms) {
    Result<trace::Schedule> schedule =
        fail("{}: a problem ended the run, so it has no time", trace.launch.kernel);
    if (completed) schedule = model(trace, gpu, std::move(code), std::move(sms));
    if (schedule) report.schedule = analysis::summarise_launch(*schedule, gpu);
    else report.schedule_absent = schedule.error().message;
    report.roofline = analysis::roofline(report, trace.program, gpu, schedule ? &*schedule : nullptr);
}

}  // namespace warplens::app
