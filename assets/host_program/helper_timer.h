// The stop watches of CUDA's samples: the host's clock.
#pragma once

#include <chrono>

class StopWatchInterface {
  public:
    void start() {
        begin_ = std::chrono::steady_clock::now();
        running_ = true;
    }
    void stop() {
        total_ += since_start();
        running_ = false;
        ++sessions_;
    }
    void reset() {
        total_ = 0;
        sessions_ = 0;
        begin_ = std::chrono::steady_clock::now();
    }
    /// In milliseconds, as all times here.
    float getTime() const { return total_ + since_start(); }
    float getAverageTime() const { return sessions_ > 0 ? total_ / static_cast<float>(sessions_) : 0.0f; }

  private:
    float since_start() const {
        if (!running_) return 0;
        return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin_).count();
    }

    std::chrono::steady_clock::time_point begin_;
    float total_ = 0;
    int sessions_ = 0;
    bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
    *timer = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) { return (*timer)->start(), true; }
inline bool sdkStopTimer(StopWatchInterface** timer) { return (*timer)->stop(), true; }
inline bool sdkResetTimer(StopWatchInterface** timer) { return (*timer)->reset(), true; }
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (*timer)->getAverageTime(); }
