// The model of streams against the streams that an H200 measured: every way of doing the work in the
// recordings.
#include <gtest/gtest.h>

#include "analysis/time/activity_report.h"
#include "app/pipeline/model_streams.h"
#include "app/pipeline/recordings.h"
#include "app/scene/time_scene.h"
#include "catalogue_kernels.h"
#include "tests/support/folders.h"

namespace warplens::app {
namespace {

using Activities = std::vector<trace::Activity>;
using Overrides = std::map<std::string, std::string>;

std::shared_ptr<const instrumentation::KernelFile> kernel_named(const std::string& name) {
    for (const auto& kernel : catalogue_kernels())
        if (kernel->name == name) return kernel;
    ADD_FAILURE() << name;
    return nullptr;
}

Activities modelled(const std::string& kernel, const Overrides& overrides = {}) {
    static const auto pipeline = make_pipeline();
    const auto launch = pipeline->load({kernel_named(kernel), overrides, "", {}});
    EXPECT_TRUE(launch) << launch.error().message;
    auto activities = model_activities(*pipeline, *launch, {});
    EXPECT_TRUE(activities) << activities.error().message;
    for (const trace::Activity& activity : *activities) EXPECT_EQ(check(activity), "") << activity.name;
    return *activities;
}

void expect_near_the_recording(const std::string& kernel, const Overrides& overrides, double off) {
    const auto recording =
        load_recording(source_folder() + "/assets/recordings", *kernel_named(kernel), overrides);
    ASSERT_TRUE(recording) << recording.error().message;
    const Activities& measured = (*recording)->activities;
    const Activities model = modelled(kernel, overrides);
    ASSERT_EQ(model.size(), measured.size());
    const auto measured_figures = analysis::activity_figures(measured);
    const auto model_figures = analysis::activity_figures(model);
    for (std::size_t i = 0; i < model.size(); ++i) {
        SCOPED_TRACE(kernel + ": " + model[i].name);
        EXPECT_EQ(model[i].name, measured[i].name);
        EXPECT_EQ(model[i].spans.size(), measured[i].spans.size());
        EXPECT_EQ(model[i].kernels, measured[i].kernels);
        EXPECT_EQ(model[i].calls, measured[i].calls);
        EXPECT_NEAR(model_figures[i].total_us / measured_figures[i].total_us, 1, off);
        EXPECT_NEAR(model_figures[i].kernels_hidden(), measured_figures[i].kernels_hidden(), 0.2);
    }
    const auto& chosen = measured_figures[analysis::fastest(model_figures)];
    EXPECT_LT(chosen.total_us, 1.15 * measured_figures[analysis::fastest(measured_figures)].total_us)
        << "what is fastest by the model";
}

TEST(streams_model, models_no_grid_twice) {
    const auto pipeline = make_pipeline();
    int asked = 0;  // once or more while a grid is executed or modelled
    const auto run = [&](const Overrides& overrides) {
        const auto launch = pipeline->load({kernel_named("streams_pipeline"), overrides, "", {}});
        EXPECT_TRUE(launch) << launch.error().message;
        asked = 0;
        auto activities = model_activities(*pipeline, *launch, [&] { return ++asked, false; });
        EXPECT_TRUE(activities) << activities.error().message;
        return std::pair(*activities, asked > 0);
    };
    const auto [first, models] = run({{"n", "65536"}});
    EXPECT_TRUE(models);
    const auto [again, models_again] = run({{"n", "65536"}});
    EXPECT_FALSE(models_again);
    ASSERT_EQ(again.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(again[i].device_us, first[i].device_us);
    EXPECT_FALSE(run({{"n", "65536"}, {"streams", "5"}}).second) << "other streams, the same grids";
    EXPECT_TRUE(run({{"n", "65536"}, {"chunks", "5"}}).second) << "other grids";
    EXPECT_TRUE(run({{"n", "65536"}, {"work", "64"}}).second) << "another argument";
    EXPECT_TRUE(run({{"n", "65536"}, {"block", "128"}}).second) << "other blocks";
}

TEST(streams_model, a_picture_does_not_wait_for_it) {
    const auto pipeline = make_pipeline();
    RunRequest request;
    request.kernel = kernel_named("streams_pipeline");
    request.overrides = {{"n", "65536"}};
    auto scene = pipeline->run_scene(request, [] { return false; });
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_EQ(scene->timing, nullptr);
    ASSERT_TRUE(scene->model_streams);
    scene->timing = time_scene(*scene, {}, [] { return false; });
    ASSERT_NE(scene->timing->streams, nullptr) << scene->timing->streams_absent;
    const Activities expected = modelled("streams_pipeline", {{"n", "65536"}});
    ASSERT_EQ(scene->timing->streams->size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ((*scene->timing->streams)[i].device_us, expected[i].device_us);
    TimingOptions turned;
    turned.perfect_coalescing = true;
    EXPECT_EQ(time_scene(*scene, turned, [] { return false; })->streams, scene->timing->streams)
        << "no what-if knob changes them";
}

TEST(streams_model, takes_the_time_that_an_h200_took_for_each_way) {
    const double off = 0.15;
    expect_near_the_recording("streams_pipeline", {}, off);
    expect_near_the_recording("streams_pipeline", {{"streams", "8"}}, off);
    expect_near_the_recording("graph_replay", {}, off);
    expect_near_the_recording("graph_replay", {{"n", "262144"}}, off);
}

TEST(streams_model, answers_for_settings_that_nobody_recorded) {
    const auto figures =
        analysis::activity_figures(modelled("streams_pipeline", {{"chunks", "16"}, {"n", "1048576"}}));
    ASSERT_GE(figures.size(), 3u);
    EXPECT_EQ(figures[0].overlap_us, 0) << "all at once: one thing after another";
    EXPECT_EQ(figures[1].overlap_us, 0) << "one stream";
    EXPECT_GT(figures[2].overlap_us, 0.5 * figures[2].kernel_us);
    EXPECT_LT(figures[2].total_us, figures[1].total_us);
}

instrumentation::PreparedStreamVariant copies_and_kernels(int streams, int chunks) {
    using instrumentation::StreamOperationKind;
    instrumentation::PreparedStreamVariant variant;
    variant.streams = streams;
    for (int chunk = 0; chunk < chunks; ++chunk)
        for (const auto kind :
             {StreamOperationKind::copy_in, StreamOperationKind::launch, StreamOperationKind::copy_out}) {
            instrumentation::PreparedStreamOperation operation;
            operation.kind = kind;
            operation.stream = chunk % streams;
            operation.bytes = kind == StreamOperationKind::launch ? 0 : 1000;
            variant.operations.push_back(operation);
        }
    return variant;
}

/// A copy takes 10 µs, a kernel too, and nothing else takes any time.
StreamCosts plain_costs() {
    StreamCosts costs;
    costs.copy_in_latency_us = costs.copy_out_latency_us = 0;
    costs.copy_in_bytes_per_us = costs.copy_out_bytes_per_us = 100;
    costs.stream_gap_us = costs.copy_call_us = costs.launch_call_us = 0;
    return costs;
}

double total_of(int streams, int chunks) {
    const auto activity = model_activity(copies_and_kernels(streams, chunks), plain_costs(),
                                         [](const LaunchGeometry&) -> Result<double> { return 10.0; });
    EXPECT_TRUE(activity);
    return activity->device_us;
}

TEST(streams_model, of_one_stream_adds_up_and_of_three_is_a_pipeline) {
    EXPECT_DOUBLE_EQ(total_of(1, 4), 4 * 30);
    EXPECT_DOUBLE_EQ(total_of(2, 2), 30 + 10) << "the second chunk follows at the distance of one copy";
    EXPECT_DOUBLE_EQ(total_of(3, 6), 30 + 5 * 10);
    EXPECT_DOUBLE_EQ(total_of(8, 6), 30 + 5 * 10) << "there is one engine of each kind";
}

}  // namespace
}  // namespace warplens::app
