#include "app/session/baseline_task.h"

#include <exception>
#include <utility>

#include "app/scene/index_scene.h"

namespace warplens::app {
namespace {

Result<Scene> execute(const BaselineRuns& runs, const RunRequest& request,
                      const std::function<bool()>& cancelled) {
    try {
        auto scene = runs.run(request, cancelled);
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
            auto scene = execute(runs, runs.kept[i].request, cancelled);
            if (!scene) continue;
            if (runs.compared == i) found.compared = found.scenes.size();
            found.scenes.push_back(std::move(*scene));
            found.names.push_back(runs.kept[i].name);
        }
        turn.deliver(std::move(found));
    });
}

}  // namespace warplens::app
