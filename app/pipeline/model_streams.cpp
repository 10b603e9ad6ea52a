#include "app/pipeline/model_streams.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include "app/pipeline/fit_lengths.h"
#include "app/pipeline/grid_times.h"
#include "app/pipeline/time_report.h"
#include "core/sm_timing.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {
namespace {

using instrumentation::PreparedStreamOperation;
using instrumentation::PreparedStreamVariant;
using instrumentation::StreamOperationKind;
using trace::Activity;
using trace::ActivityKind;
using trace::ActivitySpan;

ActivityKind kind_of(StreamOperationKind kind) {
    if (kind == StreamOperationKind::copy_in) return ActivityKind::copy_to_device;
    return kind == StreamOperationKind::copy_out ? ActivityKind::copy_to_host : ActivityKind::kernel;
}

/// An operation that the host has asked for.
struct Asked {
    const PreparedStreamOperation* operation = nullptr;
    double from_us = 0;  // the device knows it
    int graph = -1;      // index of the graph's launch
};

class StreamModel {
  public:
    StreamModel(const PreparedStreamVariant& variant, const StreamCosts& costs, const KernelTime& kernel_us)
        : variant_(variant),
          costs_(costs),
          kernel_us_(kernel_us),
          queues_(static_cast<std::size_t>(variant.streams)),
          free_us_(queues_.size()) {
        made_.name = variant.name;
        made_.title = variant.title;
        made_.pageable = variant.pageable;
        for (int stream = 0; stream < variant.streams; ++stream)
            made_.streams.push_back(fmt::format("stream {}", stream));
    }

    Result<Activity> run() {
        for (int repeat = 0; repeat < variant_.repeats; ++repeat) WARPLENS_TRY(ask_once(repeat));
        WARPLENS_TRY(work_off());
        for (const ActivitySpan& span : made_.spans) made_.device_us = std::max(made_.device_us, span.end_us);
        made_.host_us = std::max(made_.device_us, host_us_);
        sort_by_begin();
        return std::move(made_);
    }

  private:
    /// The host's calls for one time of the work.
    Status ask_once(int repeat) {
        int graph = -1;
        if (variant_.graph) {
            graph = static_cast<int>(graphs_.size());
            graphs_.push_back(fmt::format("graph, launch {}", repeat));
            call(costs_.graph_call_us);
        }
        for (const PreparedStreamOperation& operation : variant_.operations) {
            const bool copies = operation.kind != StreamOperationKind::launch;
            if (!variant_.graph) call(copies ? costs_.copy_call_us : costs_.launch_call_us);
            made_.kernels += copies ? 0 : 1;
            const double from = host_us_ + (variant_.graph ? costs_.graph_latency_us : 0);
            queues_[static_cast<std::size_t>(operation.stream)].push_back({&operation, from, graph});
            if (!copies || !variant_.pageable) continue;
            // The call returns when the copy is done.
            const double before = host_us_;
            WARPLENS_TRY(work_off());
            host_us_ = std::max(host_us_, free_us_[static_cast<std::size_t>(operation.stream)]);
            made_.launch_calls_us += host_us_ - before;
        }
        return {};
    }

    void call(double us) {
        host_us_ += us;
        made_.launch_calls_us += us;
        ++made_.calls;
    }

    /// When the stream reaches the first operation of its queue.
    double reached(std::size_t stream) const {
        const Asked& next = queues_[stream].front();
        const bool copies = next.operation->kind != StreamOperationKind::launch;
        const double gap = next.graph < 0 ? costs_.stream_gap_us
                           : copies       ? costs_.graph_copy_gap_us
                                          : costs_.graph_kernel_gap_us;
        return std::max(next.from_us, free_us_[stream] > 0 ? free_us_[stream] + gap : 0);
    }

    /// Operations begin in the order in which their turn comes and what they need is free.
    Status work_off() {
        while (true) {
            std::size_t best = queues_.size();
            double best_us = std::numeric_limits<double>::infinity();
            for (std::size_t stream = 0; stream < queues_.size(); ++stream) {
                if (queues_[stream].empty()) continue;
                const double us = reached(stream);
                if (us < best_us) best = stream, best_us = us;
            }
            if (best == queues_.size()) return {};
            WARPLENS_TRY(finish(best, best_us));
        }
    }

    Status finish(std::size_t stream, double reached_us) {
        const Asked asked = queues_[stream].front();
        queues_[stream].pop_front();
        const PreparedStreamOperation& operation = *asked.operation;
        double& engine = engine_free_us_[static_cast<std::size_t>(operation.kind)];
        WARPLENS_TRY(const double us, duration(operation));
        const double end = std::max(reached_us, engine) + us;
        engine = free_us_[stream] = end;
        made_.spans.push_back({kind_of(operation.kind), operation.name, static_cast<int>(stream), reached_us,
                               end, operation.bytes, asked.graph});
        return {};
    }

    Result<double> duration(const PreparedStreamOperation& operation) const {
        const auto bytes = static_cast<double>(operation.bytes);
        if (operation.kind == StreamOperationKind::launch) return kernel_us_(operation.geometry);
        if (variant_.pageable) return costs_.pageable_latency_us + bytes / costs_.pageable_bytes_per_us;
        return operation.kind == StreamOperationKind::copy_in
                   ? costs_.copy_in_latency_us + bytes / costs_.copy_in_bytes_per_us
                   : costs_.copy_out_latency_us + bytes / costs_.copy_out_bytes_per_us;
    }

    /// Spans by begin, with a span for each graph over those inside, from the first operation's begin on.
    void sort_by_begin() {
        std::vector<ActivitySpan> graphs(graphs_.size());
        for (std::size_t graph = 0; graph < graphs.size(); ++graph) {
            ActivitySpan& whole = graphs[graph];
            whole = {ActivityKind::graph, graphs_[graph], 0, made_.device_us, 0, 0, -1};
            for (const ActivitySpan& span : made_.spans) {
                if (span.graph != static_cast<int>(graph)) continue;
                whole.begin_us = std::min(whole.begin_us, span.begin_us);
                whole.end_us = std::max(whole.end_us, span.end_us);
            }
        }
        std::vector<ActivitySpan> all = std::move(graphs);
        all.insert(all.end(), made_.spans.begin(), made_.spans.end());
        const double origin = std::ranges::min(all, {}, &ActivitySpan::begin_us).begin_us;
        std::vector<std::size_t> order(all.size()), place(all.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return all[i].begin_us; });
        for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
        made_.spans.clear();
        for (const std::size_t i : order) {
            ActivitySpan span = all[i];
            span.begin_us -= origin;
            span.end_us -= origin;
            if (span.graph >= 0) span.graph = static_cast<int>(place[static_cast<std::size_t>(span.graph)]);
            made_.spans.push_back(std::move(span));
        }
        made_.device_us -= origin;
    }

    const PreparedStreamVariant& variant_;
    const StreamCosts& costs_;
    const KernelTime& kernel_us_;
    Activity made_;
    std::vector<std::deque<Asked>> queues_;
    std::vector<double> free_us_;             // of each stream
    std::array<double, 3> engine_free_us_{};  // by StreamOperationKind
    std::vector<std::string> graphs_;
    double host_us_ = 0;
};

/// The launch with a grid of its first blocks, without what starting and ending a launch costs: in a stream
/// that passes between its operations.
Result<double> time_of(Pipeline& pipeline, LoadedLaunch launch, const LaunchGeometry& geometry,
                       const std::function<bool()>& cancelled) {
    const GpuSpec& gpu = *launch.gpu;
    launch.launch.geometry = launch.prepared.geometry = geometry;
    ExecuteOptions options;
    options.blocks = blocks_for_model(geometry, {}, gpu).blocks;
    options.model_time = options.time_machine_code = true;
    options.check_golden = false;
    options.cancelled = cancelled;
    WARPLENS_TRY(const auto executed, pipeline.execute(std::move(launch), options));
    if (!executed.report->schedule) return fail("{}", executed.report->schedule_absent);
    const SmTiming& timing = sm_timing(gpu);
    return std::max(0.0, executed.report->schedule->launch.cycles - timing.launch_overhead) /
           timing.clock_hz * 1e6;
}

}  // namespace

Result<Activity> model_activity(const PreparedStreamVariant& variant, const StreamCosts& costs,
                                const KernelTime& kernel_us) {
    if (variant.operations.empty()) return fail("{} has no operation", variant.name);
    return StreamModel(variant, costs, kernel_us).run();
}

Result<std::vector<Activity>> model_activities(Pipeline& pipeline, const LoadedLaunch& launch,
                                               const std::function<bool()>& cancelled) {
    std::vector<Activity> activities;
    if (!launch.kernel || !launch.kernel->streams) return activities;
    WARPLENS_TRY(const auto variants,
                 instrumentation::prepare_streams(fitted_kernel(launch), launch.prepared));
    const std::string key = GridTimes::key_of(launch);
    GridTimes of_this_call;
    GridTimes& times = key.empty() ? of_this_call : pipeline.grid_times();
    const KernelTime kernel_us = [&](const LaunchGeometry& geometry) {
        return times.time_of(key, geometry, [&] { return time_of(pipeline, launch, geometry, cancelled); });
    };
    for (const PreparedStreamVariant& variant : variants) {
        WARPLENS_TRY(auto activity, model_activity(variant, StreamCosts{}, kernel_us));
        activities.push_back(std::move(activity));
    }
    return activities;
}

}  // namespace warplens::app
