#include "app/session.h"

#include <algorithm>
#include <exception>

#include "app/telling_spot.h"

namespace warplens::app {

Session::Session(Catalogue catalogue, RunScene run, std::function<void()> wake)
    : catalogue_(std::move(catalogue)), run_(std::move(run)), wake_(std::move(wake)) {
    worker_ = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
}

Session::~Session() = default;

void Session::open_kernel(std::string_view name) {
    const auto found =
        std::ranges::find_if(catalogue_, [&](const auto& kernel) { return kernel->name == name; });
    if (found != catalogue_.end()) open_kernel(*found);
}

void Session::open_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    if (kernel == kernel_) return;
    kernel_ = std::move(kernel);
    post();
}

void Session::set_parameter(const std::string& name, const std::string& value) {
    if (!kernel_) return;
    const auto declared =
        std::ranges::find(kernel_->parameters, name, &instrumentation::ParameterDeclaration::name);
    if (declared == kernel_->parameters.end() || this->value(*declared) == value) return;
    overrides_[kernel_->name][name] = value;
    post();
}

void Session::set_gpu(const std::string& name) {
    if (gpu_ == name) return;
    gpu_ = name;
    post();
}

void Session::run_again() { post(); }

void Session::cancel() {
    if (!running_) return;
    ++wanted_;
    running_ = false;
    cancelled_ = true;
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    finished_.reset();
}

void Session::show(Scene scene) {
    cancel();
    kernel_ = scene.kernel;
    if (kernel_)
        for (const auto& [name, value] : scene.parameters)
            overrides_[kernel_->name][name] = instrumentation::to_string(value);
    const bool listed = kernel_ && !kernel_->views.empty();
    const Spot telling = telling_spot(scene, listed ? std::string_view(kernel_->views.front()) : "");
    accept(std::move(scene), telling);
}

std::string Session::value(const instrumentation::ParameterDeclaration& parameter) const {
    if (kernel_) {
        if (const auto set = overrides_.find(kernel_->name); set != overrides_.end())
            if (const auto value = set->second.find(parameter.name); value != set->second.end())
                return value->second;
    }
    return instrumentation::to_string(parameter.fallback);
}

void Session::post() {
    if (!kernel_) return;
    Job job;
    job.request = {kernel_, overrides_[kernel_->name], gpu_, 0};
    job.posted = Clock::now();
    {
        const std::lock_guard lock(mutex_);
        job.ticket = ++wanted_;
        waiting_ = std::move(job);
        finished_.reset();
    }
    running_ = true;
    cancelled_ = false;
    changed_.notify_one();
}

bool Session::poll() {
    std::optional<Outcome> outcome;
    {
        const std::lock_guard lock(mutex_);
        outcome.swap(finished_);
    }
    if (!outcome || outcome->ticket != wanted_) return false;
    running_ = false;
    if (outcome->scene) accept(std::move(*outcome->scene), outcome->telling);
    else failure_ = outcome->scene.error().message;
    return true;
}

void Session::accept(Scene scene, const Spot& telling) {
    scene.generation = ++generation_;
    auto fresh = std::make_shared<const Scene>(std::move(scene));
    selection.chosen = scene_ ? carried_over(*scene_, selection.chosen, *fresh, telling) : telling;
    selection.hover = selection.next_hover = {};
    scene_ = std::move(fresh);
    failure_.clear();
    cancelled_ = false;
}

Session::Outcome Session::run(const Job& job, const std::stop_token& stop) {
    const auto cancelled = [&] { return stop.stop_requested() || wanted_ != job.ticket; };
    Outcome outcome{job.ticket, fail("The run was cancelled."), {}};
    try {
        outcome.scene = run_(job.request, cancelled);
        if (outcome.scene && !cancelled()) {
            const auto& views = job.request.kernel->views;
            outcome.telling =
                telling_spot(*outcome.scene, views.empty() ? std::string_view() : views.front());
            outcome.scene->run_milliseconds =
                std::chrono::duration<double, std::milli>(Clock::now() - job.posted).count();
        }
    } catch (const std::bad_alloc&) {
        outcome.scene = fail("There is not enough memory for this run; choose a smaller size.");
    } catch (const std::exception& error) {
        outcome.scene = fail("The run failed in a way that Warplens did not expect: {}.", error.what());
    }
    return outcome;
}

void Session::work(std::stop_token stop) {
    for (;;) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [&] { return waiting_.has_value(); })) return;
            job = std::move(*waiting_);
            waiting_.reset();
        }
        Outcome outcome = run(job, stop);
        {
            const std::lock_guard lock(mutex_);
            // A newer request may have come while this one ran; its outcome is the only one of interest.
            if (outcome.ticket != wanted_) continue;
            finished_ = std::move(outcome);
        }
        if (wake_) wake_();
    }
}

}  // namespace warplens::app
