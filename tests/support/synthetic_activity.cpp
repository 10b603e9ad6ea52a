#include "tests/support/synthetic_activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens::trace {
namespace {

Activity example(std::string name, std::string title, int streams) {
    Activity activity;
    activity.name = std::move(name);
    activity.title = std::move(title);
    activity.device = "an example";
    activity.driver = "none";
    activity.date = "2000-01-01";
    for (int i = 0; i < streams; ++i) activity.streams.push_back(fmt::format("stream {}", i));
    activity.timer_bound_us = 0.5;
    activity.repeats = 5;
    return activity;
}

void close(Activity& activity) {
    std::stable_sort(activity.spans.begin(), activity.spans.end(),
                     [](const ActivitySpan& a, const ActivitySpan& b) { return a.begin_us < b.begin_us; });
    for (const ActivitySpan& span : activity.spans)
        activity.device_us = std::max(activity.device_us, span.end_us);
    activity.host_us = activity.device_us + 6;
}

}  // namespace

Activity make_example_pipeline(const ExamplePipeline& shape) {
    Activity activity = example(
        fmt::format("{} stream{}", shape.streams, shape.streams == 1 ? "" : "s"),
        fmt::format("{} chunks distributed over {} streams.", shape.chunks, shape.streams), shape.streams);
    struct Stage {
        ActivityKind kind;
        const char* name;
        double us;
        std::uint64_t bytes;
    };
    const std::array<Stage, 3> stages{
        Stage{ActivityKind::copy_to_device, "x in", shape.copy_in_us, 2'000'000},
        Stage{ActivityKind::kernel, "heron", shape.kernel_us, 0},
        Stage{ActivityKind::copy_to_host, "y out", shape.copy_out_us, 2'000'000}};
    const auto chunks = static_cast<unsigned>(shape.chunks);
    std::vector<double> stream_free(static_cast<std::size_t>(shape.streams), 0);
    std::array<double, 3> engine_free{};
    double asked = 0;  // when the host has asked for it
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
        double& free = stream_free[chunk % stream_free.size()];
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const Stage& stage = stages[i];
            if (!shape.graph) asked += shape.call_us;
            ActivitySpan span;
            span.kind = stage.kind;
            span.name = shape.chunks > 1 ? fmt::format("{}, chunk {}", stage.name, chunk) : stage.name;
            span.stream = static_cast<int>(chunk % stream_free.size());
            span.begin_us = std::max(free, asked);
            span.end_us = std::max(span.begin_us, engine_free[i]) + stage.us / chunks;
            span.bytes = stage.bytes / chunks;
            free = engine_free[i] = span.end_us;
            activity.spans.push_back(std::move(span));
        }
    }
    const double first = activity.spans.empty() ? 0 : activity.spans.front().begin_us;
    for (ActivitySpan& span : activity.spans) {
        span.begin_us -= first;
        span.end_us -= first;
    }
    activity.calls = 3 * chunks;
    activity.kernels = chunks;
    close(activity);
    if (shape.graph) {
        activity.name += " as a graph";
        activity.title = "The same, captured once and launched as a graph.";
        activity.calls = 1;
        for (ActivitySpan& span : activity.spans) span.graph = 0;
        activity.spans.insert(activity.spans.begin(),
                              {ActivityKind::graph, "graph", 0, 0, activity.device_us, 0, -1});
    }
    activity.launch_calls_us = shape.call_us * activity.calls;
    return activity;
}

std::vector<Activity> make_example_activities() {
    ExamplePipeline shape;
    shape.chunks = 1;
    std::vector<Activity> activities{make_example_pipeline(shape)};
    activities[0].name = "all at once";
    activities[0].title =
        "One stream, one copy in, one kernel, one copy out: each waits for the previous one.";
    shape.chunks = 8;
    activities.push_back(make_example_pipeline(shape));
    activities.back().title = "In chunks, but in one stream: stream order prevents any overlap.";
    shape.streams = 3;
    activities.push_back(make_example_pipeline(shape));
    shape.graph = true;
    activities.push_back(make_example_pipeline(shape));
    return activities;
}

std::vector<Activity> make_example_replays(int steps, int replays) {
    std::vector<Activity> activities;
    for (const bool graph : {false, true}) {
        Activity activity =
            example(graph ? "as a graph" : "single launches", "The chain again and again.", 1);
        double at = 0;
        for (int replay = 0; replay < replays; ++replay) {
            const auto launch = static_cast<int>(activity.spans.size());
            if (graph) activity.spans.push_back({ActivityKind::graph, "graph", 0, at, at, 0, -1});
            for (int step = 0; step < steps; ++step) {
                const double gap = graph ? 0.1 : 0.9;
                activity.spans.push_back({ActivityKind::kernel, fmt::format("logistic, chunk {}", step), 0,
                                          at + gap, at + gap + 1.6, 0, graph ? launch : -1});
                at += gap + 1.6;
            }
            if (!graph) continue;
            activity.spans[static_cast<std::size_t>(launch)].end_us = at;
            at += 1.4;
        }
        activity.kernels = static_cast<std::uint32_t>(steps * replays);
        activity.calls = graph ? static_cast<std::uint32_t>(replays) : activity.kernels;
        close(activity);
        activity.launch_calls_us = 2.3 * activity.calls;
        activities.push_back(std::move(activity));
    }
    return activities;
}

}  // namespace warplens::trace
