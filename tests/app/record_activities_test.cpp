// From a kernel of the catalogue to the plan that a GPU executes.
#include "app/pipeline/gpu/record_activities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/device/stream_plan.h"
#include "tests/support/synthetic_activity.h"

namespace warplens::app {
namespace {

using instrumentation::StreamPlan;
using Kind = instrumentation::StreamOperationKind;

LoadedLaunch loaded(const std::string& name, const std::map<std::string, std::string>& overrides = {}) {
    const auto kernels = catalogue();
    EXPECT_TRUE(kernels) << kernels.error().message;
    const auto kernel = instrumentation::find_kernel(*kernels, name);
    EXPECT_TRUE(kernel) << kernel.error().message;
    LaunchRequest request;
    request.kernel = std::make_shared<const instrumentation::KernelFile>(**kernel);
    request.overrides = overrides;
    auto launch = make_pipeline()->load(request);
    EXPECT_TRUE(launch) << launch.error().message;
    return std::move(*launch);
}

/// Remembers its requests and answers with an example.
struct AskedGpu {
    StreamPlan plan;
    std::vector<std::uint64_t> sizes;
    Gpu gpu() {
        Gpu gpu;
        gpu.run_streams = [this](const instrumentation::GpuLaunch& launch, const StreamPlan& asked,
                                 const instrumentation::GpuRunOptions&) {
            plan = asked;
            for (const auto& buffer : launch.buffers) sizes.push_back(buffer.data.size());
            return instrumentation::GpuResult<std::vector<trace::Activity>>(trace::make_example_activities());
        };
        return gpu;
    }
};

TEST(record_activities, asks_for_what_the_header_declares) {
    AskedGpu asked;
    const auto activities =
        record_activities(loaded("streams_pipeline", {{"n", "10000"}, {"chunks", "7"}}), asked.gpu());
    ASSERT_TRUE(activities) << activities.error().message;
    EXPECT_EQ(activities->size(), 4u);
    EXPECT_THAT(activities->front().date, testing::MatchesRegex("20..-..-..T..:..:..Z"));
    EXPECT_EQ(check(asked.plan, asked.sizes), "");
    ASSERT_EQ(asked.plan.variants.size(), 5u);
    EXPECT_EQ(asked.plan.variants[0].operations.size(), 3u);
    EXPECT_EQ(asked.plan.variants[2].name, "3 streams");
    EXPECT_TRUE(asked.plan.variants[3].graph);
    EXPECT_TRUE(asked.plan.variants[4].pageable);
    std::uint64_t in = 0;
    for (const StreamPlan::Operation& operation : asked.plan.variants[2].operations)
        if (operation.kind == Kind::copy_in) in += operation.bytes;
    EXPECT_EQ(in, 40'000u) << "each element once";
    EXPECT_EQ(asked.plan.variants[2].operations.back().bytes, 40'000u - 6 * 4 * 1429);
}

TEST(record_activities, a_chain_of_kernels_is_asked_for_as_often_as_it_is_replayed) {
    AskedGpu asked;
    ASSERT_TRUE(record_activities(loaded("graph_replay"), asked.gpu()));
    EXPECT_EQ(check(asked.plan, asked.sizes), "");
    ASSERT_EQ(asked.plan.variants.size(), 2u);
    for (const StreamPlan::Variant& variant : asked.plan.variants) {
        EXPECT_EQ(variant.operations.size(), 10u);
        EXPECT_EQ(variant.repeats, 8);
    }
}

TEST(record_activities, a_kernel_without_streams_asks_nothing) {
    const auto none = record_activities(loaded("saxpy"), Gpu{});
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->empty());
    EXPECT_FALSE(record_activities(loaded("graph_replay"), Gpu{}));
}

}  // namespace
}  // namespace warplens::app
