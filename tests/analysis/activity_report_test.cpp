#include "analysis/time/activity_report.h"

#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

using trace::Activity;
using trace::ActivityKind;
using trace::ActivitySpan;

constexpr auto copy_in = ActivityKind::copy_to_device;
constexpr auto copy_out = ActivityKind::copy_to_host;
constexpr auto kernel = ActivityKind::kernel;

/// Two chunks one after the other: copy in 10, kernel 20, copy out 10 each.
Activity in_order() {
    Activity activity;
    activity.name = "1 stream";
    activity.streams = {"stream 0"};
    activity.spans = {{copy_in, "in, chunk 0", 0, 0, 10, 64},    {kernel, "k, chunk 0", 0, 10, 30},
                      {copy_out, "out, chunk 0", 0, 30, 40, 64}, {copy_in, "in, chunk 1", 0, 40, 50, 64},
                      {kernel, "k, chunk 1", 0, 50, 70},         {copy_out, "out, chunk 1", 0, 70, 80, 64}};
    return activity;
}

/// The same over two streams: both reach their copy at once, one has to wait; then the kernels likewise.
Activity overlapped() {
    Activity activity;
    activity.name = "2 streams";
    activity.streams = {"stream 0", "stream 1"};
    activity.spans = {{copy_in, "in, chunk 0", 0, 0, 10, 64},    {copy_in, "in, chunk 1", 1, 0, 20, 64},
                      {kernel, "k, chunk 0", 0, 10, 30},         {kernel, "k, chunk 1", 1, 20, 50},
                      {copy_out, "out, chunk 0", 0, 30, 40, 64}, {copy_out, "out, chunk 1", 1, 50, 60, 64}};
    return activity;
}

TEST(activity_report, nothing_overlaps_in_one_stream) {
    const auto figures = activity_figures({in_order()});
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures[0].work_begin_us, (std::vector<double>{0, 10, 30, 40, 50, 70}));
    EXPECT_EQ(figures[0].total_us, 80);
    EXPECT_EQ(figures[0].busy_us, 80);
    EXPECT_EQ(figures[0].copy_us, 40);
    EXPECT_EQ(figures[0].kernel_us, 40);
    EXPECT_EQ(figures[0].overlap_us, 0);
}

TEST(activity_report, an_operation_whose_turn_comes_later_waits_until_then) {
    const auto figures = activity_figures({in_order(), overlapped()});
    EXPECT_EQ(figures[1].work_begin_us, (std::vector<double>{0, 10, 10, 30, 30, 50}));
    EXPECT_EQ(figures[1].copy_us, 40);    // 0 to 20, 30 to 40, 50 to 60
    EXPECT_EQ(figures[1].kernel_us, 40);  // 10 to 50
    EXPECT_EQ(figures[1].overlap_us, 20);
    EXPECT_EQ(figures[1].kernels_hidden(), 0.5);
    EXPECT_EQ(figures[1].copies_hidden(), 0.5);
    EXPECT_EQ(figures[1].two_way_us, 0);
    EXPECT_EQ(figures[1].busy_us, 60);
}

TEST(activity_report, two_that_share_the_hardware_do_not_wait_for_each_other) {
    Activity shared = overlapped();
    shared.spans = {{kernel, "k, chunk 0", 0, 0, 38}, {kernel, "k, chunk 1", 1, 1, 40}};
    const auto figures = activity_figures({in_order(), shared});
    EXPECT_EQ(figures[1].work_begin_us, (std::vector<double>{0, 1}))
        << "two microseconds are too few for a kernel";
}

TEST(activity_report, where_nothing_else_runs_only_the_hosts_call_can_be_late) {
    Activity late = in_order();
    late.spans = {{kernel, "k, chunk 0", 0, 0, 26}};
    const auto figures = activity_figures({in_order(), late});
    EXPECT_EQ(figures[1].work_begin_us, (std::vector<double>{6}));
    EXPECT_EQ(figures[1].kernel_us, 20);
}

TEST(activity_report, copies_both_ways_at_once_are_counted_once) {
    Activity both;
    both.streams = {"stream 0", "stream 1"};
    both.spans = {{copy_in, "in", 0, 0, 10, 64}, {copy_out, "out", 1, 4, 12, 64}};
    const auto figures = activity_figures({both});
    EXPECT_EQ(figures[0].copy_us, 12);
    EXPECT_EQ(figures[0].two_way_us, 6);
}

TEST(activity_report, a_graph_launch_counts_for_what_ran_in_it) {
    Activity graph = in_order();
    for (ActivitySpan& span : graph.spans) span.graph = 0;
    graph.spans.insert(graph.spans.begin(), {ActivityKind::graph, "graph", 0, 0, 90, 0, -1});
    const auto figures = activity_figures({graph});
    EXPECT_EQ(figures[0].busy_us, 80);
    EXPECT_EQ(figures[0].kernel_us, 40);
    EXPECT_EQ(figures[0].total_us, 90);
}

TEST(activity_report, pageable_copies_are_not_held_against_pinned_ones) {
    Activity pageable = in_order();
    pageable.pageable = true;
    pageable.spans = {{copy_in, "in, chunk 0", 0, 0, 40, 64}};
    EXPECT_EQ(activity_figures({in_order(), pageable})[1].work_begin_us, (std::vector<double>{0}));
}

TEST(activity_report, its_sentence_states_the_time_saved_and_what_is_hidden) {
    std::vector<Activity> activities{in_order(), overlapped()};
    EXPECT_EQ(activity_sentence(activities, activity_figures(activities)),
              "2 streams: 60 µs instead of 80 µs (1 stream), 1.3 times as fast; 50 % of the kernels' time "
              "overlaps copies");
    activities[0].device_us = 2400;
    activities[1].device_us = 1200;
    EXPECT_TRUE(activity_sentence(activities, activity_figures(activities))
                    .starts_with("2 streams: 1.2 ms instead of 2.4 ms (1 stream), 2 times as fast;"))
        << "the times without timers inside count";
    std::swap(activities[0], activities[1]);
    EXPECT_TRUE(activity_sentence(activities, activity_figures(activities))
                    .starts_with("2 streams: 1.2 ms, and no other activity is faster;"));
}

TEST(activity_report, where_nothing_is_copied_its_sentence_says_what_launching_costs) {
    std::vector<Activity> activities(2);
    activities[0].name = "single launches";
    activities[1].name = "as a graph";
    for (Activity& activity : activities) {
        activity.streams = {"stream 0"};
        activity.spans = {{kernel, "k", 0, 0, 2}};
        activity.kernels = 80;
    }
    activities[0].device_us = activities[0].launch_calls_us = 200;
    activities[1].device_us = 100;
    activities[1].launch_calls_us = 20;
    EXPECT_EQ(activity_sentence(activities, activity_figures(activities)),
              "as a graph: 100 µs instead of 200 µs (single launches), 2 times as fast; 0.25 µs of host "
              "calls per kernel, not 2.5 µs");
}

TEST(activity_report, says_nothing_of_nothing) {
    EXPECT_TRUE(activity_figures({}).empty());
    EXPECT_EQ(activity_sentence({}, {}), "");
    EXPECT_EQ(activity_sentence({Activity{}}, activity_figures({Activity{}})), ": 0 µs");
}

TEST(activity_report, times_have_three_digits) {
    EXPECT_EQ(microseconds(0), "0 µs");
    EXPECT_EQ(microseconds(0.456), "0.46 µs");
    EXPECT_EQ(microseconds(12.34), "12.3 µs");
    EXPECT_EQ(microseconds(610.4), "610 µs");
    EXPECT_EQ(microseconds(999.7), "1 ms");
    EXPECT_EQ(microseconds(1936), "1.94 ms");
}

}  // namespace
}  // namespace warplens::analysis
