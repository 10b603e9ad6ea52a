#include "trace/file/activity_description.h"

#include "core/json_text.h"
#include "trace/file/json_members.h"

namespace warplens::trace {

namespace {

std::string_view word_of(ActivityKind kind) {
    switch (kind) {
        case ActivityKind::copy_to_device:
            return "copy_to_device";
        case ActivityKind::copy_to_host:
            return "copy_to_host";
        case ActivityKind::copy_on_device:
            return "copy_on_device";
        case ActivityKind::fill:
            return "fill";
        case ActivityKind::kernel:
            return "kernel";
        case ActivityKind::graph:
            return "graph";
    }
    return "";
}

Json json_of(const Activity& activity) {
    Json spans = Json::array();
    for (const ActivitySpan& span : activity.spans)
        spans.push_back({{"kind", word_of(span.kind)},
                         {"name", span.name},
                         {"stream", span.stream},
                         {"begin_us", span.begin_us},
                         {"end_us", span.end_us},
                         {"bytes", span.bytes},
                         {"graph", span.graph}});
    return {{"name", activity.name},         {"title", activity.title},
            {"device", activity.device},     {"driver", activity.driver},
            {"date", activity.date},         {"streams", activity.streams},
            {"spans", std::move(spans)},     {"timer_bound_us", activity.timer_bound_us},
            {"repeats", activity.repeats},   {"device_us", activity.device_us},
            {"host_us", activity.host_us},   {"launch_calls_us", activity.launch_calls_us},
            {"calls", activity.calls},       {"kernels", activity.kernels},
            {"pageable", activity.pageable}, {"same_results", activity.same_results}};
}

void read(Members& from, Activity& activity) {
    from.get("name", activity.name);
    from.get("title", activity.title);
    from.get("device", activity.device);
    from.get("driver", activity.driver);
    from.get("date", activity.date);
    from.get("streams", activity.streams);
    from.list("spans", activity.spans, [](Members& members, ActivitySpan& span) {
        members.get("kind", span.kind, ActivityKind::graph, word_of);
        members.get("name", span.name);
        members.get("stream", span.stream);
        members.get("begin_us", span.begin_us);
        members.get("end_us", span.end_us);
        members.get("bytes", span.bytes);
        members.get("graph", span.graph);
    });
    from.get("timer_bound_us", activity.timer_bound_us);
    from.get("repeats", activity.repeats);
    from.get("device_us", activity.device_us);
    from.get("host_us", activity.host_us);
    from.get("launch_calls_us", activity.launch_calls_us);
    from.get("calls", activity.calls);
    from.get("kernels", activity.kernels);
    from.get("pageable", activity.pageable);
    from.get("same_results", activity.same_results);
}

}  // namespace

std::string describe_activities(const std::vector<Activity>& activities) {
    Json list = Json::array();
    for (const Activity& activity : activities) list.push_back(json_of(activity));
    return printed({{"activities", std::move(list)}});
}

Result<std::vector<Activity>> parse_activities(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) return fail("its list of activities is not valid JSON");
    std::vector<Activity> activities;
    std::string error;
    Members(*json, "activities", error)
        .list("activities", activities,
              [](Members& members, Activity& activity) { read(members, activity); });
    if (!error.empty()) return fail("{}", error);
    return activities;
}

}  // namespace warplens::trace
