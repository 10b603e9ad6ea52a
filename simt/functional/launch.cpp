// run(): hands the blocks to worker threads and takes their results back in block order.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "simt/functional/gang.h"

namespace warplens::simt {

namespace {

// Blocks that may be finished but not yet handed to the observer, for each worker.
constexpr std::size_t blocks_ahead = 8;

/// One thread's means to run units: a block alone, or a cluster's blocks together.
class Worker {
  public:
    Worker(const LaunchState& state, const BlockPlan& plan, trace::Observer* observer)
        : state_(state), plan_(plan), observer_(observer) {
        if (plan.blocks_per_unit() > 1) gang_.emplace(state, plan, observer);
        else runner_.emplace(state);
    }

    void run(std::size_t unit, const Gang::Done& done) {
        if (gang_) {
            gang_->run(unit, unit + 1, done);
            return;
        }
        FinishedBlock finished;
        const u64 block = plan_.block(unit);
        if (observer_) finished.observer = observer_->begin_block(block);
        finished.outcome = runner_->run(block, finished.observer.get());
        done(unit, std::move(finished));
    }

  private:
    const LaunchState& state_;
    const BlockPlan& plan_;
    trace::Observer* observer_;
    std::optional<BlockRunner> runner_;
    std::optional<Gang> gang_;
};

class Launch {
  public:
    Launch(const LaunchState& state, const BlockPlan& plan, trace::Observer* observer)
        : state_(state), plan_(plan), observer_(observer), problems_(state.options->max_problems) {}

    /// `together`: units may wait for one another, so that all of them are one thread's work.
    RunResult run(std::size_t threads, bool together) {
        if (together) run_together();
        else if (threads <= 1) run_one_by_one();
        else run_parallel(threads);
        result_.problems = problems_.take();
        result_.completed = complete_ && !result_.cancelled;
        return std::move(result_);
    }

  private:
    /// In block order; false when no further block counts.
    bool take(std::size_t index, FinishedBlock done) {
        BlockOutcome& outcome = done.outcome;
        result_.steps += outcome.steps;
        result_.thread_steps += outcome.thread_steps;
        problems_.append(std::move(outcome.problems));
        complete_ &= outcome.finished;
        result_.cancelled |= outcome.cancelled;
        if (observer_) observer_->finish(plan_.block(index), std::move(done.observer));
        return !outcome.ends_run && !outcome.cancelled;
    }

    /// Blocks may end in any order, but are taken in theirs. False once no further block counts.
    bool take_in_order(std::size_t index, FinishedBlock done) {
        finished_.emplace(index, std::move(done));
        for (auto at = finished_.find(taken_); !stopped_ && at != finished_.end();
             at = finished_.find(taken_)) {
            FinishedBlock block = std::move(at->second);
            finished_.erase(at);
            if (!take(taken_++, std::move(block))) {
                stopped_ = true;
                complete_ = false;
            }
        }
        return !stopped_;
    }

    void run_together() {
        Gang gang(state_, plan_, observer_);
        complete_ &= gang.run(0, plan_.units(), [&](std::size_t index, FinishedBlock done) {
            return take_in_order(index, std::move(done));
        });
    }

    void run_one_by_one() {
        Worker worker(state_, plan_, observer_);
        for (std::size_t unit = 0; unit < plan_.units() && !stopped_; ++unit)
            worker.run(unit, [&](std::size_t index, FinishedBlock done) {
                return take_in_order(index, std::move(done));
            });
    }

    void run_parallel(std::size_t threads) {
        std::mutex mutex;
        std::condition_variable changed;
        std::map<std::size_t, FinishedBlock> finished;
        std::size_t next = 0, taken = 0;
        const std::size_t units = plan_.units(), count = plan_.blocks();
        bool stop = false;
        std::exception_ptr failure;  // memory that ran out, here or in a worker: nobody may wait for ever

        auto give_up = [&] {
            std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            stop = true;
            changed.notify_all();
        };
        auto is_near = [&](std::size_t unit) {  // its first block is among the next to be taken
            return plan_.index_of(plan_.first_of_unit(unit)) < taken + blocks_ahead * threads;
        };
        auto work_on = [&] {
            Worker worker(state_, plan_, observer_);
            for (;;) {
                std::size_t unit;
                {
                    std::unique_lock lock(mutex);
                    changed.wait(lock, [&] { return stop || next >= units || is_near(next); });
                    if (stop || next >= units) return;
                    unit = next++;
                }
                worker.run(unit, [&](std::size_t index, FinishedBlock done) {
                    {
                        std::lock_guard lock(mutex);
                        finished.emplace(index, std::move(done));
                    }
                    changed.notify_all();
                    return true;
                });
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
    const BlockPlan& plan_;
    trace::Observer* observer_;
    ProblemLog problems_;
    RunResult result_;
    std::map<std::size_t, FinishedBlock> finished_;
    std::size_t taken_ = 0;
    bool complete_ = true;
    bool stopped_ = false;
};

std::size_t threads_for(const RunOptions& options) {
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
    const BlockPlan plan(geometry, options.blocks);
    const bool together = decoded.ordered || geometry.cooperative;
    const std::size_t threads =
        together ? 1 : std::min(threads_for(options), std::max<std::size_t>(1, plan.units()));
    state.parallel = threads > 1;
    return Launch(state, plan, observer).run(threads, together);
}

}  // namespace warplens::simt
