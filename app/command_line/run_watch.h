// RunWatch: the time limit of a command, Ctrl+C, and the progress line on a terminal. The engine asks it
// whether to stop; child processes, such as a compiler, are ended at the limit; other code that cannot ask,
// such as a parser, ends with the process soon after.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "core/result.h"
#include "trace/observer.h"

namespace warplens::app {

inline constexpr double default_time_limit_s = 600;

class RunWatch {
  public:
    static RunWatch& of_this_process();
    RunWatch(const RunWatch&) = delete;
    ~RunWatch();

    /// Starts the limit of one launch's compilation, and again that of its run and the analyses of it. May be
    /// called from any thread; of launches that run at the same time, the last to start counts.
    void start(std::optional<double> limit_s);
    void finish();
    /// From any thread. Ctrl+C counts also where no limit was started.
    bool should_stop() const;
    /// Returns unless this object is ending the process: then the error of what it ended, such as a compiler,
    /// is not said as well.
    void let_end() const;
    /// "stopped by Ctrl+C after 3.2 s"; empty while nothing was asked to stop since start().
    std::string reason() const;
    /// Counts the blocks of a launch for the progress line; costs nothing per instruction. Null where
    /// standard error is not a terminal.
    trace::Observer* progress_of(std::uint64_t blocks);

  private:
    class Progress;
    RunWatch();
    void watch(const std::stop_token& stop);
    void show_progress(double seconds);
    double seconds() const;
    void end_thread();

    std::atomic<std::chrono::steady_clock::time_point> begin_;
    std::atomic<double> limit_s_ = default_time_limit_s;
    std::unique_ptr<Progress> progress_;
    std::atomic<bool> started_ = false;
    mutable std::atomic<double> stopped_after_s_ = 0;  // 0: not stopped
    bool line_shown_ = false;
    std::atomic<bool> ends_process_ = false;
    std::mutex starting_;  // held while the thread is made or ended
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

/// The error of a command whose result is missing since something was asked to stop: "stopped at the time
/// limit of 2 s (--time-limit); nothing was drawn". `otherwise`: what became of the result.
Status check_not_stopped(std::string_view otherwise);

/// A result, or why it was stopped in place of its error.
template <class Value>
Result<Value> unless_stopped(Result<Value> result,
                             std::string_view otherwise = "the launch was not executed") {
    if (!result) WARPLENS_TRY(check_not_stopped(otherwise));
    return result;
}

/// RunWatch::should_stop() of this process: what a command hands to each run, model and search that asks.
bool should_stop();

/// A program's work on its main thread: what it throws becomes a message and exit code 2. The watch ends with
/// it.
int exit_code_of(const std::function<int()>& work);

}  // namespace warplens::app
