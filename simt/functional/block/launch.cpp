// run(): distributes the blocks to worker threads and collects their results in block order.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "simt/functional/block/co_scheduled_blocks.h"
#include "simt/functional/machine_races.h"
#include "simt/functional/memory/access_problems.h"
#include "simt/functional/races/launch_races.h"
#include "simt/functional/shared_work.h"

namespace warplens::simt {

namespace {

// Limit per worker on finished blocks that the observer has not received yet.
constexpr std::size_t blocks_ahead = 8;
// Approximate warp instructions that a thread executes between two hand-overs: about 50 microseconds.
constexpr u64 steps_of_a_hand_over = 8192;

/// Runs units on one thread: a block alone, or a cluster's blocks together.
class Worker {
  public:
    Worker(const LaunchState& state, const BlockPlan& plan, trace::Observer* observer)
        : plan_(plan), observer_(observer) {
        if (plan.blocks_per_unit() > 1) co_scheduled_.emplace(state, plan, observer);
        else runner_.emplace(state);
    }

    void run(std::size_t unit, const CoScheduledBlocks::Done& done) {
        if (co_scheduled_) {
            co_scheduled_->run(unit, unit + 1, done);
            return;
        }
        FinishedBlock finished;
        const u64 block = plan_.block(unit);
        if (observer_) finished.observer = observer_->begin_block(block);
        finished.outcome = runner_->run(block, finished.observer.get());
        done(unit, std::move(finished));
    }

  private:
    const BlockPlan& plan_;
    trace::Observer* observer_;
    std::optional<BlockRunner> runner_;
    std::optional<CoScheduledBlocks> co_scheduled_;
};

class Launch {
  public:
    Launch(const LaunchState& state, const BlockPlan& plan, trace::Observer* observer)
        : state_(state),
          plan_(plan),
          observer_(observer),
          problems_(state.options->max_problems),
          notes_(state.options->max_problems) {}

    /// `together`: units may wait for each other, so one thread runs all of them.
    RunResult run(std::size_t threads, bool together) {
        if (together) run_together();
        else if (threads <= 1) run_one_by_one();
        else run_parallel(threads);
        result_.problems = problems_.take();
        result_.notes = notes_.take();
        if (state_.races) {
            state_.races->drop_excused(result_.problems);
            doubt_races(state_, result_);
            result_.races_watched_in_part = state_.races->full();
        }
        result_.completed = complete_ && !result_.cancelled;
        return std::move(result_);
    }

  private:
    /// Called in block order; false if later blocks are ignored.
    bool take(std::size_t index, FinishedBlock done) {
        BlockOutcome& outcome = done.outcome;
        ++result_.blocks;
        result_.steps += outcome.steps;
        result_.thread_steps += outcome.thread_steps;
        if (state_.options->keep_work)
            result_.work.push_back({plan_.block(index), outcome.steps, outcome.longest_warp});
        problems_.append(std::move(outcome.problems));
        notes_.append(std::move(outcome.notes));
        keep_printed(std::move(outcome.printed));
        std::ranges::move(outcome.launches, std::back_inserter(result_.launches));
        complete_ &= outcome.finished;
        result_.cancelled |= outcome.cancelled;
        if (observer_) observer_->finish(plan_.block(index), std::move(done.observer));
        const u64 budget = state_.options->step_budget;
        return !outcome.ends_run && !outcome.cancelled && (budget == 0 || result_.steps < budget);
    }

    void keep_printed(PrintedCalls&& of_block) {
        PrintedCalls& kept = result_.printed;
        const std::size_t room = state_.options->max_printed - kept.calls.size();
        const std::size_t taken = std::min(room, of_block.calls.size());
        std::move(of_block.calls.begin(), of_block.calls.begin() + static_cast<std::ptrdiff_t>(taken),
                  std::back_inserter(kept.calls));
        kept.dropped += of_block.dropped + of_block.calls.size() - taken;
    }

    /// Blocks may end in any order but are collected in block order. False if later blocks are ignored.
    bool take_in_order(std::size_t index, FinishedBlock done) {
        if (stopped_) return false;
        if (index != taken_) finished_[index].push_back(std::move(done));
        else take_now(std::move(done));
        for (auto at = finished_.find(taken_); !stopped_ && at != finished_.end();
             at = finished_.find(taken_)) {
            FinishedBlock block = std::move(at->second.front());
            finished_.erase(at);
            take_now(std::move(block));
        }
        return !stopped_;
    }

    void take_now(FinishedBlock block) {
        if (take(taken_++, std::move(block))) return;
        stopped_ = true;
        complete_ &= taken_ == plan_.blocks();
    }

    void run_together() {
        CoScheduledBlocks co_scheduled(state_, plan_, observer_);
        complete_ &= co_scheduled.run(0, plan_.units(), [&](std::size_t index, FinishedBlock done) {
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

    /// Every thread runs blocks; a thread that hands blocks over also collects all that are next in order.
    void run_parallel(std::size_t threads) {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < threads; ++i) others.emplace_back([this, threads] { work(threads); });
        work(threads);
        others.clear();
        if (failure_) std::rethrow_exception(failure_);
    }

    void work(std::size_t threads) {
        // Running out of memory ends the run on all threads, so that none waits forever.
        try {
            Worker worker(state_, plan_, observer_);
            std::vector<std::pair<std::size_t, FinishedBlock>> done;
            for (UnitRange units = claim(threads); units.first < units.end; units = claim(threads)) {
                for (std::size_t unit = units.first; unit < units.end; ++unit)
                    worker.run(unit, [&](std::size_t index, FinishedBlock block) {
                        done.emplace_back(index, std::move(block));
                        return true;
                    });
                hand_over(done);
                done.clear();
            }
        } catch (...) {
            std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            stopped_ = true;
            changed_.notify_all();
        }
    }

    struct UnitRange {
        std::size_t first = 0, end = 0;
    };

    /// The next units for a thread, empty if none are left. Waits while too many blocks are uncollected.
    UnitRange claim(std::size_t threads) {
        std::unique_lock lock(mutex_);
        const std::size_t units = plan_.units();
        std::size_t at_once = 1;
        changed_.wait(lock, [&] {
            if (stopped_ || next_unit_ >= units) return true;
            at_once = units_at_once((units - next_unit_) / threads);
            const std::size_t ahead = std::max(blocks_ahead, 2 * at_once * plan_.blocks_per_unit());
            return plan_.index_of(plan_.first_of_unit(next_unit_)) < taken_ + ahead * threads;
        });
        if (stopped_) return {};
        const UnitRange claimed{next_unit_, std::min(units, next_unit_ + at_once)};
        next_unit_ = claimed.end;
        return claimed;
    }

    /// Enough units to amortize a hand-over, by the average steps of a block so far; fewer near the end, so
    /// that the threads finish together.
    std::size_t units_at_once(std::size_t left_for_a_thread) const {
        if (taken_ == 0) return 1;
        const u64 steps = steps_taken_ / taken_ * plan_.blocks_per_unit() + 1;
        return std::clamp<std::size_t>(steps_of_a_hand_over / steps, 1,
                                       std::max<std::size_t>(1, left_for_a_thread / 4));
    }

    /// Groups consecutive blocks, so that the lock is taken once for many short blocks.
    void hand_over(std::vector<std::pair<std::size_t, FinishedBlock>>& done) {
        std::unique_lock lock(mutex_);
        std::vector<FinishedBlock>* stretch = nullptr;
        for (std::size_t i = 0; i < done.size(); ++i) {
            if (i == 0 || done[i].first != done[i - 1].first + 1) {
                stretch = &finished_[done[i].first];
                stretch->reserve(done.size() - i);
            }
            stretch->push_back(std::move(done[i].second));
        }
        if (taking_) return;  // the collecting thread will see them
        taking_ = true;
        for (auto at = finished_.find(taken_); !stopped_ && at != finished_.end();
             at = finished_.find(taken_)) {
            std::vector<FinishedBlock> blocks = std::move(at->second);
            finished_.erase(at);
            std::size_t index = taken_;
            u64 steps = 0;
            bool more = true;
            lock.unlock();
            for (std::size_t i = 0; i < blocks.size() && more; ++i) {
                steps += blocks[i].outcome.steps;
                more = take(index++, std::move(blocks[i]));
            }
            lock.lock();
            taken_ = index;
            steps_taken_ += steps;
            if (!more) {
                stopped_ = true;
                complete_ &= taken_ == plan_.blocks();
            }
        }
        taking_ = false;
        changed_.notify_all();
    }

    const LaunchState& state_;
    const BlockPlan& plan_;
    trace::Observer* observer_;
    ProblemLog problems_, notes_;
    RunResult result_;
    bool complete_ = true;

    // `mutex_` guards the members below; `result_` and the others belong to the collecting thread.
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::size_t, std::vector<FinishedBlock>> finished_;  // by the first of consecutive blocks
    std::size_t next_unit_ = 0;
    std::size_t taken_ = 0;
    u64 steps_taken_ = 0;
    bool taking_ = false;
    bool stopped_ = false;
    std::exception_ptr failure_;
};

std::size_t threads_for(const RunOptions& options) {
    if (options.threads > 0) return static_cast<std::size_t>(options.threads);
    return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

std::shared_ptr<LaunchRaces> watch_races(const Kernel& kernel) { return watch_races(kernel, {}); }

std::shared_ptr<LaunchRaces> watch_races(const Kernel& kernel, std::string_view ptx) {
    return std::make_shared<LaunchRaces>(static_cast<const DecodedKernel&>(kernel), ptx);
}

bool may_share_work(const Kernel& kernel) { return static_cast<const DecodedKernel&>(kernel).counts; }

RunResult run(const Kernel& kernel, const LaunchGeometry& geometry, const std::vector<std::byte>& arguments,
              GlobalMemory& memory, const RunOptions& options, trace::Observer* observer) {
    const auto& decoded = static_cast<const DecodedKernel&>(kernel);
    std::vector<std::byte> parameters = arguments;
    parameters.resize(std::max<std::size_t>(parameters.size(), decoded.kernel_param_bytes));
    LaunchState state = prepare_launch(decoded, geometry, parameters, memory, options);
    const BlockPlan plan(geometry, options.blocks);
    const bool together = decoded.ordered || geometry.cooperative;
    const std::size_t threads =
        together || options.detect_races || decoded.uses_heap || decoded.launches || options.watch
            ? 1
            : std::min(threads_for(options), std::max<std::size_t>(1, plan.units()));
    state.parallel = threads > 1;
    // Races are detected on one thread: a block's races depend on the blocks before it.
    std::optional<LaunchRaces> races;
    if (options.detect_races) state.races = options.races ? options.races.get() : &races.emplace(decoded);
    return Launch(state, plan, observer).run(threads, together);
}

}  // namespace warplens::simt
