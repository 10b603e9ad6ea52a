#include "app/session/own_file/entry_finder.h"

#include <utility>

namespace warplens::app {

EntryFinder::EntryFinder(FindEntries find, std::function<void()> wake)
    : find_(std::move(find)),
      wake_(std::move(wake)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

EntryFinder::~EntryFinder() = default;

void EntryFinder::find(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = std::move(kernel);
        waiting_number_ = ++asked_;
        answer_.reset();
    }
    changed_.notify_one();
}

std::optional<EntryFinder::Answer> EntryFinder::take() {
    const std::lock_guard lock(mutex_);
    if (!answer_) return std::nullopt;
    taken_ = asked_;
    return std::exchange(answer_, std::nullopt);
}

void EntryFinder::work(const std::stop_token& stop) {
    for (;;) {
        std::shared_ptr<const instrumentation::KernelFile> kernel;
        int number = 0;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [&] { return waiting_ != nullptr; })) return;
            kernel = std::exchange(waiting_, nullptr);
            number = waiting_number_;
        }
        Answer answer = find_ ? find_(*kernel) : Answer(fail("nobody can look for the file's kernels"));
        {
            const std::lock_guard lock(mutex_);
            if (number != waiting_number_) continue;
            answer_ = std::move(answer);
        }
        if (wake_) wake_();
    }
}

}  // namespace warplens::app
