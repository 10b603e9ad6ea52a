#include "analysis/time/activity_events.h"

#include "analysis/time/activity_report.h"
#include "core/json_text.h"

namespace warplens::analysis {
namespace {

using trace::Activity;
using trace::ActivityKind;
using trace::ActivitySpan;

constexpr int graph_row = 1, first_stream_row = 10;

const char* word_of(ActivityKind kind) {
    switch (kind) {
        case ActivityKind::copy_to_device:
            return "copy to device";
        case ActivityKind::copy_to_host:
            return "copy to host";
        case ActivityKind::copy_on_device:
            return "copy on device";
        case ActivityKind::fill:
            return "fill";
        case ActivityKind::kernel:
            return "kernel";
        case ActivityKind::graph:
            break;
    }
    return "graph";
}

class ActivityWriter {
  public:
    explicit ActivityWriter(const TextSink& sink) : sink_(sink) {}

    Status write(const std::vector<Activity>& activities) {
        const std::vector<ActivityFigures> figures = activity_figures(activities);
        Json data{{"clock", "1 microsecond is 1 microsecond"}, {"provenance", "measured"}};
        data["device"] = activities.front().device;
        data["driver"] = activities.front().driver;
        data["date"] = activities.front().date;
        data["summary"] = activity_sentence(activities, figures);
        Status status =
            sink_("{\"displayTimeUnit\":\"ns\",\"otherData\":" + json_text(data) + ",\n\"traceEvents\":[");
        for (std::size_t i = 0; status && i < activities.size(); ++i) {
            put_activity(activities[i], figures[i], static_cast<int>(i) + 1);
            status = sink_(text_);
            text_.clear();
        }
        return status.and_then([&] { return sink_("\n]}\n"); });
    }
    ActivityEventCounts counts;

  private:
    void put(const Json& event) {
        text_ += first_ ? "\n" : ",\n";
        first_ = false;
        text_ += json_text(event);
    }
    void put_name(const char* what, int process, int row, Json arguments) {
        put({{"name", what},
             {"ph", "M"},
             {"ts", 0},
             {"pid", process},
             {"tid", row},
             {"args", std::move(arguments)}});
    }
    void put_slice(const std::string& name, const char* category, double begin, double end, int process,
                   int row, Json arguments) {
        put({{"name", name},
             {"cat", category},
             {"ph", "X"},
             {"ts", begin},
             {"dur", end - begin},
             {"pid", process},
             {"tid", row},
             {"args", std::move(arguments)}});
    }

    void put_activity(const Activity& activity, const ActivityFigures& figures, int process) {
        put_name("process_name", process, 0, {{"name", activity.name}});
        put_name("process_labels", process, 0, {{"labels", activity.title}});
        put_name("process_sort_index", process, 0, {{"sort_index", process}});
        put_name("thread_name", process, graph_row, {{"name", "graphs"}});
        for (std::size_t i = 0; i < activity.streams.size(); ++i)
            put_name("thread_name", process, first_stream_row + static_cast<int>(i),
                     {{"name", activity.streams[i]}});
        for (std::size_t i = 0; i < activity.spans.size(); ++i) {
            const ActivitySpan& span = activity.spans[i];
            const bool graph = span.kind == ActivityKind::graph;
            const int row = graph ? graph_row : first_stream_row + span.stream;
            const double begin = figures.work_begin_us[i];
            Json arguments{{"measured", "events, +-" + microseconds(activity.timer_bound_us)}};
            if (span.bytes > 0) arguments["bytes"] = span.bytes;
            if (begin > span.begin_us) {
                put_slice("waits: " + span.name, "wait", span.begin_us, begin, process, row,
                          {{"inferred", "its stream reached it before it could start"}});
                ++counts.waits;
            }
            put_slice(span.name, word_of(span.kind), begin, span.end_us, process, row, std::move(arguments));
            ++counts.spans;
        }
    }

    const TextSink& sink_;
    std::string text_;
    bool first_ = true;
};

}  // namespace

Result<ActivityEventCounts> write_activity_events(const std::vector<Activity>& activities,
                                                  const TextSink& sink) {
    bool any = false;
    for (const Activity& activity : activities) any = any || !activity.spans.empty();
    if (!any)
        return fail(
            "no streams were measured; `record --engine cuda` measures those of kernels that declare "
            "streams");
    ActivityWriter writer(sink);
    WARPLENS_TRY(writer.write(activities));
    return writer.counts;
}

}  // namespace warplens::analysis
