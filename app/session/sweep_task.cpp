#include "app/session/sweep_task.h"

#include <exception>

namespace warplens::app {

void SweepTask::set_runner(RunSweep run) {
    run_ = std::move(run);
    state_.possible = static_cast<bool>(run_);
}

void SweepTask::start(SweepRequest request) {
    if (!run_ || !request.kernel || request.plan.points() == 0) return;
    done_ = 0;
    state_.running = true;
    state_.done = 0;
    state_.points = request.plan.points();
    state_.failure.clear();
    task_.start([this, run = run_, request = std::move(request)](const auto& turn) {
        SweepOptions options;
        options.cancelled = [&] { return turn.cancelled(); };
        options.progress = [&](std::size_t done) {
            if (turn.cancelled()) return;
            done_ = done;
            turn.wake();
        };
        try {
            turn.deliver(run(request, options));
        } catch (const std::exception& error) {
            turn.deliver(fail("the sweep failed: {}", error.what()));
        }
    });
}

void SweepTask::cancel() {
    task_.cancel();
    state_.running = false;
}

bool SweepTask::poll() {
    if (!state_.running) return false;
    const bool moved = state_.done != done_;
    state_.done = done_;
    auto finished = task_.take();
    if (!finished) return moved;
    state_.running = false;
    if (*finished) state_.sweep = std::make_shared<const Sweep>(std::move(**finished));
    else state_.failure = finished->error().message;
    return true;
}

}  // namespace warplens::app
