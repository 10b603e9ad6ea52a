#include "app/session/baseline_task.h"

#include <exception>
#include <new>
#include <utility>

#include "app/scene/index_scene.h"
#include "app/scene/what_if.h"

namespace warplens::app {
namespace {

Result<Scene> execute(const BaselineRuns& runs, const KeptRun& kept, const std::function<bool()>& cancelled) {
    try {
        auto scene = kept.file.empty() ? runs.run(kept.request, cancelled)
                     : runs.read       ? runs.read(kept.file)
                                       : fail("there is nothing to read a trace with");
        if (!scene || cancelled()) return scene;
        index_scene(*scene);
        if (runs.model) scene->timing = runs.model.time(*scene, runs.timing, cancelled);
        return scene;
    } catch (const std::exception& error) {
        return fail("{}", error.what());
    }
}

}  // namespace

void BaselineTask::start(BaselineRuns runs) {
    if (runs.kept.empty()) return;
    task_.start([runs = std::move(runs)](const auto& turn) {
        const auto cancelled = [&] { return turn.cancelled(); };
        FoundBaselines found;
        for (std::size_t i = 0; i < runs.kept.size() && !cancelled(); ++i) {
            auto scene = execute(runs, runs.kept[i], cancelled);
            if (!scene) continue;
            if (runs.compared == i) found.compared = found.scenes.size();
            found.scenes.push_back(std::move(*scene));
            found.names.push_back(runs.kept[i].name);
            found.files.push_back(runs.kept[i].file);
        }
        turn.deliver(std::move(found));
    });
}

void BaselineQuestions::ask(const Model& model, const std::shared_ptr<const Scene>& scene) {
    if (!model || !scene || scene == asked_ || scene->what_if || !scene->report || !scene->gpu) return;
    if (!scene->timing || !scene->timing->baseline) return;
    asked_ = scene;
    task_.start([model, scene](const auto& turn) {
        const auto cancelled = [&] { return turn.cancelled(); };
        WhatIf what_if =
            standard_questions(*scene->report, *scene->gpu, scene->timing->baseline->launch.cycles);
        const auto ask = [&](const TimingOptions& options) { return model.ask(*scene, options, cancelled); };
        try {
            while (!cancelled() && answer_next(what_if, ask)) {
            }
        } catch (const std::bad_alloc&) {
            return;  // without answers, as before
        }
        if (!cancelled())
            turn.deliver(AnsweredBaseline{scene, std::make_shared<const WhatIf>(std::move(what_if))});
    });
}

void BaselineQuestions::cancel() {
    task_.cancel();
    asked_ = nullptr;
}

}  // namespace warplens::app
