// Lesson facts: numbers of a launch that lessons may use and that are not metrics: its size, the limits of
// the GPU, the latencies that the timing model uses, waves, the element that one thread accesses, measured
// times of streams. docs/lesson_format.md lists them; metrics are in analysis/report/metrics.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/launch_report.h"
#include "core/gpu_spec.h"
#include "trace/trace.h"

namespace warplens::app {

/// A launch that was measured for a lesson.
struct LessonLaunch {
    std::shared_ptr<const analysis::LaunchReport> report;
    std::shared_ptr<const Program> program;
    std::shared_ptr<const trace::Trace> trace;  // null unless requested, or from a recording
    const GpuSpec* gpu = nullptr;
    std::vector<SiteId> sites;  // of the run's line; all where it names none
    bool whole = true;          // the run names no line
    std::optional<std::uint64_t> block, thread;
};

struct LessonFact {
    std::string name;  // "launch.blocks"
    std::string meaning;
    bool needs_trace = false;
    std::function<Result<double>(const LessonLaunch&)> read;
};

const std::vector<LessonFact>& lesson_facts();
const LessonFact* find_fact(std::string_view name);

}  // namespace warplens::app
