// EntryFinder: asks for a file's kernels on a thread of its own, because that compiles it. The newest
// question counts; an older one's answer is thrown away.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// The kernels of a file. Errors are the compiler's, with the file's own line.
using FindEntries = std::function<Result<std::vector<instrumentation::EntryFacts>>(
    const instrumentation::KernelFile& kernel)>;

class EntryFinder {
  public:
    using Answer = Result<std::vector<instrumentation::EntryFacts>>;

    /// `wake` is called from the thread when an answer is there.
    EntryFinder(FindEntries find, std::function<void()> wake);
    ~EntryFinder();
    EntryFinder(const EntryFinder&) = delete;
    EntryFinder& operator=(const EntryFinder&) = delete;

    void find(std::shared_ptr<const instrumentation::KernelFile> kernel);
    /// A question has not been answered yet, or its answer was not taken.
    bool busy() const { return asked_ > taken_; }
    std::optional<Answer> take();

  private:
    void work(const std::stop_token& stop);

    FindEntries find_;
    std::function<void()> wake_;
    int asked_ = 0, taken_ = 0;  // UI thread only

    std::mutex mutex_;  // guards the next three
    std::shared_ptr<const instrumentation::KernelFile> waiting_;
    std::optional<Answer> answer_;
    int waiting_number_ = 0;
    std::condition_variable_any changed_;
    std::jthread thread_;  // last: it must end before what it uses
};

}  // namespace warplens::app
