// run(): hands the blocks to worker threads and takes their results back in block order.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "simt/functional/block_runner.h"

namespace warplens::simt {

namespace {

// Blocks that may be finished but not yet handed to the observer, for each worker.
constexpr std::size_t blocks_ahead = 8;

struct FinishedBlock {
    BlockOutcome outcome;
    std::unique_ptr<trace::BlockObserver> observer;
};

class Launch {
  public:
    Launch(const LaunchState& state, trace::Observer* observer)
        : state_(state), observer_(observer), problems_(state.options->max_problems) {}

    RunResult run(std::size_t threads) {
        threads <= 1 ? run_here() : run_parallel(threads);
        result_.problems = problems_.take();
        result_.completed = complete_ && !result_.cancelled;
        return std::move(result_);
    }

    std::size_t block_count() const {
        const auto& chosen = state_.options->blocks;
        return chosen.empty() ? state_.geometry.blocks() : chosen.size();
    }

  private:
    u64 block_at(std::size_t index) const {
        const auto& chosen = state_.options->blocks;
        return chosen.empty() ? index : chosen[index];
    }

    FinishedBlock execute(BlockRunner& runner, std::size_t index) const {
        FinishedBlock done;
        const u64 block = block_at(index);
        if (observer_) done.observer = observer_->begin_block(block);
        done.outcome = runner.run(block, done.observer.get());
        return done;
    }

    /// In block order; false when no further block counts.
    bool take(std::size_t index, FinishedBlock done) {
        BlockOutcome& outcome = done.outcome;
        result_.steps += outcome.steps;
        result_.thread_steps += outcome.thread_steps;
        problems_.append(std::move(outcome.problems));
        complete_ &= outcome.finished;
        result_.cancelled |= outcome.cancelled;
        if (observer_) observer_->finish(block_at(index), std::move(done.observer));
        return !outcome.ends_run && !outcome.cancelled;
    }

    void run_here() {
        BlockRunner runner(state_);
        for (std::size_t i = 0; i < block_count(); ++i) {
            if (!take(i, execute(runner, i))) {
                complete_ = false;
                return;
            }
        }
    }

    void run_parallel(std::size_t threads) {
        std::mutex mutex;
        std::condition_variable changed;
        std::map<std::size_t, FinishedBlock> finished;
        std::size_t next = 0, taken = 0;
        const std::size_t count = block_count();
        bool stop = false;
        std::exception_ptr failure;  // memory that ran out, here or in a worker: nobody may wait for ever

        auto give_up = [&] {
            std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            stop = true;
            changed.notify_all();
        };
        auto work_on = [&] {
            BlockRunner runner(state_);
            for (;;) {
                std::size_t index;
                {
                    std::unique_lock lock(mutex);
                    changed.wait(
                        lock, [&] { return stop || next >= count || next < taken + blocks_ahead * threads; });
                    if (stop || next >= count) return;
                    index = next++;
                }
                FinishedBlock done = execute(runner, index);
                {
                    std::lock_guard lock(mutex);
                    finished.emplace(index, std::move(done));
                }
                changed.notify_all();
            }
        };
        auto work = [&] {
            try {
                work_on();
            } catch (...) {
                give_up();
            }
        };
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < threads; ++i) workers.emplace_back(work);
        while (taken < count) {
            FinishedBlock done;
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return failure || finished.contains(taken); });
                if (failure) break;
                auto at = finished.find(taken);
                done = std::move(at->second);
                finished.erase(at);
            }
            bool go_on = false;
            try {
                go_on = take(taken, std::move(done));
            } catch (...) {
                give_up();
            }
            {
                std::lock_guard lock(mutex);
                ++taken;
                stop |= !go_on;
            }
            changed.notify_all();
            if (!go_on) {
                complete_ = false;
                break;
            }
        }
        workers.clear();
        if (failure) std::rethrow_exception(failure);
    }

    const LaunchState& state_;
    trace::Observer* observer_;
    ProblemLog problems_;
    RunResult result_;
    bool complete_ = true;
};

std::size_t threads_for(const DecodedKernel& kernel, const RunOptions& options) {
    if (kernel.ordered) return 1;
    if (options.threads > 0) return static_cast<std::size_t>(options.threads);
    return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

RunResult run(const Kernel& kernel, const LaunchGeometry& geometry, const std::vector<std::byte>& arguments,
              GlobalMemory& memory, const RunOptions& options, trace::Observer* observer) {
    const auto& decoded = static_cast<const DecodedKernel&>(kernel);
    std::vector<std::byte> parameters = arguments;
    parameters.resize(std::max<std::size_t>(parameters.size(), decoded.kernel_param_bytes));
    LaunchState state = prepare_launch(decoded, geometry, parameters, memory, options);
    const std::size_t blocks = options.blocks.empty() ? geometry.blocks() : options.blocks.size();
    const std::size_t threads = std::min(threads_for(decoded, options), std::max<std::size_t>(1, blocks));
    state.parallel = threads > 1;
    return Launch(state, observer).run(threads);
}

}  // namespace warplens::simt
