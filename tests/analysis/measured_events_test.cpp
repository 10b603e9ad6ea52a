// Measured times as trace events next to the modelled ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "analysis/time/trace_events.h"
#include "tests/support/read_json.h"
#include "tests/support/synthetic_measured.h"
#include "tests/support/synthetic_schedule.h"

namespace warplens::analysis {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

struct ExportedMeasurement {
    Json document;
    TraceEventCounts counts;
    std::vector<Json> of(const std::string& category) const {
        std::vector<Json> events;
        for (const Json& event : document["traceEvents"])
            if (event.value("cat", "") == category) events.push_back(event);
        return events;
    }
};

template <class Write>
ExportedMeasurement exported_measurement(Write write) {
    std::string text;
    const Result<TraceEventCounts> counts = write([&](std::string_view piece) -> Status {
        text += piece;
        return {};
    });
    EXPECT_TRUE(counts) << counts.error().message;
    return {read_json(text), counts.value_or(TraceEventCounts{})};
}

ExportedMeasurement alone(const trace::Trace& trace, const TraceEventOptions& options = {}) {
    return exported_measurement(
        [&](const TextSink& sink) { return write_trace_events(trace, options, sink); });
}

/// One warp of the example on SM 4, whose cycle 0 lies 20 ns into the launch, at 1.5 GHz: 30 cycles.
trace::Trace one_warp() {
    trace::Trace trace = trace::make_example({1, 32, 1});
    trace::Measured measured;
    measured.device = "a GPU";
    measured.clock_hz = 1.5e9;
    measured.sms = {{4, 20}};
    measured.warps = {{0, 0, 4, 9, 100, 500, 0, 5}};
    measured.visits = {{0, 0xffffffff, 110, trace::no_time},
                       {1, 0xffffffff, trace::no_time, trace::no_time},
                       {2, 0xffffffff, 300, 240},
                       {3, 0x55555555, 350, trace::no_time},
                       {4, 0xffffffff, 400, trace::no_time}};
    trace.measured = std::make_shared<const trace::Measured>(measured);
    return trace;
}

TEST(measured_events, a_warp_its_visits_and_its_waits_are_reported_in_full) {
    const ExportedMeasurement out = alone(one_warp());
    EXPECT_EQ(out.counts.measured_warps, 1u);
    EXPECT_EQ(out.counts.measured_visits, 4u);
    EXPECT_EQ(out.counts.measured_waits, 1u);
    EXPECT_EQ(out.of("measured warp").at(0),
              read_json(R"~({"name": "block (0, 0, 0) warp 0", "cat": "measured warp", "ph": "X", "ts": 130,
        "dur": 400, "pid": 6, "tid": 91, "args": {"provenance": "measured", "block": 0, "warp": 0,
        "begin_ns": 86.667, "end_ns": 353.333, "cycles": 400}})~"));
    const auto visits = out.of("measured visit");
    EXPECT_EQ(visits.at(0),
              read_json(R"~({"name": "line 2: ld.param.u64", "cat": "measured visit", "ph": "X", "ts": 140,
        "dur": 130, "pid": 6, "tid": 91, "args": {"provenance": "measured", "block": 0, "warp": 0,
        "begin_ns": 93.333, "end_ns": 180, "cycles": 130, "basic_block": 0, "lanes": "0xffffffff",
        "site": "ld.param.u64 %rd1, [example_in];", "line": 2, "and_without_times": [1]}})~"));
    EXPECT_EQ(visits.at(2)["args"]["lanes"], "0x55555555");
    EXPECT_EQ(visits.at(3)["dur"], 100) << "until the warp's end";
    EXPECT_EQ(out.of("measured wait").at(0),
              read_json(R"~({"name": "waits at the barrier", "cat": "measured wait", "ph": "X", "ts": 270,
        "dur": 60, "pid": 6, "tid": 91, "args": {"provenance": "measured", "block": 0, "warp": 0,
        "begin_ns": 180, "end_ns": 220, "cycles": 60, "lanes": "0xffffffff"}})~"));
    std::map<std::string, Json> names;
    for (const Json& event : out.document["traceEvents"])
        if (event["ph"] == "M") names[event["name"]] = event["args"];
    EXPECT_EQ(names["process_name"]["name"], "example, measured, SM 4");
    EXPECT_EQ(names["thread_name"]["name"], "slot 09");
    EXPECT_EQ(out.document["otherData"]["measured"]["device"], "a GPU");
    EXPECT_EQ(out.document["otherData"]["measured"]["provenance"], "measured");
}

/// Slices of a row are nested or disjoint.
void expect_nested(const ExportedMeasurement& out) {
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> rows;
    for (const Json& event : out.document["traceEvents"])
        if (event["ph"] == "X" && event["cat"].get<std::string>().starts_with("measured"))
            rows[{event["pid"], event["tid"]}].emplace_back(
                event["ts"], event["ts"].get<double>() + event["dur"].get<double>());
    for (auto& [row, slices] : rows) {
        std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
            return std::tuple(a.first, -a.second) < std::tuple(b.first, -b.second);
        });
        std::vector<double> open;
        for (const auto& [begin, end] : slices) {
            ASSERT_LT(begin, end);
            while (!open.empty() && open.back() <= begin + 1e-6) open.pop_back();
            if (!open.empty()) {
                ASSERT_LE(end, open.back() + 1e-6);
            }
            open.push_back(end);
        }
    }
}

TEST(measured_events, stand_beside_the_modelled_schedule_on_rows_of_their_own) {
    const trace::Trace trace = trace::make_measured_example({12, 104, 2});
    const trace::Schedule schedule = trace::make_example_schedule(trace, {4, 4, 20});
    const auto both = [&](const trace::Trace& of) {
        return exported_measurement(
            [&](const TextSink& sink) { return write_trace_events(of, schedule, {}, sink); });
    };
    const ExportedMeasurement out = both(trace);
    expect_nested(out);
    EXPECT_EQ(out.counts.states, schedule.spans.size());
    EXPECT_EQ(out.counts.measured_warps, trace.measured->warps.size());
    EXPECT_EQ(out.counts.measured_waits, 12u * 4 * 2 * 2);
    EXPECT_EQ(out.counts.measured_visits, trace.measured->visits.size() - 12u * 4 * 2);
    EXPECT_EQ(out.document["otherData"]["provenance"], "modelled");
    std::set<std::pair<int, int>> named, used;
    for (const Json& event : out.document["traceEvents"]) {
        if (event["name"] == "thread_name") named.emplace(event["pid"], event["tid"]);
        if (event["ph"] == "X") used.emplace(event["pid"], event["tid"]);
    }
    EXPECT_EQ(named, used);
    trace::Trace bare = trace;
    bare.measured = nullptr;
    EXPECT_EQ(both(bare).of("issue"), out.of("issue"));
    EXPECT_TRUE(both(bare).of("measured warp").empty());
}

TEST(measured_events, warps_that_seem_to_share_a_slot_are_drawn_apart) {
    trace::Trace trace = trace::make_measured_example({2, 64, 1}, {.sms = 1});
    trace::Measured measured = *trace.measured;
    for (trace::MeasuredWarp& warp : measured.warps) warp.slot = 3;
    trace.measured = std::make_shared<const trace::Measured>(measured);
    const ExportedMeasurement out = alone(trace);
    expect_nested(out);
    std::set<int> rows;
    for (const Json& event : out.of("measured warp")) rows.insert(event["tid"].get<int>());
    EXPECT_THAT(rows, testing::ElementsAre(31, 32, 33, 34));
}

TEST(measured_events, a_range_of_cycles_cuts_them_too) {
    const ExportedMeasurement out = alone(one_warp(), {280, 345});
    ASSERT_EQ(out.of("measured wait").size(), 1u);
    EXPECT_EQ(out.of("measured wait")[0]["ts"], 280);
    EXPECT_EQ(out.of("measured wait")[0]["dur"], 50);
    EXPECT_EQ(out.of("measured warp")[0]["dur"], 65);
    EXPECT_EQ(out.counts.measured_visits, 1u);
    const auto sink = [](std::string_view) -> Status { return {}; };
    const auto beyond = write_trace_events(one_warp(), {5000, 6000}, sink);
    ASSERT_FALSE(beyond);
    EXPECT_THAT(beyond.error().message, HasSubstr("Nothing was measured of example from cycle 5000 to 6000"));
    EXPECT_FALSE(write_trace_events(trace::make_example(trace::ExampleShape::tiny()), {}, sink));
}

TEST(measured_events, lanes_that_are_apart_and_wait_at_once_still_draw_one_row) {
    trace::Trace trace = one_warp();
    trace::Measured measured = *trace.measured;
    measured.visits[2].active = 0x0000ffff;
    measured.visits[3] = {2, 0xffff0000, 360, 130};  // arrived while the others ran
    trace.measured = std::make_shared<const trace::Measured>(measured);
    const ExportedMeasurement out = alone(trace);
    expect_nested(out);
    ASSERT_EQ(out.of("measured wait").size(), 2u);
    EXPECT_EQ(out.of("measured wait")[1]["args"]["cycles"], 230) << "as the clocks say, whatever is drawn";
}

TEST(measured_events, without_a_clock_the_gpu_s_own_stands_in_and_the_file_says_so) {
    trace::Trace trace = one_warp();
    trace::Measured measured = *trace.measured;
    measured.clock_hz = 0;
    trace.measured = std::make_shared<const trace::Measured>(measured);
    const ExportedMeasurement out = alone(trace);
    EXPECT_TRUE(out.document["otherData"]["measured"]["clock_hz"].is_null());
    EXPECT_EQ(out.of("measured warp")[0]["dur"], 400);
}

}  // namespace
}  // namespace warplens::analysis
