#include "app/window/close_watch.h"

#include <utility>

namespace warplens::app {

CloseWatch::CloseWatch(std::function<bool()> requested, std::function<void()> end, Times times)
    : requested_(std::move(requested)),
      end_(std::move(end)),
      times_(times),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void CloseWatch::frame_begins(bool may_end) {
    {
        const std::lock_guard lock(mutex_);
        ++frame_;
        watched_ = may_end;
    }
    changed_.notify_one();
}

void CloseWatch::frame_ends() {
    const std::lock_guard lock(mutex_);
    watched_ = false;
}

void CloseWatch::watch(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return watched_; }) && !stop.stop_requested())
        watch_frame(lock, stop, frame_);
}

/// Until the frame ends: its end need not wake this thread, which would cost every frame.
void CloseWatch::watch_frame(std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                             std::uint64_t number) {
    const auto over = [&] { return stop.stop_requested() || !watched_ || frame_ != number; };
    const auto pause = [&](std::chrono::milliseconds time) {
        changed_.wait_for(lock, stop, time, [] { return false; });
        return !over();
    };
    std::optional<Clock::time_point> seen;
    for (bool goes_on = pause(times_.patience); goes_on; goes_on = pause(times_.between)) {
        if (!seen && requested_()) seen = Clock::now();
        if (seen && Clock::now() - *seen >= times_.grace) return end_();
    }
}

}  // namespace warplens::app
