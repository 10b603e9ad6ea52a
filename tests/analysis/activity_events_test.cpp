#include "analysis/time/activity_events.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/support/synthetic_activity.h"

namespace warplens::analysis {
namespace {

using nlohmann::json;

json exported_activities(const std::vector<trace::Activity>& activities,
                         ActivityEventCounts* counts = nullptr) {
    std::string text;
    const auto written = write_activity_events(activities, [&](std::string_view part) -> Status {
        text += part;
        return {};
    });
    EXPECT_TRUE(written) << written.error().message;
    if (counts && written) *counts = *written;
    return read_json(text);
}

TEST(activity_events, every_span_is_a_slice_on_its_streams_row) {
    const auto activities = trace::make_example_activities();
    ActivityEventCounts counts;
    const json document = exported_activities(activities, &counts);
    std::map<int, std::size_t> slices;
    std::map<std::pair<int, int>, double> ends;
    for (const json& event : document["traceEvents"]) {
        if (event["ph"] != "X") continue;
        const std::pair row{event["pid"].get<int>(), event["tid"].get<int>()};
        const double begin = event["ts"], end = begin + event["dur"].get<double>();
        EXPECT_GE(begin, ends[row] - 1e-9) << "slices of one row overlap";
        ends[row] = end;
        if (event["cat"] != "wait") ++slices[row.first];
    }
    std::uint64_t spans = 0;
    for (std::size_t i = 0; i < activities.size(); ++i) {
        EXPECT_EQ(slices[static_cast<int>(i) + 1], activities[i].spans.size());
        spans += activities[i].spans.size();
    }
    EXPECT_EQ(counts.spans, spans);
    EXPECT_GT(counts.waits, 0u);
    EXPECT_EQ(document["otherData"]["provenance"], "measured");
}

TEST(activity_events, each_way_of_doing_the_work_is_a_process_that_bears_its_name) {
    const json document = exported_activities(trace::make_example_replays(3, 2));
    std::vector<std::string> processes, rows;
    for (const json& event : document["traceEvents"]) {
        if (event["name"] == "process_name") processes.push_back(event["args"]["name"]);
        if (event["name"] == "thread_name") rows.push_back(event["args"]["name"]);
    }
    EXPECT_EQ(processes, (std::vector<std::string>{"single launches", "as a graph"}));
    EXPECT_EQ(rows, (std::vector<std::string>{"graphs", "stream 0", "graphs", "stream 0"}));
}

TEST(activity_events, says_that_there_is_nothing_and_passes_on_what_the_file_fails_with) {
    const auto into = [](const std::vector<trace::Activity>& activities, Status status) {
        return write_activity_events(activities, [&](std::string_view) { return status; });
    };
    EXPECT_FALSE(into({}, {}));
    EXPECT_FALSE(into({trace::Activity{}}, {}));
    const auto full = into(trace::make_example_activities(), fail("the disk is full"));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().message, "the disk is full");
}

}  // namespace
}  // namespace warplens::analysis
