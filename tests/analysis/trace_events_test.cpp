// A Schedule as trace events: one small enough to be written by hand, and a larger one checked against the
// viewers' requirements.
#include "analysis/time/trace_events.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/time/schedule_flows.h"
#include "tests/support/read_json.h"
#include "tests/support/synthetic_schedule.h"

namespace warplens::analysis {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

struct Exported {
    Json document;
    TraceEventCounts counts;
    std::vector<Json> of(const std::string& phase) const {
        std::vector<Json> events;
        for (const Json& event : document["traceEvents"])
            if (event["ph"] == phase) events.push_back(event);
        return events;
    }
};

Exported exported(const trace::Trace& trace, const trace::Schedule& schedule,
                  const TraceEventOptions& options = {}) {
    std::string text;
    const auto counts = write_trace_events(trace, schedule, options, [&](std::string_view piece) -> Status {
        text += piece;
        return {};
    });
    EXPECT_TRUE(counts) << counts.error().message;
    return {read_json(text), counts.value_or(TraceEventCounts{})};
}

/// Two warps of one block on one scheduler: load, barrier, store.
struct Small {
    trace::Trace trace;
    trace::Schedule schedule;

    Small() {
        trace.launch.kernel = "small";
        trace.launch.geometry.grid = {4, 2, 1};
        trace.launch.geometry.block = {64, 1, 1};
        const auto site = [&](const char* opcode, SiteKind kind, Operation operation, std::uint32_t line) {
            Site made;
            made.opcode = opcode;
            made.text = std::string(opcode) + " …;";
            made.kind = kind;
            made.operation = operation;
            made.line = line;
            trace.program.sites.push_back(made);
        };
        site("ld.global.f32", SiteKind::memory, Operation::load, 7);
        site("bar.sync", SiteKind::barrier, Operation::none, 8);
        site("st.global.f32", SiteKind::memory, Operation::store, 0);
        trace.warps = {{5, 0, 0, 0, 0, 0, 0, 0}, {5, 1, 0, 0, 0, 0, 0, 0}};
        schedule.gpu = "H200";
        schedule.schedulers = 1;
        schedule.blocks = {{5, 10, 40, 0, 2}};
        const auto span = [](std::uint32_t begin, SiteId at, WarpState state, std::uint32_t cause) {
            return trace::StateSpan{begin, trace::StateSpan::pack(at, state), at, cause};
        };
        schedule.spans = {
            span(10, 0, WarpState::selected, no_index),
            span(11, 1, WarpState::long_scoreboard, 0),
            span(20, 1, WarpState::selected, no_index),
            span(21, 2, WarpState::barrier, 1),
            span(30, 2, WarpState::selected, no_index),
            span(31, 2, WarpState::drain, 2),
            span(10, 0, WarpState::not_selected, no_index),
            span(11, 0, WarpState::selected, no_index),
            span(12, 1, WarpState::long_scoreboard, 0),
            span(22, 1, WarpState::selected, no_index),
            span(23, 2, WarpState::barrier, 1),
            span(30, 2, WarpState::not_selected, no_index),
            span(31, 2, WarpState::selected, no_index),
            span(32, 2, WarpState::drain, 2),
        };
        const auto flight = [](std::uint32_t step, std::uint32_t issued, std::uint32_t returned) {
            return trace::Flight{step, trace::Flight::pack(step, trace::ServedBy::l2), issued, returned};
        };
        schedule.flights = {flight(0, 10, 20), flight(2, 30, 38), flight(0, 11, 22), flight(2, 31, 39)};
        schedule.warps = {{0, 0, 0, 0, 10, 40, 0, 6, 0, 2}, {1, 0, 0, 1, 10, 40, 6, 14, 2, 4}};
        schedule.barriers = {{30, 0, 1}};
        schedule.totals.cycles = 40;
    }
};

TEST(schedule_flows, go_from_loads_to_their_data_and_from_the_last_arrival_to_the_others) {
    const Small small;
    EXPECT_THAT(flows_of(small.schedule, small.trace.program),
                ElementsAre(Flow{FlowKind::data, 0, 0, 0, 10, 20}, Flow{FlowKind::data, 0, 1, 1, 11, 22},
                            Flow{FlowKind::release, 1, 1, 0, 22, 30}));
}

TEST(trace_events, a_small_schedule_is_reported_in_full) {
    const Small small;
    const Exported out = exported(small.trace, small.schedule);
    EXPECT_EQ(out.counts, (TraceEventCounts{14, 2, 1, 3, out.counts.counter_values}));

    const auto& other = out.document["otherData"];
    EXPECT_EQ(other["provenance"], "modelled");
    EXPECT_EQ(other["kernel"], "small");
    EXPECT_EQ(other["gpu"], "H200");
    EXPECT_EQ(other["clock"], "1 microsecond is 1 SM cycle");

    const auto slices = out.of("X");
    ASSERT_EQ(slices.size(), 17u);
    EXPECT_EQ(slices[0], read_json(R"~({"name": "block (1, 1, 0)", "cat": "block", "ph": "X", "ts": 10,
        "dur": 30, "pid": 1, "tid": 100, "args": {
        "block" : 5, "warps" : 2, "arrival" : 10, "departure" : 40}
})~"));
    EXPECT_EQ(slices[1], read_json(R"~({"name": "block (1, 1, 0) warp 0", "cat": "warp", "ph": "X", "ts": 10,
        "dur": 30, "pid": 1, "tid": 1000, "args": {"block": 5, "warp": 0, "arrival": 10, "departure": 40}})~"));
    EXPECT_EQ(slices[3],
              read_json(R"~({"name": "ld.global.f32", "cat": "issue", "ph": "X", "ts": 10, "dur": 1,
        "pid": 1, "tid": 1000, "args": {"block": 5, "warp": 0, "state": "selected", "site": "ld.global.f32 …;",
        "line": 7, "why": "the scheduler issues an instruction of this warp in this cycle"}})~"));
    EXPECT_EQ(slices[5], read_json(R"~({"name": "Global memory result", "cat": "wait", "ph": "X", "ts": 11,
        "dur": 9, "pid": 1, "tid": 1000, "args": {"block": 5, "warp": 0, "state": "long_scoreboard",
        "site": "bar.sync …;", "line": 8, "why": "waits for data from L1, L2 or DRAM",
        "waits_for": "ld.global.f32 …;", "waits_for_line": 7, "issued_at": 10}})~"));

    const auto begins = out.of("s"), ends = out.of("f");
    ASSERT_EQ(begins.size(), 3u);
    EXPECT_EQ(begins[2], read_json(R"~({"name": "barrier", "cat": "barrier", "ph": "s", "id": 3, "ts": 22,
        "pid": 1, "tid": 1001})~"));
    EXPECT_EQ(ends[2], read_json(R"~({"name": "barrier", "cat": "barrier", "ph": "f", "bp": "e", "id": 3,
        "ts": 30, "pid": 1, "tid": 1000})~"));

    std::map<std::string, std::vector<std::pair<int, int>>> counters;
    for (const Json& event : out.of("C"))
        counters[event["name"]].emplace_back(event["ts"], event["args"].front());
    using Values = std::vector<std::pair<int, int>>;
    EXPECT_EQ(counters["resident"], (Values{{10, 2}, {40, 0}}));
    EXPECT_EQ(
        counters["eligible"],
        (Values{{10, 2}, {11, 1}, {12, 0}, {20, 1}, {21, 0}, {22, 1}, {23, 0}, {30, 2}, {31, 1}, {32, 0}}));
    EXPECT_EQ(counters["issued"],
              (Values{{10, 1}, {12, 0}, {20, 1}, {21, 0}, {22, 1}, {23, 0}, {30, 1}, {32, 0}}));
}

TEST(trace_events, the_process_has_a_short_name_and_a_label_that_says_the_clock) {
    Small small;
    small.trace.launch.kernel = "saxpy";
    small.schedule.gpu = "H200";
    std::map<std::string, Json> process;
    for (const Json& event : exported(small.trace, small.schedule).of("M"))
        if (event["name"].get<std::string>().starts_with("process_")) process[event["name"]] = event["args"];
    EXPECT_EQ(process.at("process_name")["name"],
              fmt::format("saxpy, {}", to_string(small.schedule.provenance)));
    EXPECT_EQ(process.at("process_labels")["labels"], "one SM of H200, 1 us = 1 cycle");
}

TEST(trace_events, a_range_of_cycles_cuts_spans_and_drops_flows_that_leave_it) {
    const Small small;
    const Exported out = exported(small.trace, small.schedule, {15, 25});
    EXPECT_EQ(out.of("s").size(), 0u);
    for (const Json& event : out.of("X")) {
        EXPECT_GE(event["ts"].get<int>(), 15);
        EXPECT_LE(event["ts"].get<int>() + event["dur"].get<int>(), 25);
    }
    EXPECT_EQ(out.counts.states, 6u);
    EXPECT_EQ(out.of("C").front()["ts"], 15);
    EXPECT_EQ(exported(small.trace, small.schedule, {10, 23}).counts.flows, 2u) << "both loads' data";
}

TEST(trace_events, a_load_that_was_moved_up_is_still_what_its_user_waits_for) {
    Small small;
    // The second instruction of warp 0 is issued first: steps are not in order.
    small.schedule.spans[0].step = 1;
    small.schedule.spans[1].cause = 1;
    small.schedule.spans[2].step = 0;
    const Exported out = exported(small.trace, small.schedule);
    for (const Json& event : out.of("X"))
        if (event["tid"] == 1000 && event["name"] == "Global memory result") {
            EXPECT_EQ(event["args"]["issued_at"], 10);
        }
}

TEST(trace_events, an_empty_schedule_is_an_error_in_a_sentence) {
    const Small small;
    const auto sink = [](std::string_view) -> Status { return {}; };
    const auto beyond = write_trace_events(small.trace, small.schedule, {1000, 2000}, sink);
    ASSERT_FALSE(beyond);
    EXPECT_THAT(beyond.error().message, HasSubstr("cycle 1,000 to 2,000; the schedule has 40 cycles"));
    trace::Schedule totals = small.schedule;
    totals.spans.clear();
    EXPECT_FALSE(write_trace_events(small.trace, totals, {}, sink));
}

TEST(trace_events, a_sink_that_fails_ends_the_writing) {
    const Small small;
    const auto out = write_trace_events(small.trace, small.schedule, {},
                                        [](std::string_view) -> Status { return fail("the disk is full"); });
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().message, "the disk is full");
}

TEST(trace_events, names_that_are_no_text_do_not_break_the_document) {
    Small small;
    small.trace.program.sites[0].text = "ld \xff\xfe \"quoted\"\n";
    EXPECT_EQ(exported(small.trace, small.schedule).counts.states, 14u);
}

/// The viewers' requirements for every file.
void expect_valid(const Exported& out) {
    std::map<int, std::vector<std::int64_t>> open;  // of each thread: where the enclosing slices end
    std::map<int, std::int64_t> reached;
    std::set<std::int64_t> begun, ended;
    std::map<std::int64_t, std::int64_t> begun_at;
    std::int64_t last = 0;
    for (const Json& event : out.document["traceEvents"]) {
        const std::string phase = event.at("ph");
        ASSERT_TRUE(event.at("name").is_string());
        ASSERT_TRUE(event.at("pid").is_number_integer());
        const std::int64_t ts = event.at("ts");
        ASSERT_GE(ts, last) << event;
        last = ts;
        if (phase == "M") {
            ASSERT_TRUE(event.at("args").is_object());
            continue;
        }
        if (phase == "C") {
            ASSERT_TRUE(event.at("args").size() == 1 && event.at("args").front().is_number());
            continue;
        }
        const int thread = event.at("tid");
        if (phase == "X") {
            const std::int64_t dur = event.at("dur");
            ASSERT_GT(dur, 0) << event;
            auto& around = open[thread];
            while (!around.empty() && around.back() <= ts) around.pop_back();
            if (!around.empty()) {
                ASSERT_LE(ts + dur, around.back()) << event;
            }
            around.push_back(ts + dur);
            ASSERT_LE(around.size(), 2u) << event;
        } else {
            const std::int64_t id = event.at("id");
            auto& around = open[thread];
            ASSERT_TRUE(std::ranges::any_of(around, [&](std::int64_t end) { return end > ts; }))
                << "no slice to bind to: " << event;
            if (phase == "s") {
                ASSERT_TRUE(begun.insert(id).second) << event;
                begun_at[id] = ts;
            } else {
                ASSERT_EQ(phase, "f");
                ASSERT_EQ(event.at("bp"), "e");
                ASSERT_TRUE(ended.insert(id).second) << event;
                ASSERT_LT(begun_at.at(id), ts) << event;
            }
        }
    }
    EXPECT_EQ(begun, ended);
    EXPECT_EQ(begun.size(), out.counts.flows);
}

TEST(trace_events, a_schedule_of_many_blocks_keeps_the_format) {
    const trace::Trace trace = trace::make_example({12, 104, 2});
    const trace::Schedule schedule = trace::make_example_schedule(trace, {4, 4, 20});
    const Exported out = exported(trace, schedule);
    expect_valid(out);
    EXPECT_EQ(out.counts.states, schedule.spans.size());
    EXPECT_EQ(out.counts.warps, schedule.warps.size());
    EXPECT_EQ(out.counts.blocks, schedule.blocks.size());
    EXPECT_EQ(out.counts.flows, flows_of(schedule, trace.program).size());
    EXPECT_GT(out.counts.flows, schedule.barriers.size());
    std::int64_t state_cycles = 0;
    for (const Json& event : out.of("X"))
        if (event["args"].contains("state")) state_cycles += event["dur"].get<std::int64_t>();
    EXPECT_EQ(state_cycles, static_cast<std::int64_t>(schedule.totals.warp_cycles));
    // Every track with slices has a name.
    std::set<int> named, used;
    for (const Json& event : out.of("M"))
        if (event["name"] == "thread_name") named.insert(event["tid"].get<int>());
    for (const Json& event : out.of("X")) used.insert(event["tid"].get<int>());
    EXPECT_EQ(named, used);

    const auto cycles = static_cast<std::uint32_t>(schedule.totals.cycles);
    const Exported middle = exported(trace, schedule, {cycles / 3, cycles / 2});
    expect_valid(middle);
    EXPECT_LT(middle.counts.states, out.counts.states);
    EXPECT_GT(middle.counts.states, 0u);
}

}  // namespace
}  // namespace warplens::analysis
