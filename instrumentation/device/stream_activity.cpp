#include "instrumentation/device/stream_activity.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warplens::instrumentation {

namespace {

using OperationKind = StreamOperationKind;

constexpr double event_resolution_us = 0.5;  // cuEventElapsedTime: "a resolution of around 0.5 microseconds"

trace::ActivityKind activity_kind(OperationKind kind) {
    switch (kind) {
        case OperationKind::copy_in:
            return trace::ActivityKind::copy_to_device;
        case OperationKind::copy_out:
            return trace::ActivityKind::copy_to_host;
        case OperationKind::launch:
            break;
    }
    return trace::ActivityKind::kernel;
}

struct Stretch {
    double begin = 0, end = 0;
};

/// The sample whose whole run took the median time.
std::size_t median_run(const std::vector<double>& wholes) {
    std::vector<std::size_t> order(wholes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return wholes[a] < wholes[b]; });
    return order.empty() ? 0 : order[order.size() / 2];
}

std::vector<Stretch> of_one_run(const std::vector<TimedEntry>& entries) {
    std::vector<Stretch> stretches;
    const std::size_t run = entries.empty() ? 0 : median_run(entries.front().whole_us);
    for (const TimedEntry& entry : entries) {
        const bool there = run < entry.begin_us.size() && run < entry.end_us.size();
        stretches.push_back(there ? Stretch{entry.begin_us[run], entry.end_us[run]} : Stretch{});
    }
    return stretches;
}

/// `spread`: half of what the ends of one entry differ by, at the median.
std::vector<Stretch> of_many_runs(const std::vector<TimedEntry>& entries, double whole_us, double& spread) {
    std::vector<Stretch> stretches;
    std::vector<double> spreads;
    for (const TimedEntry& entry : entries) {
        std::vector<double> lengths, ends;
        for (std::size_t i = 0; i < entry.end_us.size(); ++i) {
            // A host that is slow in one run is so from its first call to its last.
            const double scale = entry.whole_us[i] > 0 && whole_us > 0 ? whole_us / entry.whole_us[i] : 1;
            lengths.push_back(entry.end_us[i] - entry.begin_us[i]);
            ends.push_back(scale * entry.end_us[i]);
        }
        const double end = median(ends);
        stretches.push_back({end - std::max(0.0, median(lengths)), end});
        if (ends.empty()) continue;
        const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
        spreads.push_back((*most - *least) / 2);
    }
    spread = median(std::move(spreads));
    return stretches;
}

/// Within a stream nothing overlaps, nor do launches of graphs.
void separate(std::vector<Stretch>& stretches, const std::vector<std::size_t>& row) {
    std::vector<double> ends, lengths;
    for (const std::size_t i : row) {
        ends.push_back(stretches[i].end);
        lengths.push_back((stretches[i].end - stretches[i].begin) / 2);
    }
    ends = in_order(std::move(ends), lengths);
    double before = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        Stretch& stretch = stretches[row[k]];
        const double length = stretch.end - stretch.begin;
        stretch = {std::max(before, ends[k] - length), ends[k]};
        before = stretch.end;
    }
}

/// Timers inside keep a graph from being launched as fast as without them, so what was timed in it may reach
/// beyond the launch's own span: it is drawn together to lie in it.
void fit_into_launches(std::vector<Stretch>& stretches, const std::vector<TimedEntry>& entries) {
    for (std::size_t first = 0; first < entries.size();) {
        std::size_t end = first + 1;
        while (end < entries.size() && entries[end].repeat == entries[first].repeat) ++end;
        const std::size_t launch = first;
        first = end;
        if (entries[launch].operation >= 0 || end - launch < 2) continue;
        double from = stretches[launch + 1].begin, to = stretches[launch + 1].end;
        for (std::size_t i = launch + 1; i < end; ++i) {
            from = std::min(from, stretches[i].begin);
            to = std::max(to, stretches[i].end);
        }
        const Stretch own = stretches[launch];
        if ((from >= own.begin && to <= own.end) || to <= from || own.end <= own.begin) continue;
        const double scale = std::min(1.0, (own.end - own.begin) / (to - from));
        const double zero = std::clamp(from, own.begin, own.end - scale * (to - from));
        for (std::size_t i = launch + 1; i < end; ++i)
            stretches[i] = {zero + scale * (stretches[i].begin - from),
                            zero + scale * (stretches[i].end - from)};
    }
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<double> in_order(std::vector<double> ends, const std::vector<double>& lengths) {
    // Without the lengths the times must only not fall: neighbours that do are given their mean, as long as
    // any do.
    struct Level {
        double sum = 0;
        std::size_t count = 0;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Level> levels;
    double offset = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        offset += lengths[i];
        levels.push_back({ends[i] - offset, 1});
        while (levels.size() > 1 && levels[levels.size() - 2].mean() > levels.back().mean()) {
            levels[levels.size() - 2].sum += levels.back().sum;
            levels[levels.size() - 2].count += levels.back().count;
            levels.pop_back();
        }
    }
    offset = 0;
    std::size_t at = 0;
    for (const Level& level : levels)
        for (std::size_t i = 0; i < level.count; ++i, ++at) {
            offset += lengths[at];
            ends[at] = std::max(0.0, level.mean()) + offset;
        }
    return ends;
}

trace::Activity activity_of(const StreamPlan::Variant& variant, const std::vector<TimedEntry>& entries,
                            bool one_run, const StreamTotals& totals, int repeats) {
    trace::Activity activity;
    activity.name = variant.name;
    activity.title = variant.title;
    activity.pageable = variant.pageable;
    for (int i = 0; i < variant.streams; ++i) activity.streams.push_back(fmt::format("stream {}", i));
    activity.repeats = repeats;
    activity.device_us = totals.device_us;
    activity.host_us = totals.host_us;
    activity.launch_calls_us = totals.calls_us;
    double spread = 0;
    std::vector<Stretch> stretches =
        one_run ? of_one_run(entries) : of_many_runs(entries, totals.device_us, spread);
    activity.timer_bound_us = std::max(event_resolution_us, std::round(100 * spread) / 100);

    std::map<int, std::vector<std::size_t>> rows;  // by stream; -1: launches of graphs
    for (std::size_t i = 0; i < entries.size(); ++i)
        rows[entries[i].operation < 0
                 ? -1
                 : variant.operations[static_cast<std::size_t>(entries[i].operation)].stream]
            .push_back(i);
    for (const auto& [stream, row] : rows)
        if (!one_run) separate(stretches, row);
    if (!one_run) fit_into_launches(stretches, entries);

    std::vector<std::pair<trace::ActivitySpan, int>> spans;  // with the repeat
    for (std::size_t i = 0; i < entries.size(); ++i) {
        trace::ActivitySpan span;
        span.begin_us = std::max(0.0, stretches[i].begin);
        span.end_us = std::max(span.begin_us, stretches[i].end);
        if (entries[i].operation < 0) {
            span.kind = trace::ActivityKind::graph;
            span.name = variant.repeats == 1 ? "graph" : fmt::format("graph, launch {}", entries[i].repeat);
            ++activity.calls;
        } else {
            const StreamPlan::Operation& operation =
                variant.operations[static_cast<std::size_t>(entries[i].operation)];
            span.kind = activity_kind(operation.kind);
            span.name = operation.name;
            span.stream = operation.stream;
            span.bytes = operation.bytes;
            if (operation.kind == OperationKind::launch) ++activity.kernels;
            if (!variant.graph) ++activity.calls;
        }
        spans.emplace_back(std::move(span), entries[i].repeat);
    }
    std::stable_sort(spans.begin(), spans.end(),
                     [](const auto& a, const auto& b) { return a.first.begin_us < b.first.begin_us; });
    std::map<int, int> launches;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (spans[i].first.kind == trace::ActivityKind::graph)
            launches[spans[i].second] = static_cast<int>(i);
    const double zero = spans.empty() ? 0 : spans.front().first.begin_us;
    for (auto& [span, repeat] : spans) {
        if (variant.graph && span.kind != trace::ActivityKind::graph) span.graph = launches[repeat];
        // Nanoseconds are finer than any timer here; further digits would only fill the file.
        span.begin_us = std::round(1e3 * (span.begin_us - zero)) / 1e3;
        span.end_us = std::round(1e3 * (span.end_us - zero)) / 1e3;
        activity.spans.push_back(std::move(span));
    }
    return activity;
}

}  // namespace warplens::instrumentation
