// EndInTime: ends the process within a second after its window was closed, whatever still runs. Most work
// notices that it is cancelled; a parser, an index or a driver does not. It outlives the objects that wait
// for such work.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/leftovers.h"

namespace warplens::app {

class EndInTime {
  public:
    /// From now on the process has `grace` to end this object; then child processes and partial files are
    /// cleaned up and it exits with 0. Everything to keep must have been saved before.
    void start(std::chrono::milliseconds grace = std::chrono::milliseconds(300)) {
        thread_ = std::jthread([this, grace](const std::stop_token& stop) {
            std::unique_lock lock(mutex_);
            if (ended_.wait_for(lock, stop, grace, [&] { return stop.stop_requested(); })) return;
            clean_up_leftovers();
            ::_exit(0);
        });
    }

  private:
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::jthread thread_;
};

}  // namespace warplens::app
