// Plans of streams: from a header to plain data, checked against the buffers, and over the wire; then
// executed on a simulated driver.
#include "instrumentation/device/stream_plan.h"

#include <gmock/gmock.h>

#include "core/json_text.h"
#include "instrumentation/device/stream_activity.h"
#include "tests/instrumentation/header_text.h"
#include "tests/instrumentation/simulated_streams.h"

namespace warplens::instrumentation {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

using Kind = StreamOperationKind;

constexpr int elements_of_all = 100;
constexpr std::uint64_t all_bytes = elements_of_all * sizeof(int);
const std::vector<std::uint64_t> two_buffers{all_bytes, all_bytes};

/// Copy in, add one, copy out for each of `chunks` chunks over `streams` streams. Buffer 0 is x, 1 is y.
StreamPlan::Variant pipeline(int streams, int chunks) {
    StreamPlan::Variant variant;
    variant.name = fmt::format("{} streams", streams);
    variant.streams = streams;
    const int size = (elements_of_all + chunks - 1) / chunks;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const int first = chunk * size, end = std::min(first + size, elements_of_all);
        for (const Kind kind : {Kind::copy_in, Kind::launch, Kind::copy_out}) {
            StreamPlan::Operation& operation = variant.operations.emplace_back();
            operation.kind = kind;
            operation.name = fmt::format("{}, chunk {}", kind == Kind::launch ? "k" : "copy", chunk);
            operation.stream = chunk % streams;
            operation.buffer = kind == Kind::copy_out ? 1 : 0;
            if (kind != Kind::launch) {
                operation.offset = static_cast<std::uint64_t>(first) * sizeof(int);
                operation.bytes = static_cast<std::uint64_t>(end - first) * sizeof(int);
                continue;
            }
            operation.arguments.resize(24);
            std::memcpy(operation.arguments.data() + 16, &first, 4);
            std::memcpy(operation.arguments.data() + 20, &end, 4);
            operation.pointers = {{0, 1}, {8, 0}};
        }
    }
    return variant;
}

/// The message as it comes out at the other end.
bool reads(const Json& message, StreamPlan& plan) {
    return from_message(*parse_cbor(to_cbor(message), 8), plan);
}

/// The chain of graph_replay: kernels alone.
StreamPlan::Variant chain(int steps, int repeats, bool graph) {
    StreamPlan::Variant variant = pipeline(1, 1);
    variant.name = graph ? "as a graph" : "single launches";
    variant.graph = graph;
    variant.repeats = repeats;
    const StreamPlan::Operation launch = variant.operations[1];
    variant.operations.assign(static_cast<std::size_t>(steps), launch);
    return variant;
}

class SimulatedGpu : public testing::Test {
  protected:
    void SetUp() override {
        SimulatedStreams::reset();
        for (int i = 0; i < elements_of_all; ++i) given_.push_back(7 * i);
    }

    StreamDevice device() {
        StreamDevice device{
            simulated_driver(), simulated_stream_driver(), nullptr, {}, two_buffers, {}, {}, {}};
        for (std::vector<int>* buffer : {&x_, &y_})
            device.buffers.push_back(reinterpret_cast<cuda::DeviceAddress>(buffer->data()));
        device.ok = [this](cuda::Code code, std::string_view) {
            failed_ = failed_ || code != cuda::success;
            return code == cuda::success;
        };
        device.restore = [this] { return x_ = given_, y_.assign(elements_of_all, 0), true; };
        device.next_part = [this] { return parts_left_-- > 0; };
        return device;
    }
    bool run(const std::vector<StreamPlan::Variant>& variants) {
        activities_.clear();
        return run_stream_plan(device(), StreamPlan{variants}, {}, activities_);
    }

    std::vector<int> given_, x_ = std::vector<int>(elements_of_all), y_ = x_;
    std::vector<trace::Activity> activities_;
    bool failed_ = false;
    int parts_left_ = 1'000'000;
};

}  // namespace

TEST(stream_plan, holds_the_arguments_of_each_launch_as_the_kernel_wants_them) {
    const std::string source = sample_with("*/\n",
                                           "[streams]\nchunks = 2\nfirst = \"chunk * 50\"\ncount = 50\n"
                                           "operations = [{ copy_in = \"in\" }, { launch = true, arguments = "
                                           "[\"out\", \"in\", \"first + count\", \"a\"] }]\n"
                                           "variants = [{ name = \"two\", streams = 2 }]\n*/\n");
    const KernelFile kernel = sample_kernel(source);
    const PreparedLaunch launch = prepared_launch(kernel);
    const auto prepared = prepare_streams(kernel, launch);
    ASSERT_TRUE(prepared) << prepared.error().message;
    const std::vector<Parameter> parameters{
        {"out", "u64", 8, 0}, {"in", "u64", 8, 8}, {"n", "u32", 4, 16}, {"a", "f32", 4, 20}};
    const auto plan = make_stream_plan(*prepared, launch, parameters);
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->variants.size(), 1u);
    ASSERT_EQ(plan->variants[0].operations.size(), 4u);
    const StreamPlan::Operation& second = plan->variants[0].operations[3];
    ASSERT_EQ(second.arguments.size(), 24u);
    std::uint32_t n = 0;
    float a = 0;
    std::memcpy(&n, second.arguments.data() + 16, 4);
    std::memcpy(&a, second.arguments.data() + 20, 4);
    EXPECT_EQ(n, 100u);
    EXPECT_EQ(a, 2.0f);
    ASSERT_EQ(second.pointers.size(), 2u);
    EXPECT_EQ(second.pointers[0].offset, 0u);
    EXPECT_EQ(second.pointers[0].buffer, 1u);
    EXPECT_EQ(second.stream, 1);
    EXPECT_EQ(check(*plan, {400, 400}), "");
    EXPECT_THAT(message_of(make_stream_plan(*prepared, launch, {parameters[0]})), HasSubstr("4 arguments"));
}

TEST(stream_plan, what_does_not_fit_the_buffers_is_refused) {
    const auto with = [](auto&& change) {
        StreamPlan plan{{pipeline(2, 4)}};
        change(plan.variants[0]);
        return check(plan, two_buffers);
    };
    EXPECT_EQ(with([](StreamPlan::Variant&) {}), "");
    EXPECT_EQ(with([](auto& v) { v.operations[0].stream = 2; }),
              "streams, `2 streams`: copy, chunk 0: it runs in a stream that there is not");
    EXPECT_THAT(with([](auto& v) { v.operations[0].buffer = 2; }), HasSubstr("a buffer that there is not"));
    EXPECT_THAT(with([](auto& v) { v.operations[0].offset = 400; }), HasSubstr("not in the buffer"));
    EXPECT_THAT(with([](auto& v) { v.operations[0].bytes = ~std::uint64_t{0}; }),
                HasSubstr("not in the buffer"));
    EXPECT_THAT(with([](auto& v) { v.operations[0].bytes = 0; }), HasSubstr("not in the buffer"));
    EXPECT_THAT(with([](auto& v) { v.operations[1].pointers[0].buffer = 9; }),
                HasSubstr("that there is not"));
    EXPECT_THAT(with([](auto& v) { v.operations[1].pointers[0].offset = 17; }),
                HasSubstr("that there is not"));
    EXPECT_THAT(with([](auto& v) { v.operations[1].geometry.block.x = 2048; }),
                HasSubstr("cannot be launched"));
    EXPECT_THAT(with([](auto& v) { v.operations[1].geometry.grid.y = 0; }), HasSubstr("cannot be launched"));
    EXPECT_THAT(with([](auto& v) { v.streams = 1000; }), HasSubstr("the number of streams must be 1 to"));
    EXPECT_THAT(with([](auto& v) { v.repeats = 0; }), HasSubstr("0 times"));
    EXPECT_THAT(with([](auto& v) { v.repeats = 1'000'000; }), HasSubstr("more than 4096 operations"));
    EXPECT_THAT(with([](auto& v) { v.graph = v.pageable = true; }), HasSubstr("pinned"));
}

TEST(stream_plan, goes_over_the_wire_and_nonsense_does_not_come_out) {
    StreamPlan plan{{pipeline(2, 3), chain(2, 3, true)}};
    plan.variants[0].title = "a title";
    plan.variants[0].pageable = true;
    StreamPlan back;
    ASSERT_TRUE(reads(to_message(plan), back));
    EXPECT_EQ(to_message(back), to_message(plan));
    ASSERT_EQ(back.variants.size(), 2u);
    EXPECT_EQ(back.variants[0].operations[1].arguments, plan.variants[0].operations[1].arguments);
    EXPECT_TRUE(back.variants[1].graph);
    const auto reads_with = [&](auto&& change) {
        Json message = to_message(plan);
        change(message);
        StreamPlan read;
        return reads(message, read);
    };
    EXPECT_FALSE(reads_with([](Json& m) { m = Json::object(); }));
    EXPECT_FALSE(reads_with([](Json& m) { m[0] = 7; }));
    EXPECT_FALSE(reads_with([](Json& m) { m[0]["streams"] = nullptr; }));
    EXPECT_FALSE(reads_with([](Json& m) { m[0]["operations"][0]["kind"] = 3; }));
    EXPECT_FALSE(reads_with([](Json& m) { m[0]["operations"][0]["offset"] = -1; }));
    EXPECT_FALSE(reads_with([](Json& m) { m[0]["operations"][1]["launch"].push_back(1); }));
    EXPECT_FALSE(reads_with([](Json& m) { m[0]["operations"][1]["arguments"] = "text"; }));
    EXPECT_FALSE(reads_with([](Json& m) { m[0]["operations"][1]["pointers"].push_back(1); }));
}

TEST_F(SimulatedGpu, one_stream_does_one_thing_after_the_other) {
    ASSERT_TRUE(run({pipeline(1, 4)}));
    ASSERT_EQ(activities_.size(), 1u);
    const trace::Activity& activity = activities_[0];
    EXPECT_EQ(trace::check(activity), "");
    ASSERT_EQ(activity.spans.size(), 12u);
    for (std::size_t i = 0; i < 12; ++i) {
        const trace::ActivitySpan& span = activity.spans[i];
        EXPECT_EQ(span.kind, i % 3 == 0   ? trace::ActivityKind::copy_to_device
                             : i % 3 == 1 ? trace::ActivityKind::kernel
                                          : trace::ActivityKind::copy_to_host);
        EXPECT_NEAR(span.end_us - span.begin_us, i % 3 == 1 ? 30 : 20, 2.5) << i;
    }
    EXPECT_EQ(activity.spans[0].bytes, 100u);
    EXPECT_NEAR(activity.device_us, 4 * 70, 6);
    EXPECT_EQ(activity.calls, 12u);
    EXPECT_EQ(activity.kernels, 4u);
    EXPECT_GT(activity.host_us, 0);
    EXPECT_LE(activity.launch_calls_us, activity.host_us);
    EXPECT_GE(activity.timer_bound_us, 0.5);
    EXPECT_EQ(y_[99], 7 * 99 + 1);
}

TEST_F(SimulatedGpu, several_streams_overlap_and_give_the_same_results) {
    ASSERT_TRUE(run({pipeline(1, 4), pipeline(3, 4)}));
    const trace::Activity& three = activities_[1];
    EXPECT_EQ(trace::check(three), "");
    EXPECT_TRUE(three.same_results);
    EXPECT_THAT(three.streams, ElementsAre("stream 0", "stream 1", "stream 2"));
    // Four kernels, and the first copy in and the last one out.
    EXPECT_NEAR(three.device_us, 20 + 4 * 30 + 20, 10);
    EXPECT_LT(three.device_us, 0.7 * activities_[0].device_us);
}

TEST_F(SimulatedGpu, a_graph_has_a_span_of_its_own_and_those_inside) {
    StreamPlan::Variant graph = pipeline(3, 4);
    graph.graph = true;
    ASSERT_TRUE(run({pipeline(1, 4), graph}));
    const trace::Activity& activity = activities_[1];
    EXPECT_EQ(trace::check(activity), "");
    EXPECT_TRUE(activity.same_results);
    ASSERT_EQ(activity.spans.size(), 13u);
    EXPECT_EQ(activity.calls, 1u);
    EXPECT_EQ(activity.kernels, 4u);
    std::size_t launch = 0;
    while (activity.spans[launch].kind != trace::ActivityKind::graph) ++launch;
    for (std::size_t i = 0; i < activity.spans.size(); ++i)
        EXPECT_EQ(activity.spans[i].graph, i == launch ? -1 : static_cast<int>(launch));
    EXPECT_NEAR(activity.device_us, 160, 10);
    EXPECT_GT(SimulatedStreams::get().external_records, 0u);
}

TEST_F(SimulatedGpu, a_graph_that_is_replayed_costs_the_host_one_call_each_time) {
    ASSERT_TRUE(run({chain(5, 4, false), chain(5, 4, true)}));
    EXPECT_EQ(activities_[0].calls, 20u);
    EXPECT_EQ(activities_[1].calls, 4u);
    EXPECT_EQ(activities_[0].kernels, 20u);
    EXPECT_EQ(activities_[1].kernels, 20u);
    EXPECT_EQ(activities_[1].spans.size(), 24u);
    EXPECT_EQ(trace::check(activities_[1]), "");
    std::vector<int> inside(activities_[1].spans.size());
    for (const trace::ActivitySpan& span : activities_[1].spans)
        if (span.graph >= 0) ++inside[static_cast<std::size_t>(span.graph)];
    for (std::size_t i = 0; i < inside.size(); ++i)
        EXPECT_EQ(inside[i], activities_[1].spans[i].kind == trace::ActivityKind::graph ? 5 : 0);
}

TEST_F(SimulatedGpu, short_kernels_are_timed_in_many_runs_and_none_comes_out_empty) {
    SimulatedStreams::get().kernel_us = 1;
    ASSERT_TRUE(run({chain(5, 4, false), chain(5, 4, true)}));
    for (const trace::Activity& activity : activities_) {
        EXPECT_EQ(trace::check(activity), "");
        double last = 0;
        for (const trace::ActivitySpan& span : activity.spans) {
            EXPECT_GT(span.end_us, span.begin_us) << span.name;
            last = std::max(last, span.end_us);
        }
        EXPECT_NEAR(last, activity.device_us, 0.3 * activity.device_us) << activity.name;
    }
    // Not all in one run: each run has fewer timers than there are operations.
    EXPECT_EQ(activities_[1].spans.size(), 24u);
    EXPECT_GE(SimulatedStreams::get().graph_launches, 24u * 4);
}

TEST_F(SimulatedGpu, other_results_than_the_first_way_gave_are_reported) {
    StreamPlan::Variant graph = pipeline(2, 4), pageable = pipeline(2, 4);
    graph.graph = true;
    pageable.pageable = true;
    SimulatedStreams::get().sloppy_graphs = true;
    ASSERT_TRUE(run({pipeline(1, 1), pageable, graph}));
    EXPECT_TRUE(activities_[1].same_results);
    EXPECT_TRUE(activities_[1].pageable);
    EXPECT_FALSE(activities_[2].same_results);
}

TEST_F(SimulatedGpu, what_was_given_up_is_given_back) {
    parts_left_ = 3;
    EXPECT_FALSE(run({pipeline(2, 4)}));
    EXPECT_FALSE(failed_);
    EXPECT_EQ(SimulatedStreams::get().held(), 0u);
}

TEST_F(SimulatedGpu, a_failure_at_any_call_ends_the_plan_and_leaves_nothing_behind) {
    StreamPlan::Variant graph = pipeline(2, 2);
    graph.graph = true;
    ASSERT_TRUE(run({pipeline(2, 2), graph}));
    EXPECT_EQ(SimulatedStreams::get().held(), 0u);
    const int calls = SimulatedStreams::get().calls;
    ASSERT_GT(calls, 200);
    int failures = 0;
    for (int at = 0; at < calls; ++at) {
        SimulatedStreams::reset();
        SimulatedStreams::get().fail_at = at;
        failed_ = false;
        const bool done = run({pipeline(2, 2), graph});
        // Only waiting for streams that are being released may fail silently.
        EXPECT_EQ(done, !failed_) << at;
        failures += done ? 0 : 1;
        EXPECT_EQ(SimulatedStreams::get().held(), 0u) << at;
        EXPECT_FALSE(SimulatedStreams::get().capturing) << at;
    }
    EXPECT_GT(failures, calls * 9 / 10);
}

TEST(stream_activity, times_that_are_in_order_stay_as_they_are) {
    EXPECT_EQ(in_order({3, 6, 12}, {2, 2, 2}), (std::vector<double>{3, 6, 12}));
    EXPECT_TRUE(in_order({}, {}).empty());
}

TEST(stream_activity, times_out_of_order_meet_in_their_middle_a_length_apart) {
    EXPECT_EQ(in_order({10, 6, 20}, {2, 2, 2}), (std::vector<double>{7, 9, 20}));
    EXPECT_EQ(in_order({0, 0}, {2, 3}), (std::vector<double>{2, 5})) << "none before the beginning";
}

TEST(stream_activity, a_run_that_a_slow_host_stretched_is_brought_to_the_length_of_the_others) {
    const StreamPlan::Variant two = chain(2, 1, false);
    std::vector<TimedEntry> entries(2);
    entries[0] = {0, 0, {1, 1, 1}, {5, 5, 5}, {10, 10, 10}};
    entries[1] = {0, 1, {12, 12, 12}, {18, 18, 18}, {20, 20, 20}};
    const trace::Activity activity = activity_of(two, entries, false, {10, 12, 8}, 3);
    EXPECT_EQ(trace::check(activity), "");
    ASSERT_EQ(activity.spans.size(), 2u);
    EXPECT_EQ(activity.spans[0].end_us, 4);
    EXPECT_EQ(activity.spans[1].end_us, 8);
    EXPECT_GT(activity.spans[1].end_us, activity.spans[1].begin_us);
    EXPECT_EQ(activity.timer_bound_us, 0.5);
}

TEST(stream_activity, what_ran_in_a_graph_lies_in_its_launch) {
    const StreamPlan::Variant two = chain(2, 2, true);
    std::vector<TimedEntry> entries(6);
    // With timers inside, either launch took twice as long.
    entries[0] = {0, -1, {0}, {10}, {20}};
    entries[1] = {0, 0, {-1}, {9}, {20}};
    entries[2] = {0, 1, {9}, {19}, {20}};
    entries[3] = {1, -1, {10}, {20}, {20}};
    entries[4] = {1, 0, {19}, {29}, {20}};
    entries[5] = {1, 1, {29}, {39}, {20}};
    const trace::Activity activity = activity_of(two, entries, false, {20, 22, 2}, 3);
    EXPECT_EQ(trace::check(activity), "");
    for (const trace::ActivitySpan& span : activity.spans) {
        if (span.graph < 0) continue;
        const trace::ActivitySpan& launch = activity.spans[static_cast<std::size_t>(span.graph)];
        EXPECT_GE(span.begin_us, launch.begin_us);
        EXPECT_LE(span.end_us, launch.end_us);
        EXPECT_NEAR(span.end_us - span.begin_us, 5, 0.5);
    }
}

TEST(stream_activity, spans_of_one_run_are_those_of_the_median_one) {
    const StreamPlan::Variant two = chain(2, 1, false);
    std::vector<TimedEntry> entries(2);
    entries[0] = {0, 0, {0, 0, 0}, {9, 4, 5}, {30, 8, 10}};
    entries[1] = {0, 1, {9, 4, 5}, {29, 7, 9}, {30, 8, 10}};
    const trace::Activity activity = activity_of(two, entries, true, {10, 12, 8}, 3);
    ASSERT_EQ(activity.spans.size(), 2u);
    EXPECT_EQ(activity.spans[0].end_us, 5);
    EXPECT_EQ(activity.spans[1].begin_us, 5);
    EXPECT_EQ(activity.spans[1].end_us, 9);
}

}  // namespace warplens::instrumentation
