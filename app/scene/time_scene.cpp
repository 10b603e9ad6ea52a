#include "app/scene/time_scene.h"

#include "app/scene/copy_pipeline.h"
#include "app/scene/density_pyramid.h"
#include "app/scene/memory_levels.h"
#include "core/sm_timing.h"
#include "simt/timing/timing_model.h"

namespace warplens::app {
namespace {

using Cancelled = std::function<bool()>;
using Code = std::shared_ptr<const simt::MachineProgram>;

Result<Code> code_of(const Scene& scene) {
    if (scene.timing && scene.timing->code) return scene.timing->code;
    const trace::Trace& trace = *scene.trace;
    WARPLENS_TRY(auto lowered, simt::lower(trace.program, sm_timing(*scene.gpu),
                                           trace.launch.resources.registers_per_thread));
    return std::make_shared<const simt::MachineProgram>(std::move(lowered));
}

Result<std::shared_ptr<const trace::Schedule>> ask(const Scene& scene, const Code& code,
                                                   const TimingOptions& options, bool keep_spans,
                                                   const Cancelled& cancelled) {
    simt::TimingRequest request;
    request.options = options;
    request.keep_spans = keep_spans;
    request.cancelled = cancelled;
    request.code = code;
    request.of_whole_grid =
        scene.report && scene.report->blocks_executed == scene.trace->launch.geometry.blocks();
    WARPLENS_TRY(auto schedule, simt::schedule(*scene.trace, *scene.gpu, request));
    return std::make_shared<const trace::Schedule>(std::move(schedule));
}

/// The schedules of `timing`; a failure leaves its sentence in `absent`.
Status model(const Scene& scene, const Cancelled& cancelled, SceneTiming& timing) {
    if (!scene.trace || !scene.gpu) return fail("There is no trace to time.");
    WARPLENS_TRY(auto code, code_of(scene));
    timing.code = code;
    if (scene.timing) timing.baseline = scene.timing->baseline;
    if (!timing.baseline) {
        WARPLENS_TRY(auto baseline, ask(scene, timing.code, {}, true, cancelled));
        timing.baseline = baseline;
    }
    timing.schedule = timing.baseline;
    if (timing.options == TimingOptions{}) return {};
    auto schedule = ask(scene, timing.code, timing.options, true, cancelled);
    if (!schedule) {
        timing.schedule = nullptr;
        return tl::unexpected(schedule.error());
    }
    timing.schedule = *schedule;
    return {};
}

/// SceneTiming::as_measured, of which `schedule` may be one already. The machine level executes the launch
/// again, so that only its report knows the condition.
Status model_as_measured(const Scene& scene, const Cancelled& cancelled, SceneTiming& timing) {
    const trace::Measured* measured = scene.trace && scene.trace->measured ? scene.trace->measured.get()
                                      : scene.report                       ? scene.report->measured.get()
                                                                           : nullptr;
    if (!measured || !timing.schedule) return {};
    const TimingOptions options = trace::under_measured_condition(*measured, timing.options);
    timing.as_measured = timing.schedule;
    if (options == timing.options) return {};
    timing.as_measured = nullptr;
    WARPLENS_TRY(timing.as_measured, ask(scene, timing.code, options, true, cancelled));
    return {};
}

/// No what-if knob changes them, so that they are modelled once.
void model_streams(const Scene& scene, const Cancelled& cancelled, SceneTiming& timing) {
    if (!scene.model_streams) return;
    if (scene.timing && scene.timing->streams) {
        timing.streams = scene.timing->streams;
        return;
    }
    if (auto modelled = scene.model_streams(cancelled))
        timing.streams = std::make_shared<const std::vector<trace::Activity>>(std::move(*modelled));
    else timing.streams_absent = modelled.error().message;
}

}  // namespace

std::shared_ptr<const SceneTiming> time_scene(const Scene& scene, const TimingOptions& options,
                                              const Cancelled& cancelled) {
    auto timing = std::make_shared<SceneTiming>();
    timing->options = options;
    if (const Status modelled = model(scene, cancelled, *timing); !modelled)
        timing->absent = modelled.error().message;
    else if (const Status compared = model_as_measured(scene, cancelled, *timing); !compared)
        timing->absent = compared.error().message;
    if (timing->schedule) {
        timing->sums = std::make_shared<const analysis::ScheduleSums>(timing->schedule);
        timing->density = std::make_shared<const DensityPyramid>(*timing->sums);
        if (scene.gpu)
            timing->sm = std::make_shared<const analysis::SmStates>(timing->sums, sm_timing(*scene.gpu));
        if (scene.gpu) timing->levels = memory_levels(scene, *timing->schedule);
        timing->pipeline = copy_pipeline(*scene.trace, *timing->schedule);
        timing->cost = analysis::exposed_cost(*scene.trace, *timing->schedule);
        timing->limiting = analysis::limiting_sentence(*timing->schedule, *scene.gpu);
    }
    model_streams(scene, cancelled, *timing);
    if (scene.report && scene.trace && scene.gpu)
        timing->roofline =
            analysis::roofline(*scene.report, scene.trace->program, *scene.gpu, timing->schedule.get());
    if (scene.trace && scene.trace->measured && scene.gpu)
        timing->compared = analysis::measured_against_modelled(*scene.trace, scene.report.get(),
                                                               timing->as_measured.get(), *scene.gpu);
    return timing;
}

Result<double> launch_cycles(const Scene& scene, const TimingOptions& options, const Cancelled& cancelled) {
    WARPLENS_TRY(auto code, code_of(scene));
    WARPLENS_TRY(auto schedule, ask(scene, code, options, false, cancelled));
    return schedule->launch.cycles;
}

std::shared_ptr<const WhatIf> answer_questions(const Scene& scene, const Cancelled& cancelled) {
    WhatIf what_if = standard_questions(*scene.report, *scene.gpu, scene.timing->baseline->launch.cycles);
    while (answer_next(
        what_if, [&](const TimingOptions& options) { return launch_cycles(scene, options, cancelled); })) {
    }
    return std::make_shared<const WhatIf>(std::move(what_if));
}

Model timing_model() { return {time_scene, launch_cycles}; }

}  // namespace warplens::app
