// The baselines of a Session: restored from an earlier one, and brought up to what the Scene shown has.
#include <utility>

#include "app/session/session.h"

namespace warplens::app {

void Session::restore_baselines(std::vector<KeptRun> runs, std::optional<std::size_t> compared) {
    baseline_runs_.start({run_, read_trace_, model_, timing_, std::move(runs), compared});
}

bool Session::take_baselines() {
    auto finished = baseline_runs_.take();
    if (!finished) return false;
    for (std::size_t i = 0; i < finished->scenes.size(); ++i) {
        Scene& scene = finished->scenes[i];
        scene.generation = ++generation_;
        scene.timing_generation = ++timing_generation_;
        baselines.keep(std::make_shared<const Scene>(std::move(scene)), finished->files[i]);
        if (baselines.chosen() == nullptr || finished->names[i].empty()) continue;
        const auto kept = static_cast<std::size_t>(baselines.chosen() - baselines.all().data());
        baselines.rename(kept, finished->names[i]);
    }
    if (finished->compared) baselines.choose(*finished->compared);
    else baselines.choose_none();
    return true;
}

/// What if compares with a restored baseline only once the same questions are answered of it.
bool Session::take_baseline_answers() {
    const Baseline* compared = baselines.other_than(scene_.get());
    if (compared && !busy()) baseline_questions_.ask(model_, compared->scene);
    auto answered = baseline_questions_.take();
    if (!answered) return false;
    auto fresh = std::make_shared<Scene>(*answered->of);
    fresh->what_if = std::move(answered->what_if);
    baselines.replace(answered->of.get(), fresh);
    return true;
}

/// A restored baseline gets its machine level once it is compared with.
bool Session::take_baseline_machine_code() {
    const Baseline* compared = baselines.other_than(scene_.get());
    if (compared && !busy() && !compared->scene->machine && compared->scene->timing &&
        asked_machine_code_of_ != compared->scene->generation) {
        asked_machine_code_of_ = compared->scene->generation;
        baseline_machine_.start(compared->scene, model_, compared->scene->timing->options);
    }
    auto answer = baseline_machine_.take();
    if (!answer) return false;
    for (const Baseline& baseline : baselines.all()) {
        if (baseline.scene->generation != answer->generation) continue;
        auto fresh = std::make_shared<Scene>(*baseline.scene);
        fresh->machine = std::move(answer->code);
        baselines.replace(baseline.scene.get(), fresh);
        return true;
    }
    return false;
}

}  // namespace warplens::app
