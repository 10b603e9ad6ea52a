#include "app/pipeline/time_report.h"

#include <algorithm>

#include "simt/timing/timing_model.h"

namespace warplens::app {

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

Result<trace::Schedule> model_time(const Timed& timed, const GpuSpec& gpu,
                                   const std::function<bool()>& cancelled, const TimingOptions& options) {
    simt::TimingRequest request;
    request.options = options;
    request.sms = timed.sms;
    request.of_whole_grid = timed.of_whole_grid;
    request.launch_steps = timed.launch_steps;
    request.code = timed.code;
    request.keep_spans = false;
    request.cancelled = cancelled;
    return simt::schedule(*timed.trace, gpu, request);
}

void set_time(analysis::LaunchReport& report, const Program& counted, const GpuSpec& gpu,
              const Result<trace::Schedule>& schedule, Level level) {
    if (schedule) {
        report.schedule = analysis::summarise_launch(*schedule, gpu);
        report.schedule->level = level;
    } else {
        report.schedule_absent = schedule.error().message;
    }
    report.roofline = analysis::roofline(report, counted, gpu, schedule ? &*schedule : nullptr);
}

void add_time_as_measured(analysis::LaunchReport& report, const Timed& timed, const GpuSpec& gpu,
                          const std::function<bool()>& cancelled) {
    if (!report.measured || !report.schedule) return;
    const TimingOptions options = trace::under_measured_condition(*report.measured);
    report.schedule->cycles_as_measured = report.schedule->launch.cycles;
    if (options == TimingOptions{}) return;
    const auto schedule = model_time(timed, gpu, cancelled, options);
    report.schedule->cycles_as_measured = schedule ? schedule->launch.cycles : 0;
}

void time_report(analysis::LaunchReport& report, const Timed& timed, const GpuSpec& gpu,
                 const std::function<bool()>& cancelled, bool completed) {
    Result<trace::Schedule> schedule =
        fail("{}: the run did not come to its end, so it has no time", timed.trace->launch.kernel);
    if (completed) schedule = model_time(timed, gpu, cancelled);
    set_time(report, timed.trace->program, gpu, schedule, timed.code ? Level::machine : Level::ptx);
    add_time_as_measured(report, timed, gpu, cancelled);
}

}  // namespace warplens::app
