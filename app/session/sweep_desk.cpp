#include "app/session/sweep_desk.h"

#include <exception>

namespace warplens::app {

SweepDesk::~SweepDesk() { cancel(); }

void SweepDesk::employ(RunSweep run, std::function<void()> wake) {
    run_ = std::move(run);
    wake_ = std::move(wake);
    state_.possible = static_cast<bool>(run_);
}

void SweepDesk::start(SweepRequest request) {
    if (!run_ || !request.kernel || request.plan.points() == 0) return;
    cancel();
    done_ = 0;
    state_.running = true;
    state_.done = 0;
    state_.points = request.plan.points();
    state_.failure.clear();
    given_up_ = std::make_shared<std::atomic<bool>>(false);
    // Those that were given up end by themselves.
    workers_.emplace_back([this, request = std::move(request), given_up = given_up_] {
        SweepOptions options;
        options.cancelled = [given_up] { return given_up->load(); };
        options.progress = [this, given_up](std::size_t done) {
            if (given_up->load()) return;
            done_ = done;
            if (wake_) wake_();
        };
        Result<Sweep> sweep = fail("the sweep failed");
        try {
            sweep = run_(request, options);
        } catch (const std::exception& error) {
            sweep = fail("the sweep failed: {}", error.what());
        }
        {
            const std::lock_guard lock(mutex_);
            if (given_up->load()) return;
            finished_ = std::move(sweep);
        }
        if (wake_) wake_();
    });
}

void SweepDesk::cancel() {
    const std::lock_guard lock(mutex_);
    if (given_up_) given_up_->store(true);
    finished_.reset();
    state_.running = false;
}

bool SweepDesk::poll() {
    if (!state_.running) return false;
    const bool moved = state_.done != done_;
    state_.done = done_;
    std::optional<Result<Sweep>> finished;
    {
        const std::lock_guard lock(mutex_);
        finished.swap(finished_);
    }
    if (!finished) return moved;
    state_.running = false;
    if (*finished) state_.sweep = std::make_shared<const Sweep>(std::move(**finished));
    else state_.failure = finished->error().message;
    return true;
}

}  // namespace warplens::app
