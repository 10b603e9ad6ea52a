#include "app/session/sweep_task.h"

#include <algorithm>
#include <exception>

namespace warplens::app {

void SweepTask::set_runner(RunSweep run) {
    run_ = std::move(run);
    state_.possible = static_cast<bool>(run_);
}

std::optional<SweepRequest> sweep_of_run(const Scene& scene, const SweepPlan& plan) {
    if (!scene.kernel) return std::nullopt;
    for (const SweepAxis& axis : plan.axes)
        if (std::ranges::none_of(scene.kernel->parameters,
                                 [&](const auto& parameter) { return parameter.name == axis.name; }))
            return std::nullopt;
    SweepRequest request{scene.kernel, {}, scene.gpu ? std::string(scene.gpu->name) : std::string(), plan};
    for (const auto& [name, value] : scene.parameters)
        request.overrides[name] = instrumentation::to_string(value);
    return request;
}

bool on_one_sweep(const Scene& a, const Scene& b, const SweepPlan& plan) {
    if (a.kernel != b.kernel || a.gpu != b.gpu) return false;
    auto of_a = a.parameters, of_b = b.parameters;
    for (const SweepAxis& axis : plan.axes) {
        of_a.erase(axis.name);
        of_b.erase(axis.name);
    }
    return of_a == of_b;
}

void SweepTask::start(SweepRequest request, std::optional<SweepRequest> before) {
    if (!run_ || !request.kernel || request.plan.points() == 0) return;
    done_ = 0;
    state_.running = true;
    state_.done = 0;
    state_.points = request.plan.points() * (before ? 2 : 1);
    state_.failure.clear();
    task_.start([this, run = run_, request = std::move(request),
                 before = std::move(before)](const auto& turn) mutable {
        SweepOptions options;
        std::size_t done_before = 0;
        options.cancelled = [&] { return turn.cancelled(); };
        options.progress = [&](std::size_t done) {
            if (turn.cancelled()) return;
            done_ = done_before + done;
            turn.wake();
        };
        const auto swept = [&](const SweepRequest& of) -> Result<Sweep> {
            try {
                return run(of, options);
            } catch (const std::exception& error) {
                return fail("the sweep failed: {}", error.what());
            }
        };
        Swept found{swept(request), nullptr, nullptr};
        if (before && found.sweep && !turn.cancelled()) {
            done_before = request.plan.points();
            if (found.sweep->level_of_times == Level::ptx) before->times = Level::ptx;
            auto other = swept(*before);
            // Two runs are compared at one level.
            if (other && other->level_of_times == Level::ptx &&
                found.sweep->level_of_times == Level::machine) {
                done_before = 0;
                request.times = Level::ptx;
                found.sweep = swept(request);
            }
            if (other) {
                found.before = std::make_shared<const Sweep>(std::move(*other));
                found.before_kernel = before->kernel;
            }
        }
        turn.deliver(std::move(found));
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
    if (!finished->sweep) {
        state_.failure = finished->sweep.error().message;
        return true;
    }
    state_.sweep = std::make_shared<const Sweep>(std::move(*finished->sweep));
    state_.before = std::move(finished->before);
    state_.before_kernel = std::move(finished->before_kernel);
    return true;
}

}  // namespace warplens::app
