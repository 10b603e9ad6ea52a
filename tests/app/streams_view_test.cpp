#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/time/activity_report.h"
#include "app/views/streams/drawing.h"
#include "instrumentation/catalog/kernel.h"
#include "tests/support/synthetic_activity.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_streams_view();

namespace {

using testing::HasSubstr;
using testing::Not;

/// All that the view draws: a paragraph is drawn word by word.
std::string words_in_lines(ViewStage& stage) {
    stage.headless.frame(2);
    std::string all;
    for (const std::string& one : stage.headless.words()) all += one + (one.ends_with(" ") ? "" : " ");
    return all;
}

std::shared_ptr<Scene> scene_with_streams(std::vector<trace::Activity> activities,
                                          std::uint64_t generation = 1) {
    auto scene = stage_scene(trace::ExampleShape::tiny(), generation);
    auto recorded = std::make_shared<trace::Trace>(*scene->trace);
    recorded->activities = std::move(activities);
    scene->trace = std::move(recorded);
    return scene;
}

std::shared_ptr<const SceneTiming> timing_with(std::vector<trace::Activity> streams) {
    auto timing = std::make_shared<SceneTiming>();
    timing->streams = std::make_shared<const std::vector<trace::Activity>>(std::move(streams));
    return timing;
}

/// The box of the n-th span with this name in an activity.
const HitBox* span_box(const ViewStage& stage, std::size_t activity, const std::string& name) {
    const auto& spans = stage.scene->trace->activities[activity].spans;
    for (std::size_t s = 0; s < spans.size(); ++s)
        if (spans[s].name == name) return stage.headless.find(fmt::format("span {} {}", activity, s));
    return nullptr;
}

TEST(streams_view, its_title_states_the_time_saved) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities()));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("3 streams: 60"));
    EXPECT_TRUE(stage.headless.shows("70 µs saved"));
    EXPECT_TRUE(stage.headless.shows("measured"));
    EXPECT_TRUE(stage.headless.shows("stream 2"));
}

TEST(streams_view, an_arrow_beside_the_colour_tells_a_copy_from_a_kernel) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities()), {1600, 1000});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("↓ copy to the device"));
    EXPECT_TRUE(stage.headless.shows("↑ copy to the host"));
    EXPECT_TRUE(stage.headless.shows("↓ x in"));
    EXPECT_TRUE(stage.headless.shows("↑ y out"));
    EXPECT_FALSE(stage.headless.shows("↓ heron"));
}

TEST(streams_view, the_fastest_variant_s_time_is_the_largest_text_where_the_lanes_keep_their_names) {
    for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1000, 420}}) {
        ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities()), size);
        stage.headless.frame(2);
        const bool high = size.y > 500;
        EXPECT_EQ(stage.headless.shows("3 streams, measured"), high) << size.y;
    }
}

TEST(streams_view, all_ways_stand_above_each_other_on_one_scale) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities()));
    stage.headless.frame(2);
    const HitBox *whole = span_box(stage, 0, "x in"), *chunk = span_box(stage, 1, "x in, chunk 0");
    ASSERT_TRUE(whole && chunk);
    EXPECT_FLOAT_EQ(whole->min.x, chunk->min.x);
    EXPECT_NEAR((whole->max.x - whole->min.x) / (chunk->max.x - chunk->min.x), 8, 0.05);
    EXPECT_LT(whole->max.y, chunk->min.y);
    const HitBox *first = stage.headless.find("end 0"), *fastest = stage.headless.find("end 2");
    ASSERT_TRUE(first && fastest);
    EXPECT_LT(fastest->min.x, first->min.x);
}

TEST(streams_view, no_span_ends_after_the_line_that_says_done) {
    auto activities = trace::make_example_activities();
    for (trace::Activity& activity : activities) activity.device_us *= 0.8;  // faster without events
    ViewStage stage(make_streams_view(), scene_with_streams(std::move(activities)));
    stage.headless.frame(2);
    for (std::size_t activity = 0; activity < stage.scene->trace->activities.size(); ++activity) {
        const HitBox* done = stage.headless.find(fmt::format("end {}", activity));
        if (!done) continue;
        for (std::size_t s = 0; s < stage.scene->trace->activities[activity].spans.size(); ++s)
            if (const HitBox* span = stage.headless.find(fmt::format("span {} {}", activity, s))) {
                EXPECT_LE(span->max.x, done->max.x + 1) << activity << " " << s;
            }
    }
    EXPECT_TRUE(stage.headless.shows("with events"));
}

TEST(streams_view, what_overlaps_in_time_stands_in_different_lanes) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities()));
    stage.headless.frame(2);
    const HitBox *kernel = span_box(stage, 2, "heron, chunk 0"), *copy = span_box(stage, 2, "x in, chunk 1");
    ASSERT_TRUE(kernel && copy);
    EXPECT_LT(kernel->min.x, copy->max.x);
    EXPECT_LT(copy->min.x, kernel->max.x);
    EXPECT_LE(kernel->max.y, copy->min.y);
}

TEST(streams_view, an_operation_begins_where_its_turn_came) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities()));
    stage.headless.frame(2);
    // In the graph all streams reach their first copy at once; the copy engine takes one after the other.
    const HitBox *zero = span_box(stage, 3, "x in, chunk 0"), *one = span_box(stage, 3, "x in, chunk 1");
    ASSERT_TRUE(zero && one);
    EXPECT_NEAR(one->min.x, zero->max.x, 1);
}

TEST(streams_view, hovering_a_span_shows_its_exact_numbers) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities()));
    stage.headless.frame(2);
    const HitBox* copy = span_box(stage, 0, "x in");
    ASSERT_TRUE(copy);
    stage.headless.move_mouse(copy->centre());
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("40 µs, measured"));
    EXPECT_TRUE(stage.headless.shows("worked 0.0 to 40.0 µs (± 0.5)"));
    EXPECT_TRUE(stage.headless.shows("50 GB/s"));
}

TEST(streams_view, graph_launches_have_a_lane_of_their_own) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_replays(10, 8)));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("graphs"));
    const HitBox *launch = span_box(stage, 1, "graph"), *kernel = span_box(stage, 1, "logistic, chunk 0");
    ASSERT_TRUE(launch && kernel);
    EXPECT_LE(launch->max.y, kernel->min.y);
    EXPECT_LE(launch->min.x, kernel->min.x);
}

TEST(streams_view, a_way_that_is_far_slower_is_cut_off_and_leaves_room_for_the_others) {
    auto activities = trace::make_example_activities();
    trace::Activity slow = activities[1];
    slow.name = "pageable";
    slow.device_us *= 5;
    slow.host_us *= 5;
    for (trace::ActivitySpan& span : slow.spans) {
        span.begin_us *= 5;
        span.end_us *= 5;
    }
    activities.push_back(slow);
    ViewStage stage(make_streams_view(), scene_with_streams(activities));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("continues until 680 µs"));
    EXPECT_FALSE(stage.headless.find("end 4")) << "its end lies outside";
    const HitBox *first = stage.headless.find("end 0"), *chunk = span_box(stage, 4, "x in, chunk 0");
    ASSERT_TRUE(first && chunk);
    EXPECT_GT(first->min.x, 1100 * 0.5f);
    EXPECT_EQ(span_box(stage, 4, "y out, chunk 7"), nullptr);
}

TEST(streams_view, says_when_a_way_gave_other_results) {
    auto activities = trace::make_example_activities();
    activities[1].same_results = false;
    ViewStage stage(make_streams_view(), scene_with_streams(activities));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("results differ from the first variant"));
}

TEST(streams_view, without_a_measurement_says_how_to_get_one) {
    auto scene = scene_with_streams({});
    ViewStage stage(make_streams_view(), scene);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("does not use streams"));
    auto kernel = std::make_shared<instrumentation::KernelFile>();
    kernel->streams.emplace();
    kernel->streams->variants.resize(5);
    scene = scene_with_streams({}, 2);
    scene->kernel = kernel;
    stage.scene = scene;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("have not been measured"));
    EXPECT_TRUE(stage.headless.shows("--engine cuda"));
}

TEST(streams_view, says_why_the_model_schedules_nothing) {
    auto scene = scene_with_streams({});
    auto timing = std::make_shared<SceneTiming>();
    timing->streams_absent = "The copies have no bytes.";
    scene->timing = timing;
    ViewStage stage(make_streams_view(), scene);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("have no model"));
    EXPECT_TRUE(stage.headless.shows("The copies have no bytes."));
}

TEST(streams_view, shows_the_modelled_streams_when_they_arrive_after_the_picture) {
    auto scene = scene_with_streams({});
    scene->model_streams = [](const auto&) { return std::vector<trace::Activity>{}; };
    ViewStage stage(make_streams_view(), scene);
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("70 µs saved"));
    auto timed = std::make_shared<Scene>(*scene);
    timed->timing = timing_with(trace::make_example_activities());
    stage.scene = timed;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("70 µs saved"));
}

TEST(streams_view, without_a_measurement_shows_what_the_model_schedules_and_says_so) {
    auto scene = scene_with_streams({});
    auto activities = trace::make_example_activities();
    for (trace::Activity& activity : activities) activity.timer_bound_us = 0;
    scene->timing = timing_with(std::move(activities));
    ViewStage stage(make_streams_view(), scene);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("70 µs saved"));
    EXPECT_THAT(words_in_lines(stage), HasSubstr("modelled: kernels by the timing model"));
    EXPECT_THAT(words_in_lines(stage), Not(HasSubstr("measured ·")));
    EXPECT_FALSE(stage.headless.shows("with the events"));
    stage.scene = scene_with_streams(trace::make_example_activities(), 2);
    EXPECT_THAT(words_in_lines(stage), HasSubstr("measured ·"));
}

TEST(streams_view, follows_to_another_measurement) {
    ViewStage stage(make_streams_view(), scene_with_streams(trace::make_example_activities(), 1));
    stage.headless.frame(2);
    stage.scene = scene_with_streams(trace::make_example_replays(3, 2), 2);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("single launches"));
    EXPECT_FALSE(stage.headless.shows("all at once"));
}

TEST(streams_view, draws_what_any_file_may_hold) {
    trace::Activity empty;
    trace::Activity still;  // everything at one moment
    still.streams = {"a", "b"};
    still.spans = {{trace::ActivityKind::fill, "", 1, 0, 0, 0, -1},
                   {trace::ActivityKind::graph, "", 0, 0, 0, 0, -1}};
    std::vector<trace::Activity> many(40, still);
    for (auto& activities : {std::vector{empty}, std::vector{still}, std::vector{empty, still}, many}) {
        ViewStage stage(make_streams_view(), scene_with_streams(activities), {640, 400});
        stage.headless.frame(2);
        EXPECT_GT(stage.headless.vertices(), 0);
        for (float y = 20; y < 400; y += 20) {
            stage.headless.move_mouse({320, y});
            stage.headless.frame();
        }
    }
}

/// The example with all times of all variants in a share of what they were.
std::vector<trace::Activity> faster_activities(double share) {
    auto activities = trace::make_example_activities();
    for (trace::Activity& activity : activities) {
        for (double* us : {&activity.device_us, &activity.host_us, &activity.launch_calls_us}) *us *= share;
        for (trace::ActivitySpan& span : activity.spans) {
            span.begin_us *= share;
            span.end_us *= share;
        }
    }
    return activities;
}

class StreamsOfTwo : public ViewStage {
  public:
    explicit StreamsOfTwo(std::vector<trace::Activity> before, std::vector<trace::Activity> after,
                          ImVec2 size = {1400, 1200})
        : ViewStage(make_streams_view(), scene_with_streams(std::move(after), 2), size) {
        baseline = scene_with_streams(std::move(before), 1);
        interactive = false;
        headless.frame(3);
    }
    /// Where the n-th section ends on the axis.
    float end(std::size_t section) const {
        const HitBox* box = headless.find(fmt::format("end {}", section));
        return box ? box->min.x : -1;
    }
};

TEST(streams_view, two_runs_have_one_axis_with_each_variant_below_its_own) {
    const auto activities = trace::make_example_activities();
    StreamsOfTwo stage(activities, faster_activities(0.75));
    for (std::size_t i = 0; i < activities.size(); ++i) {
        EXPECT_TRUE(stage.headless.shows("first run: " + activities[i].name));
        EXPECT_TRUE(stage.headless.shows("second run: " + activities[i].name));
    }
    const auto figures = analysis::activity_figures(activities);
    const double total = figures[analysis::fastest(figures)].total_us;
    EXPECT_TRUE(stage.headless.shows(fmt::format("first run → second run: {} → {} for the fastest variant",
                                                 analysis::microseconds(total),
                                                 analysis::microseconds(0.75 * total))));
    EXPECT_TRUE(stage.headless.shows(analysis::microseconds(0.25 * total) + " saved"));
    const HitBox* span = stage.headless.find("span 0 0");
    ASSERT_TRUE(span);
    const float zero = span->min.x;
    for (const std::size_t pair : {0, 2, 4}) {
        if (stage.end(pair) < 0) continue;  // cut off at the right
        EXPECT_NEAR((stage.end(pair + 1) - zero) / (stage.end(pair) - zero), 0.75, 0.01) << pair;
    }
}

TEST(streams_view, a_low_picture_of_two_runs_has_the_fastest_variant_of_each) {
    const auto activities = trace::make_example_activities();
    const std::size_t fastest = analysis::fastest(analysis::activity_figures(activities));
    StreamsOfTwo stage(activities, faster_activities(1.25), {800, 420});
    for (std::size_t i = 0; i < activities.size(); ++i)
        EXPECT_EQ(stage.headless.shows("first run: " + activities[i].name), i == fastest) << i;
    EXPECT_TRUE(stage.headless.shows("more (+25"));
    EXPECT_GT(stage.end(1), stage.end(0));
}

TEST(streams_view, unlike_work_saves_nothing) {
    auto other = faster_activities(0.5);
    other.pop_back();
    StreamsOfTwo stage(trace::make_example_activities(), other);
    EXPECT_TRUE(stage.headless.shows(" less ("));
    EXPECT_FALSE(stage.headless.shows(" saved"));
    EXPECT_FALSE(stage.headless.find("end 2")) << "a pair alone";
}

TEST(streams_view, says_why_two_runs_are_not_compared) {
    StreamsOfTwo none({}, trace::make_example_activities());
    EXPECT_TRUE(none.headless.shows("first run has no streams to compare with."));
    EXPECT_FALSE(none.headless.shows("second run"));
    StreamsOfTwo modelled({}, trace::make_example_activities());
    auto before = std::make_shared<Scene>(*modelled.baseline);
    before->timing = timing_with(trace::make_example_activities());
    modelled.baseline = before;
    modelled.headless.frame(2);
    EXPECT_TRUE(modelled.headless.shows("first run has no measured streams, only modelled ones."));
}

TEST(streams_view, in_a_low_pane_it_scrolls_and_no_variant_lies_on_the_axis) {
    auto activities = trace::make_example_activities();
    const auto more = trace::make_example_activities();
    activities.insert(activities.end(), more.begin() + 1, more.end());
    for (const float height : {200.0f, 260.0f, 330.0f, 420.0f}) {
        ViewStage stage(make_streams_view(), scene_with_streams(activities), {735, height});
        stage.headless.frame(3);
        float axis = 0, last = 0;
        for (const DrawnText& text : stage.headless.texts()) {
            if (text.words == "50 µs" || text.words == "100 µs") axis = text.min.y;
            for (const trace::Activity& activity : activities)
                if (text.words == activity.name) last = std::max(last, text.max.y);
        }
        ASSERT_GT(axis, 0) << height;
        ASSERT_GT(last, 0) << height;
        EXPECT_LE(last, axis) << height;
        for (std::size_t of = 0; of < activities.size(); ++of)
            for (std::size_t span = 0; span < activities[of].spans.size(); ++span)
                if (const HitBox* box = stage.headless.find(fmt::format("span {} {}", of, span))) {
                    EXPECT_LE(box->max.y, axis + 1) << height << ": span " << span << " of " << of;
                }
    }
}

}  // namespace
}  // namespace warplens::app
