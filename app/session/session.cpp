#include "app/session/session.h"

#include <algorithm>
#include <exception>

#include "app/scene/default_selection.h"
#include "app/scene/index_scene.h"

namespace warplens::app {
namespace {

/// A Scene waits this long for its timing, so that quick ones appear together; then it is shown without it.
constexpr std::chrono::milliseconds wait_for_timing{50};

}  // namespace

Session::Session(Catalogue catalogue, RunScene run, const std::function<void()>& wake, Model model)
    : catalogue_(std::move(catalogue)),
      run_(std::move(run)),
      model_(std::move(model)),
      sweeps_(wake),
      bank_fixes_(wake),
      advice_(wake),
      machine_(wake),
      baseline_machine_(wake),
      values_(wake),
      baseline_values_(wake),
      baseline_runs_(wake),
      baseline_questions_(wake),
      gpu_search_(wake),
      task_(wake) {}

Session::~Session() = default;

void Session::set_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    kernel_ = std::move(kernel);
    knobs_ = kernel_ ? &knobs_of_kernels_[kernel_->path.empty() ? kernel_->name : kernel_->path] : nullptr;
}

void Session::open_kernel(std::string_view name) {
    const auto found =
        std::ranges::find_if(catalogue_, [&](const auto& kernel) { return kernel->name == name; });
    if (found != catalogue_.end()) open_kernel(*found);
}

void Session::open_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    if (kernel == kernel_) return;
    set_kernel(std::move(kernel));
    ++opened_;
    post_run();
}

void Session::replace_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    set_kernel(std::move(kernel));
    std::erase_if(*knobs_, [&](const auto& knob) {
        return !instrumentation::resolve_parameters(*kernel_, Knobs{knob});
    });
    post_run();
}

void Session::hold_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel) {
    cancel();
    const Knobs* before = knobs_;
    set_kernel(std::move(kernel));
    if (knobs_ == before) return;
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

void Session::open_setting(const RunRequest& request) {
    const auto values = [&] {
        std::vector<std::string> all;
        for (const auto& parameter : request.kernel->parameters) all.push_back(value(parameter));
        return all;
    };
    const bool opened = kernel_ != request.kernel;
    const auto before = opened ? std::vector<std::string>{} : values();
    set_kernel(request.kernel);
    *knobs_ = request.overrides;
    const bool same = !opened && values() == before && gpu_ == request.gpu && engine_ == request.engine;
    gpu_ = request.gpu;
    engine_ = request.engine;
    engine_chosen_ = true;
    if (opened) ++opened_;
    if (!same || !failure_.empty() || cancelled_ || (!scene_ && !running_)) post_run();
}

void Session::set_parameter(const std::string& name, const std::string& value) {
    if (!kernel_) return;
    const auto declared =
        std::ranges::find(kernel_->parameters, name, &instrumentation::ParameterDeclaration::name);
    if (declared == kernel_->parameters.end() || this->value(*declared) == value) return;
    (*knobs_)[name] = value;
    turned_ = name;
    post_run();
}

void Session::set_knobs(std::map<std::string, std::string> turned) {
    if (!kernel_ || *knobs_ == turned) return;
    *knobs_ = std::move(turned);
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
    gpu_search_.start([find = std::move(find)](const auto& attempt) {
        try {
            attempt.deliver(find());
        } catch (const std::exception& error) {
            attempt.deliver(fail("looking for a GPU failed: {}", error.what()));
        }
    });
}

bool Session::take_gpu_answer() {
    auto answer = gpu_search_.take();
    if (!answer) return false;
    found_gpu_ = std::move(answer);
    if (*found_gpu_ && !engine_chosen_) {
        engine_ = Engine::cuda;
        if (kernel_) post_run();
    }
    return true;
}

/// The Scene that is shown, with its machine level.
bool Session::take_machine_code() {
    auto answer = machine_.take();
    if (!answer || !scene_ || answer->generation != scene_->generation) return false;
    auto fresh = std::make_shared<Scene>(*scene_);
    fresh->machine = std::move(answer->code);
    baselines.replace(scene_.get(), fresh);
    scene_ = std::move(fresh);
    if (std::exchange(awaits_machine_, false)) select_default(default_view_);
    return true;
}

void Session::run_again() { post_run(); }

void Session::set_timing(const TimingOptions& options) {
    if (timing_ == options) return;
    timing_ = options;
    if (running_) return post_run();
    post_timing();
    machine_.start(scene_, model_, timing_);
}

void Session::cancel() {
    if (!busy()) return;
    task_.cancel();
    cancelled_ = running_ || cancelled_;
    running_ = modelling_ = asking_ = false;
    if (scene_ && scene_->timing) timing_ = scene_->timing->options;
    machine_.start(scene_, model_, timing_);
}

void Session::show(Scene scene, std::string file) {
    cancel();
    set_kernel(scene.kernel);
    ++opened_;
    if (kernel_) engine_ = scene.engine;
    if (kernel_)
        for (const auto& [name, value] : scene.parameters)
            (*knobs_)[name] = instrumentation::to_string(value);
    index_scene(scene);
    const Spot selected = default_selection(scene);
    if (scene.timing) timing_ = scene.timing->options;
    const bool complete = scene.timing && scene.what_if;
    accept(std::move(scene), selected);
    trace_file_ = std::move(file);
    if (!complete) post_timing();
}

std::string Session::value(const instrumentation::ParameterDeclaration& parameter) const {
    if (knobs_ != nullptr)
        if (const auto set = knobs_->find(parameter.name); set != knobs_->end()) return set->second;
    return instrumentation::to_string(parameter.fallback);
}

void Session::post_run() {
    if (!kernel_ || !kernel_->has_header) return;  // or it does not say how it is launched
    Job job;
    job.run = RunRequest{kernel_, *knobs_, gpu_, 0, engine_};
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
    if (job.run) from_run_ = false;
    if (job.run) {
        advice_.cancel();
        neighbours_.cancel();
        machine_.cancel();
        baseline_questions_.cancel();
    }
    task_.start([this, job = std::move(job)](const Task::Attempt& attempt) { carry_out(job, attempt); });
}

void Session::start_sweep(SweepPlan plan, Level times) {
    if (!kernel_) return;
    std::optional<SweepRequest> before;
    const Baseline* baseline = baselines.other_than(scene_.get());
    if (baseline && !on_one_sweep(*baseline->scene, *scene_, plan))
        before = sweep_of_run(*baseline->scene, plan);
    if (before) before->times = times;
    sweeps_.start({kernel_, *knobs_, gpu_, std::move(plan), times}, std::move(before));
}

bool Session::poll() {
    const bool swept = sweeps_.poll(), tried = bank_fixes_.poll(), advised = advice_.poll();
    const bool kept = take_baselines(), assembled = take_machine_code(), read = values_.poll();
    const bool answered = take_baseline_answers(), read_before = baseline_values_.poll();
    const bool compared = take_baseline_machine_code();
    const bool found = take_gpu_answer() || swept || tried || advised || kept || assembled || read ||
                       read_before || answered || compared;
    auto outcome = task_.take([](const Outcome& finished) { return Clock::now() >= finished.show_from; });
    if (!outcome) return found;
    running_ = false;
    modelling_ = outcome->stage == Stage::executed;
    asking_ = outcome->stage != Stage::complete;
    if (!outcome->scene) {
        failure_ = outcome->scene.error().message;
        machine_.start(scene_, model_, timing_);  // that of the Scene that stays
    } else if (outcome->executed && !from_run_) {
        from_run_ = true;
        // There was no GPU to run on: the notice reports it once.
        if (engine_ == Engine::cuda && outcome->scene->engine == Engine::simt) engine_ = Engine::simt;
        accept(std::move(*outcome->scene), outcome->selected);
        if (kernel_) neighbours_.start({kernel_, *knobs_, gpu_, 0, engine_}, turned_);
    } else {
        bring_up_to_date(std::move(*outcome->scene), outcome->selected);
    }
    if (!asking_ && failure_.empty() && kernel_ && kernel_->has_header && scene_->trace)
        advice_.start({kernel_, *knobs_, gpu_}, scene_->generation);
    return true;
}

void Session::accept(Scene scene, const Spot& selected) {
    trace_file_.clear();
    scene.generation = ++generation_;
    scene.timing_generation = ++timing_generation_;
    auto fresh = std::make_shared<const Scene>(std::move(scene));
    const bool by_default = !scene_ || selection.chosen == default_;
    selection.chosen = scene_ ? carried_over(*scene_, selection.chosen, *fresh, selected) : selected;
    default_ = by_default ? selection.chosen : selected;
    default_view_.clear();
    awaits_timing_ = default_ == selected && !fresh->timing;
    awaits_machine_ = default_ == selected && !fresh->machine;
    selection.hover = selection.next_hover = {};
    scene_ = std::move(fresh);
    failure_.clear();
    cancelled_ = false;
    machine_.start(scene_, model_, timing_);
}

/// The same run with more known of its timing.
void Session::bring_up_to_date(Scene scene, const Spot& selected) {
    scene.generation = scene_->generation;
    const bool newly_timed = scene.timing != scene_->timing;
    scene.timing_generation = newly_timed ? ++timing_generation_ : scene_->timing_generation;
    scene.machine = scene_->machine;  // it may have come meanwhile
    // A cycle of the old schedule is a different moment in the new one.
    if (newly_timed) selection.chosen.cycle = selection.hover.cycle = selection.next_hover.cycle = no_index;
    if (newly_timed && std::exchange(awaits_timing_, false) && selection.chosen == default_)
        selection.chosen = default_ =
            default_view_.empty() ? selected : default_selection(scene, default_view_);
    auto fresh = std::make_shared<const Scene>(std::move(scene));
    // Another timing is that of other what-if knobs: a baseline keeps the one it was kept with.
    if (!scene_->timing || !newly_timed) baselines.replace(scene_.get(), fresh);
    scene_ = std::move(fresh);
}

void Session::select_default(std::string_view view) {
    if (!scene_ || !(selection.chosen == default_)) return;
    default_view_ = view;
    selection.chosen = default_ = default_selection(*scene_, view);
}

void Session::run(const Job& job, const Task::Attempt& attempt, Outcome& outcome) const {
    const auto cancelled = [&] { return attempt.cancelled(); };
    outcome.executed = true;
    outcome.scene = run_(*job.run, cancelled);
    if (!outcome.scene || cancelled()) return;
    index_scene(*outcome.scene);
    outcome.selected = default_selection(*outcome.scene);
    outcome.scene->run_milliseconds =
        std::chrono::duration<double, std::milli>(Clock::now() - job.posted).count();
}

/// Delivers the Scene as it is, with its timing, and after each answered question.
void Session::ask_model(const Job& job, const Task::Attempt& attempt, Outcome& outcome) const {
    const auto cancelled = [&] { return attempt.cancelled(); };
    outcome.stage = Stage::executed;
    outcome.show_from = Clock::now() + wait_for_timing;
    if (job.run) attempt.deliver(outcome, false);
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
    outcome.selected = default_selection(scene);
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
        attempt.deliver(outcome);
    } while (
        answer_next(what_if,
                    [&](const TimingOptions& options) { return model_.ask(scene, options, cancelled); }) &&
        !cancelled());
}

void Session::carry_out(const Job& job, const Task::Attempt& attempt) const {
    Outcome outcome;
    outcome.scene = fail("The run was cancelled.");
    const auto gave_up = [&](std::string why) {
        outcome.scene = fail("{}", why);
        outcome.stage = Stage::complete;
        outcome.show_from = {};
    };
    try {
        if (job.run) run(job, attempt, outcome);
        else outcome.scene = *job.scene;
        if (outcome.scene && model_ && !attempt.cancelled()) return ask_model(job, attempt, outcome);
    } catch (const std::bad_alloc&) {
        gave_up("There is not enough memory for this run; choose a smaller size.");
    } catch (const std::exception& error) {
        gave_up(fmt::format("The run failed unexpectedly: {}.", error.what()));
    }
    attempt.deliver(outcome);
}

}  // namespace warplens::app
