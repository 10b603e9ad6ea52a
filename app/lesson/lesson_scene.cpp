#include "app/lesson/lesson_scene.h"

#include "app/lesson/kernel_lines.h"
#include "app/scene/requested_selection.h"

namespace warplens::app {

RunRequest request_of(const LessonRun& run, std::shared_ptr<const instrumentation::KernelFile> kernel) {
    RunRequest request;
    request.kernel = std::move(kernel);
    request.overrides = run.set;
    request.gpu = run.gpu;
    request.engine = run.engine == "recorded" ? Engine::recorded : Engine::simt;
    return request;
}

Result<Spot> spot_of(const Scene& scene, const instrumentation::KernelFile& kernel,
                     const LessonPicture& picture) {
    SpotRequest asked = picture.select;
    if (!picture.at.empty()) {
        WARPLENS_TRY(const auto line, line_with(kernel, picture.at));
        asked.line = line;
    }
    return requested_selection(scene, picture.view, asked);
}

}  // namespace warplens::app
