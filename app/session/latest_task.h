// LatestTask: work on a thread of its own, of which only the newest counts. Starting another cancels the one
// that runs and replaces the one that waits; an answer to anything but the newest is dropped. Work runs one
// at a time. All calls come from the UI thread, and none waits but for the destructor, which waits for the
// work to notice that it is cancelled.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace warplens::app {

template <typename Answer>
class LatestTask {
  public:
    /// What the work sees of its task.
    class Attempt {
      public:
        bool cancelled() const { return stop_.stop_requested() || task_->newest_ != number_; }
        /// Waits, at most until it is cancelled. True: it was not.
        bool wait(std::chrono::milliseconds delay) const {
            constexpr std::chrono::milliseconds look_again{10};
            const auto begin = std::chrono::steady_clock::now() + delay;
            while (std::chrono::steady_clock::now() < begin && !cancelled())
                std::this_thread::sleep_for(look_again);
            return !cancelled();
        }
        /// May be called several times: an answer that was not taken yet is replaced.
        void deliver(Answer answer, bool wake = true) const {
            {
                const std::lock_guard lock(task_->mutex_);
                if (task_->newest_ != number_) return;
                task_->answer_ = std::move(answer);
            }
            if (wake) this->wake();
        }
        void wake() const {
            if (task_->wake_) task_->wake_();
        }

      private:
        friend class LatestTask;
        Attempt(LatestTask& task, std::uint64_t number, std::stop_token stop)
            : task_(&task), number_(number), stop_(std::move(stop)) {}
        LatestTask* task_;
        std::uint64_t number_;
        std::stop_token stop_;
    };
    using Work = std::function<void(const Attempt&)>;

    /// `wake` is called from the thread when there is an answer.
    explicit LatestTask(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
    LatestTask(const LatestTask&) = delete;
    LatestTask& operator=(const LatestTask&) = delete;

    void start(Work work) {
        {
            const std::lock_guard lock(mutex_);
            ++newest_;
            waiting_ = std::move(work);
            answer_.reset();
        }
        running_ = true;
        if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
        changed_.notify_one();
    }

    void cancel() {
        const std::lock_guard lock(mutex_);
        ++newest_;
        waiting_ = nullptr;
        answer_.reset();
        running_ = false;
    }

    /// Something was started, not cancelled, and no answer taken yet.
    bool running() const { return running_; }

    /// The newest answer, once; `ready` may leave it for later.
    std::optional<Answer> take(const std::function<bool(const Answer&)>& ready = {}) {
        const std::lock_guard lock(mutex_);
        if (!answer_ || (ready && !ready(*answer_))) return std::nullopt;
        running_ = false;
        return std::exchange(answer_, std::nullopt);
    }

  private:
    void run(const std::stop_token& stop) {
        for (;;) {
            Work work;
            std::uint64_t number = 0;
            {
                std::unique_lock lock(mutex_);
                if (!changed_.wait(lock, stop, [&] { return waiting_ != nullptr; })) return;
                work = std::exchange(waiting_, nullptr);
                number = newest_;
            }
            work(Attempt(*this, number, stop));
        }
    }

    std::function<void()> wake_;
    bool running_ = false;  // UI thread only
    std::mutex mutex_;      // guards the next three; newest_ is also read without it
    std::atomic<std::uint64_t> newest_ = 0;
    Work waiting_;
    std::optional<Answer> answer_;
    std::condition_variable_any changed_;
    std::jthread thread_;  // last: it must end before what it uses
};

}  // namespace warplens::app
