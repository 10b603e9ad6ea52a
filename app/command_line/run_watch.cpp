#include "app/command_line/run_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <system_error>
#include <utility>

#include "analysis/wording.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "core/leftovers.h"

namespace warplens::app {
namespace {

constexpr double first_progress_s = 2;
constexpr double grace_s = 10;  // for a report of what is known

}  // namespace

class RunWatch::Progress : public trace::Observer {
  public:
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t) override { return nullptr; }
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver>) override { ++done; }
    std::atomic<std::uint64_t> done = 0, all = 0;
};

RunWatch::RunWatch() : progress_(std::make_unique<Progress>()) {}
RunWatch::~RunWatch() { finish(); }

RunWatch& RunWatch::of_this_process() {
    static RunWatch watch;
    return watch;
}

double RunWatch::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_.load()).count();
}

void RunWatch::start(std::optional<double> limit_s) {
    const std::lock_guard lock(starting_);
    end_thread();
    begin_ = std::chrono::steady_clock::now();
    limit_s_ = limit_s.value_or(default_time_limit_s);
    started_ = true;
    thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void RunWatch::finish() {
    const std::lock_guard lock(starting_);
    end_thread();
}

void RunWatch::end_thread() {
    thread_ = {};
    if (std::exchange(line_shown_, false)) std::fputs("\r\x1b[K", stderr);
    progress_->all = 0;
    stopped_after_s_ = 0;
    started_ = false;
}

bool RunWatch::should_stop() const {
    if (!started_) return is_interrupted();
    if (stopped_after_s_ > 0) return true;
    const double now = seconds();
    if (!is_interrupted() && now < limit_s_) return false;
    stopped_after_s_ = now;
    return true;
}

void RunWatch::let_end() const {
    while (ends_process_) ::pause();
}

std::string RunWatch::reason() const {
    if (stopped_after_s_ == 0) return {};
    if (is_interrupted()) return fmt::format("stopped by Ctrl+C after {:.1f} s", stopped_after_s_.load());
    return fmt::format("stopped at the time limit of {} s (--time-limit)", limit_s_.load());
}

trace::Observer* RunWatch::progress_of(std::uint64_t blocks) {
    if (!started_ || ::isatty(STDERR_FILENO) == 0) return nullptr;
    progress_->done = 0;
    progress_->all = blocks;
    return progress_.get();
}

void RunWatch::show_progress(double now) {
    const std::uint64_t done = progress_->done, all = progress_->all;
    if (all == 0) return;
    fmt::print(stderr, "\r\x1b[K{} of {} blocks, {:.0f} per second; Ctrl+C stops", analysis::grouped(done),
               analysis::grouped(all), static_cast<double>(done) / now);
    std::fflush(stderr);
    line_shown_ = true;
}

void RunWatch::watch(const std::stop_token& stop) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, stop, 250ms, [&] { return stop.stop_requested(); })) {
        const double now = seconds();
        if (now >= limit_s_ + grace_s) {
            ends_process_ = true;
            print_message(fmt::format("ended {} s past the time limit of {} s (--time-limit)", grace_s,
                                      limit_s_.load()));
            clean_up_leftovers();
            ::_exit(exit_bad_input);
        }
        if (now >= limit_s_ && lists_processes()) {
            should_stop();  // first: who waits for such a process says why it ended
            end_listed_processes();
        }
        if (now >= first_progress_s) show_progress(now);
    }
}

Status check_not_stopped(std::string_view otherwise) {
    const std::string reason = RunWatch::of_this_process().reason();
    if (reason.empty() && !is_interrupted()) return {};
    return fail("{}; {}", reason.empty() ? "stopped by Ctrl+C" : reason, otherwise);
}

bool should_stop() { return RunWatch::of_this_process().should_stop(); }

int exit_code_of(const std::function<int()>& work) {
    struct Finish {
        ~Finish() { RunWatch::of_this_process().finish(); }
    } finish;
    try {
        return work();
    } catch (const std::bad_alloc&) {
        print_message("not enough memory; choose smaller parameters or fewer blocks");
    } catch (const std::system_error& error) {
        // A thread that cannot start says EAGAIN; all else names what it was about.
        const bool thread = error.code() == std::errc::resource_unavailable_try_again;
        print_message(thread ? "a thread cannot be started: the limits on memory or processes are too low "
                               "(ulimit -v, ulimit -u)"
                             : std::string(error.what()));
    }
    return exit_bad_input;
}

}  // namespace warplens::app
