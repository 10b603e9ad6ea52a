// The streams of the catalogue on a real GPU: measures each kernel that declares them, prints the results and
// checks them. A program for a machine with a GPU, not part of ctest; it needs kernels/ and assets/ next to
// it. Its optional argument is a folder for the measurements as .wltrace files. Exit code: the number of
// failed checks.
#include <fmt/core.h>

#include <string_view>

#include "analysis/time/activity_report.h"
#include "app/command_line/target.h"
#include "app/pipeline/gpu/record_activities.h"
#include "instrumentation/hidden_command.h"
#include "trace/file/activity_file.h"

namespace {

using namespace warplens;
using analysis::microseconds;

int failures = 0;

void expect(bool holds, std::string_view what) {
    if (!holds) ++failures;
    fmt::print("  {} {}\n", holds ? "ok    " : "FAILED", what);
}

void print(const trace::Activity& activity, const analysis::ActivityFigures& figures) {
    fmt::print(
        "  {}: device {}, host {}, {} in {} calls, {} spans ± {}; kernels {} of it, copies {}, both {}\n",
        activity.name, microseconds(activity.device_us), microseconds(activity.host_us),
        microseconds(activity.launch_calls_us), activity.calls, activity.spans.size(),
        microseconds(activity.timer_bound_us), microseconds(figures.kernel_us), microseconds(figures.copy_us),
        microseconds(figures.overlap_us));
    for (std::size_t i = 0; i < activity.spans.size() && i < 12; ++i) {
        const trace::ActivitySpan& span = activity.spans[i];
        fmt::print("    {:<22} stream {} {:9.1f} {:9.1f} {:9.1f}\n", span.name, span.stream, span.begin_us,
                   figures.work_begin_us[i], span.end_us);
    }
}

void measure(const instrumentation::KernelFile& kernel, const std::string& folder) {
    fmt::print("{}\n", kernel.name);
    app::LaunchRequest request;
    request.kernel = std::make_shared<const instrumentation::KernelFile>(kernel);
    const auto launch = app::make_pipeline()->load(request);
    if (!launch) return expect(false, launch.error().message);
    static const app::Gpu gpu = app::gpu_of_this_machine();
    const auto activities = app::record_activities(*launch, gpu);
    if (!activities) return expect(false, activities.error().message);
    const auto figures = analysis::activity_figures(*activities);
    fmt::print("  {}\n", analysis::activity_sentence(*activities, figures));
    for (std::size_t i = 0; i < activities->size(); ++i) {
        const trace::Activity& activity = (*activities)[i];
        print(activity, figures[i]);
        expect(trace::check(activity).empty(), "is consistent " + trace::check(activity));
        expect(activity.same_results, "gives the first way's results");
        bool none_empty = true;
        for (const trace::ActivitySpan& span : activity.spans)
            none_empty = none_empty && span.end_us > span.begin_us;
        expect(none_empty, "every span lasts");
        double last = 0;
        for (const trace::ActivitySpan& span : activity.spans) last = std::max(last, span.end_us);
        expect(last < 1.3 * activity.device_us + 10 && last > 0.8 * activity.device_us - 10,
               "spans end about when the whole does without timers inside: " + microseconds(last));
    }
    expect(analysis::fastest(figures) != 0, "some way is faster than the first");
    if (folder.empty()) return;
    const auto written =
        trace::write_activities(*activities, folder + "/" + kernel.name + "_streams.wltrace");
    expect(written.has_value(), "is written");
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argument_count, arguments))
        return *code;
    const auto kernels = app::catalogue();
    if (!kernels) {
        fmt::print("{}\n", kernels.error().message);
        return 1;
    }
    for (const instrumentation::KernelFile& kernel : *kernels)
        if (kernel.streams) measure(kernel, argument_count > 1 ? arguments[1] : "");
    return failures;
}
