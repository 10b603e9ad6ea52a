// CloseWatch: answers a close request while a frame, or what comes before the first one, takes long. The
// window reads its events between frames; during a long frame a thread looks whether a close request is among
// those that wait, and ends the process when the frame does not come to it in time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace warplens::app {

class CloseWatch {
  public:
    struct Times {
        std::chrono::milliseconds patience{200};  // a frame that ends within it is never looked at
        std::chrono::milliseconds between{50};    // two looks
        std::chrono::milliseconds grace{300};     // for the frame to end, once a request was seen
    };
    /// `requested` finds out whether a close request waits to be read, `end` ends the process; both are
    /// called on the watch's thread, and only while a frame is being made.
    CloseWatch(std::function<bool()> requested, std::function<void()> end)
        : CloseWatch(std::move(requested), std::move(end), Times{}) {}
    CloseWatch(std::function<bool()> requested, std::function<void()> end, Times times);
    CloseWatch(const CloseWatch&) = delete;
    CloseWatch& operator=(const CloseWatch&) = delete;

    /// From now on the window reads no events. `may_end`: nothing is lost if the process ends meanwhile.
    void frame_begins(bool may_end);
    /// The window reads events again; while it does, nobody else may.
    void frame_ends();

  private:
    using Clock = std::chrono::steady_clock;
    void watch(const std::stop_token& stop);
    void watch_frame(std::unique_lock<std::mutex>& lock, const std::stop_token& stop, std::uint64_t number);

    std::function<bool()> requested_;
    std::function<void()> end_;
    Times times_;
    std::mutex mutex_;  // guards the next two
    std::uint64_t frame_ = 0;
    bool watched_ = false;
    std::condition_variable_any changed_;
    std::jthread thread_;  // last: it must end before what it uses
};

}  // namespace warplens::app
