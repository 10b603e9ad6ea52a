// Plans of streams by the recorder, through its child, to the driver without a GPU.
#include <gmock/gmock.h>

#include <cstring>

#include "instrumentation/device/stream_plan.h"
#include "tests/instrumentation/recorder_fixture.h"

namespace warplens::instrumentation {

using testing::HasSubstr;

namespace {

using Kind = StreamOperationKind;

/// Copies y in, adds to its elements, copies it out; twice.
StreamPlan two_ways(const GpuLaunch& launch) {
    StreamPlan plan;
    for (const bool pageable : {false, true}) {
        StreamPlan::Variant& variant = plan.variants.emplace_back();
        variant.name = pageable ? "pageable" : "pinned";
        variant.streams = 2;
        variant.pageable = pageable;
        for (const Kind kind : {Kind::copy_in, Kind::launch, Kind::copy_out}) {
            StreamPlan::Operation& operation = variant.operations.emplace_back();
            operation.kind = kind;
            operation.name = kind == Kind::launch ? "add" : "copy";
            operation.stream = 1;
            operation.bytes = launch.buffers[0].data.size();
            operation.geometry = launch.geometry;
            operation.arguments = launch.arguments;
            operation.pointers = launch.pointers;
        }
    }
    return plan;
}

TEST_F(GpuRecorderTest, streams_come_back_as_activities) {
    GpuRecorder recorder({runner()});
    const GpuLaunch asked = launch({"ms 0.5"});
    const auto activities = recorder.run_streams(asked, two_ways(asked), {});
    ASSERT_TRUE(activities.has_value()) << message_of(activities);
    ASSERT_EQ(activities->size(), 2u);
    for (const trace::Activity& activity : *activities) {
        EXPECT_EQ(trace::check(activity), "");
        EXPECT_EQ(activity.device, "Fake GPU");
        EXPECT_THAT(activity.driver, HasSubstr("CUDA 13.0"));
        EXPECT_TRUE(activity.same_results);
        EXPECT_DOUBLE_EQ(activity.device_us, 500);
        ASSERT_EQ(activity.spans.size(), 3u);
        EXPECT_EQ(activity.spans[0].bytes, 40u);
        EXPECT_EQ(activity.spans[1].name, "add");
        EXPECT_DOUBLE_EQ(activity.spans[1].end_us - activity.spans[1].begin_us, 500);
    }
    EXPECT_TRUE((*activities)[1].pageable);
    EXPECT_EQ((*activities)[0].streams.size(), 2u);
}

TEST_F(GpuRecorderTest, launches_go_on_after_streams_and_streams_after_launches) {
    GpuRecorder recorder({runner()});
    const GpuLaunch asked = launch();
    for (int round = 0; round < 2; ++round) {
        const auto run = recorder.run(asked, {}, {});
        ASSERT_TRUE(run.has_value()) << message_of(run);
        const auto activities = recorder.run_streams(asked, two_ways(asked), {});
        ASSERT_TRUE(activities.has_value()) << message_of(activities);
    }
    EXPECT_EQ(log()["load"].first, 2) << "the kernel and the helpers, once";
}

TEST_F(GpuRecorderTest, streams_that_cannot_be_are_refused_before_anything_runs) {
    GpuRecorder recorder({runner()});
    const GpuLaunch asked = launch();
    StreamPlan plan = two_ways(asked);
    plan.variants[0].operations[0].bytes += 4;
    const auto refused = recorder.run_streams(asked, plan, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().kind, GpuFailure::Kind::launch_refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("streams, `pinned`: copy: it copies what is not in the buffer"));
    EXPECT_TRUE(log().empty());
}

TEST_F(GpuRecorderTest, a_fault_in_a_stream_is_reported_and_the_next_run_works) {
    GpuRecorder recorder({runner()});
    const GpuLaunch bad = launch({"fault 700"}), good = launch();
    const auto faulted = recorder.run_streams(bad, two_ways(bad), {});
    ASSERT_FALSE(faulted.has_value());
    EXPECT_EQ(faulted.error().kind, GpuFailure::Kind::kernel_fault);
    EXPECT_THAT(faulted.error().message, HasSubstr("saxpy in its streams"));
    const auto activities = recorder.run_streams(good, two_ways(good), {});
    EXPECT_TRUE(activities.has_value()) << message_of(activities);
}

TEST_F(GpuRecorderTest, a_stream_without_an_end_is_stopped) {
    GpuRecorder recorder({runner()});
    const GpuLaunch endless = launch({"endless 1"});
    GpuRunOptions options;
    options.time_limit_s = 0.1;
    const auto stopped = recorder.run_streams(endless, two_ways(endless), options);
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().kind, GpuFailure::Kind::time_limit);
}

TEST_F(GpuRecorderTest, a_driver_that_cannot_capture_graphs_says_so) {
    GpuRecorder recorder({runner()});
    const GpuLaunch asked = launch();
    StreamPlan plan = two_ways(asked);
    plan.variants[0].graph = true;
    const auto failed = recorder.run_streams(asked, plan, {});
    ASSERT_FALSE(failed.has_value());
    EXPECT_THAT(failed.error().message, HasSubstr("capturing a graph"));
}

}  // namespace

}  // namespace warplens::instrumentation
