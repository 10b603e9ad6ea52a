// A close request during a long frame ends the process; one that the frame comes to does not.
#include "app/window/close_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace warplens::app {
namespace {

using namespace std::chrono_literals;

struct WatchStage {
    std::atomic<bool> requested = false, looked = false;
    std::atomic<int> ends = 0;
    std::promise<void> ended;
    std::future<void> end = ended.get_future();
    CloseWatch watch;

    explicit WatchStage(CloseWatch::Times times)
        : watch(
              [this] {
                  looked = true;
                  return requested.load();
              },
              [this] {
                  if (++ends == 1) ended.set_value();
              },
              times) {}
};

TEST(close_watch, ends_the_process_when_a_frame_does_not_come_to_the_request) {
    WatchStage stage({1ms, 1ms, 5ms});
    stage.requested = true;
    stage.watch.frame_begins(true);
    EXPECT_EQ(stage.end.wait_for(60s), std::future_status::ready);
}

TEST(close_watch, sees_a_request_that_comes_late_in_the_frame) {
    WatchStage stage({1ms, 1ms, 5ms});
    stage.watch.frame_begins(true);
    while (!stage.looked) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(stage.ends, 0);
    stage.requested = true;
    EXPECT_EQ(stage.end.wait_for(60s), std::future_status::ready);
}

TEST(close_watch, leaves_a_request_to_the_window_when_the_frame_ends_in_time) {
    WatchStage stage({1ms, 1ms, 60s});
    stage.requested = true;
    stage.watch.frame_begins(true);
    while (!stage.looked) std::this_thread::sleep_for(1ms);
    stage.watch.frame_ends();
    EXPECT_EQ(stage.end.wait_for(50ms), std::future_status::timeout);
}

TEST(close_watch, does_not_look_while_frames_are_short_or_something_would_be_lost) {
    WatchStage stage({1min, 1ms, 1ms});
    stage.requested = true;
    stage.watch.frame_begins(true);
    std::this_thread::sleep_for(20ms);
    stage.watch.frame_ends();
    EXPECT_FALSE(stage.looked) << "the frame was short";

    WatchStage unsaved({1ms, 1ms, 1ms});
    unsaved.requested = true;
    unsaved.watch.frame_begins(false);
    EXPECT_EQ(unsaved.end.wait_for(50ms), std::future_status::timeout);
    EXPECT_FALSE(unsaved.looked) << "a person must be asked first";
}

}  // namespace
}  // namespace warplens::app
