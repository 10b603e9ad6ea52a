#include "app/session/session.h"

#include <algorithm>
#include <exception>

#include "app/scene/measured_index.h"
#include "app/scene/telling_spot.h"

namespace warplens::app {
namespace {

/// A Scene waits so long for its timing, so that quick ones come together; then it is shown without.
constexpr std::chrono::milliseconds wait_for_timing{50};

/// A file of the user's may be called like a kernel of the catalogue.
const std::string& knobs_key(const instrumentation::KernelFile& kernel) {
    return kernel.path.empty() ? kernel.name : kernel.path;
}

}  // namespace

Session::Session(Catalogue catalogue, RunScene run, std::function<void()> wake, Model model)
    : catalogue_(std::move(catalogue)),
      run_(std::move(run)),
      wake_(std::move(wake)),
      model_(std::move(model)),
      bank_fixes_(wake_) {
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
    ++opened_;
    post_run();
}

void Session::replace_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    kernel_ = std::move(kernel);
    std::erase_if(overrides_[knobs_key(*kernel_)], [&](const auto& knob) {
        return !instrumentation::resolve_parameters(*kernel_, std::map<std::string, std::string>{knob});
    });
    post_run();
}

void Session::hold_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    cancel();
    const bool same = kernel_ && knobs_key(*kernel_) == knobs_key(*kernel);
    kernel_ = std::move(kernel);
    if (same) return;
    ++opened_;
    failure_.clear();
    cancelled_ = false;
    scene_.reset();
    selection = {};
}

void Session::refuse(std::string reason) {
    if (!reason.empty()) cancel();
    failure_ = std::move(reason);
}

void Session::set_parameter(const std::string& name, const std::string& value) {
    if (!kernel_) return;
    const auto declared =
        std::ranges::find(kernel_->parameters, name, &instrumentation::ParameterDeclaration::name);
    if (declared == kernel_->parameters.end() || this->value(*declared) == value) return;
    overrides_[knobs_key(*kernel_)][name] = value;
    post_run();
}

void Session::set_gpu(const std::string& name) {
    if (gpu_ == name) return;
    gpu_ = name;
    post_run();
}

void Session::set_engine(Engine engine) {
    engine_chosen_ = true;
    if (engine_ == engine) return;
    engine_ = engine;
    post_run();
}

void Session::look_for_gpu(std::function<Result<std::string>()> find) {
    gpu_search_ = std::jthread([this, find = std::move(find)] {
        Result<std::string> answer = fail("looking for a GPU failed");
        try {
            answer = find();
        } catch (const std::exception& error) {
            answer = fail("looking for a GPU failed: {}", error.what());
        }
        {
            const std::lock_guard lock(mutex_);
            gpu_answer_ = std::move(answer);
        }
        if (wake_) wake_();
    });
}

bool Session::take_gpu_answer() {
    {
        const std::lock_guard lock(mutex_);
        if (!gpu_answer_) return false;
        found_gpu_ = std::move(gpu_answer_);
        gpu_answer_.reset();
    }
    if (*found_gpu_ && !engine_chosen_) {
        engine_ = Engine::cuda;
        if (kernel_) post_run();
    }
    return true;
}

void Session::run_again() { post_run(); }

void Session::set_timing(const TimingOptions& options) {
    if (timing_ == options) return;
    timing_ = options;
    if (running_) post_run();
    else post_timing();
}

void Session::cancel() {
    if (!busy()) return;
    ++wanted_;
    cancelled_ = running_ || cancelled_;
    running_ = modelling_ = asking_ = false;
    if (scene_ && scene_->timing) timing_ = scene_->timing->options;
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    finished_.reset();
}

void Session::show(Scene scene) {
    cancel();
    kernel_ = scene.kernel;
    ++opened_;
    if (kernel_) engine_ = scene.engine;
    if (kernel_)
        for (const auto& [name, value] : scene.parameters)
            overrides_[knobs_key(*kernel_)][name] = instrumentation::to_string(value);
    const bool listed = kernel_ && !kernel_->views.empty();
    const Spot telling = telling_spot(scene, listed ? std::string_view(kernel_->views.front()) : "");
    if (scene.timing) timing_ = scene.timing->options;
    const bool complete = scene.timing && scene.what_if;
    accept(std::move(scene), telling);
    if (!complete) post_timing();
}

std::string Session::value(const instrumentation::ParameterDeclaration& parameter) const {
    if (kernel_) {
        if (const auto set = overrides_.find(knobs_key(*kernel_)); set != overrides_.end())
            if (const auto value = set->second.find(parameter.name); value != set->second.end())
                return value->second;
    }
    return instrumentation::to_string(parameter.fallback);
}

void Session::post_run() {
    if (!kernel_ || !kernel_->has_header) return;  // or it does not say how it is launched
    Job job;
    job.run = RunRequest{kernel_, overrides_[knobs_key(*kernel_)], gpu_, 0, engine_};
    post(std::move(job));
    running_ = true;
    modelling_ = false;
    cancelled_ = false;
}

void Session::post_timing() {
    if (!model_ || !scene_) return;
    Job job;
    job.scene = scene_;
    post(std::move(job));
    modelling_ = true;
}

void Session::post(Job job) {
    job.timing = timing_;
    job.posted = Clock::now();
    asking_ = static_cast<bool>(model_);
    {
        const std::lock_guard lock(mutex_);
        job.ticket = ++wanted_;
        waiting_ = std::move(job);
        finished_.reset();
    }
    changed_.notify_one();
}

void Session::start_sweep(SweepPlan plan) {
    if (kernel_) sweeps_.start({kernel_, overrides_[kernel_->name], gpu_, std::move(plan)});
}

bool Session::poll() {
    const bool swept = sweeps_.poll(), tried = bank_fixes_.poll();
    const bool found = take_gpu_answer() || swept || tried;
    std::optional<Outcome> outcome;
    {
        const std::lock_guard lock(mutex_);
        if (!finished_ || Clock::now() < finished_->show_from) return found;
        outcome.swap(finished_);
    }
    if (outcome->ticket != wanted_) return found;
    running_ = false;
    modelling_ = outcome->stage == Stage::executed;
    asking_ = outcome->stage != Stage::complete;
    if (!outcome->scene) {
        failure_ = outcome->scene.error().message;
    } else if (outcome->executed_anew && shown_ != outcome->ticket) {
        shown_ = outcome->ticket;
        // There was no GPU to run on: the notice says so this once.
        if (engine_ == Engine::cuda && outcome->scene->engine == Engine::simt) engine_ = Engine::simt;
        accept(std::move(*outcome->scene), outcome->telling);
    } else {
        bring_up_to_date(std::move(*outcome->scene));
    }
    return true;
}

void Session::accept(Scene scene, const Spot& telling) {
    scene.generation = ++generation_;
    scene.timing_generation = ++timing_generation_;
    auto fresh = std::make_shared<const Scene>(std::move(scene));
    selection.chosen = scene_ ? carried_over(*scene_, selection.chosen, *fresh, telling) : telling;
    selection.hover = selection.next_hover = {};
    scene_ = std::move(fresh);
    failure_.clear();
    cancelled_ = false;
}

/// The same run with more known of its timing.
void Session::bring_up_to_date(Scene scene) {
    scene.generation = scene_->generation;
    const bool timed_anew = scene.timing != scene_->timing;
    scene.timing_generation = timed_anew ? ++timing_generation_ : scene_->timing_generation;
    // A moment of the old schedule is another one in the new.
    if (timed_anew) selection.chosen.cycle = selection.hover.cycle = selection.next_hover.cycle = no_index;
    scene_ = std::make_shared<const Scene>(std::move(scene));
}

void Session::run(const Job& job, const std::function<bool()>& cancelled, Outcome& outcome) {
    outcome.executed_anew = true;
    outcome.scene = run_(*job.run, cancelled);
    if (!outcome.scene || cancelled()) return;
    if (!outcome.scene->measured) outcome.scene->measured = index_measured(outcome.scene->trace);
    const auto& views = job.run->kernel->views;
    outcome.telling = telling_spot(*outcome.scene, views.empty() ? std::string_view() : views.front());
    outcome.scene->run_milliseconds =
        std::chrono::duration<double, std::milli>(Clock::now() - job.posted).count();
}

/// Delivers the Scene as it is, with its timing, and after each answered question.
void Session::ask_model(const Job& job, const std::function<bool()>& cancelled, Outcome& outcome) {
    outcome.stage = Stage::executed;
    outcome.show_from = Clock::now() + wait_for_timing;
    if (job.run) deliver(outcome, false);
    Scene& scene = *outcome.scene;
    try {
        scene.timing = model_.time(scene, job.timing, cancelled);
    } catch (const std::bad_alloc&) {
        SceneTiming none;
        none.options = job.timing;
        none.absent = "There is not enough memory to model this launch; choose a smaller size.";
        scene.timing = std::make_shared<const SceneTiming>(std::move(none));
    }
    if (cancelled()) return;
    outcome.show_from = {};
    const bool answerable = scene.timing->baseline && scene.report && scene.gpu;
    WhatIf what_if;
    if (answerable && scene.what_if) what_if = *scene.what_if;
    else if (answerable)
        what_if = standard_questions(*scene.report, *scene.gpu, scene.timing->baseline->launch.cycles);
    const auto stage = [&] { return what_if.complete() ? Stage::complete : Stage::timed; };
    do {
        if (answerable) scene.what_if = std::make_shared<const WhatIf>(what_if);
        outcome.stage = stage();
        deliver(outcome, true);
    } while (
        answer_next(what_if,
                    [&](const TimingOptions& options) { return model_.ask(scene, options, cancelled); }) &&
        !cancelled());
}

void Session::carry_out(const Job& job, const std::stop_token& stop) {
    const auto cancelled = [&] { return stop.stop_requested() || wanted_ != job.ticket; };
    Outcome outcome;
    outcome.ticket = job.ticket;
    outcome.scene = fail("The run was cancelled.");
    const auto gave_up = [&](std::string why) {
        outcome.scene = fail("{}", why);
        outcome.stage = Stage::complete;
        outcome.show_from = {};
    };
    try {
        if (job.run) run(job, cancelled, outcome);
        else outcome.scene = *job.scene;
        if (outcome.scene && model_ && !cancelled()) return ask_model(job, cancelled, outcome);
    } catch (const std::bad_alloc&) {
        gave_up("There is not enough memory for this run; choose a smaller size.");
    } catch (const std::exception& error) {
        gave_up(fmt::format("The run failed in a way that Warplens did not expect: {}.", error.what()));
    }
    deliver(outcome, true);
}

void Session::deliver(const Outcome& outcome, bool awake) {
    {
        const std::lock_guard lock(mutex_);
        // A newer request may have come meanwhile; its outcome is the only one of interest.
        if (outcome.ticket != wanted_) return;
        finished_ = outcome;
    }
    if (awake && wake_) wake_();
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
        carry_out(job, stop);
    }
}

}  // namespace warplens::app
