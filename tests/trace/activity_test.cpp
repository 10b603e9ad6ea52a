#include "trace/activity.h"

#include <gtest/gtest.h>

#include <limits>

namespace warplens::trace {
namespace {

Activity two_spans() {
    Activity activity;
    activity.streams = {"stream 0"};
    activity.spans = {{ActivityKind::graph, "graph", 0, 0, 10, 0, -1},
                      {ActivityKind::kernel, "scale", 0, 2, 9, 0, 0}};
    return activity;
}

TEST(activity, a_kernel_inside_a_graph_keeps_every_promise) { EXPECT_EQ(check(two_spans()), ""); }

TEST(activity, each_broken_promise_is_named) {
    const auto with = [](auto&& change) {
        Activity activity = two_spans();
        change(activity);
        return check(activity);
    };
    EXPECT_EQ(with([](Activity& a) { a.spans[1].stream = 1; }), "span 1 runs in stream 1 of 1");
    EXPECT_EQ(with([](Activity& a) { a.spans[1].stream = -1; }), "span 1 runs in stream -1 of 1");
    EXPECT_EQ(with([](Activity& a) { a.spans[1].end_us = 1; }), "span 1 lasts from 2 to 1 µs");
    EXPECT_EQ(with([](Activity& a) { a.spans[0].begin_us = 3; }), "span 1 begins before its predecessor");
    EXPECT_EQ(with([](Activity& a) { a.spans[1].graph = 1; }), "span 1 is in span 1, which is not a graph");
    EXPECT_EQ(with([](Activity& a) { a.spans[1].graph = 2; }), "span 1 is in span 2, which is not a graph");
    EXPECT_EQ(with([](Activity& a) { a.spans[0].kind = static_cast<ActivityKind>(17); }),
              "span 0 is of an unknown kind");
    EXPECT_NE(with([](Activity& a) { a.spans[1].end_us = std::numeric_limits<double>::quiet_NaN(); }), "");
    EXPECT_NE(with([](Activity& a) { a.host_us = std::numeric_limits<double>::infinity(); }), "");
    EXPECT_NE(with([](Activity& a) { a.repeats = -1; }), "");
}

}  // namespace
}  // namespace warplens::trace
