// Lesson scene: which launch a lesson's run needs, and what a picture selects in its Scene; used by the
// window, the check and the handout.
#pragma once

#include <memory>

#include "app/lesson/lesson.h"
#include "app/pipeline/run_request.h"
#include "app/scene/selection.h"

namespace warplens::app {

RunRequest request_of(const LessonRun& run, std::shared_ptr<const instrumentation::KernelFile> kernel);

/// The error says what is missing: the line of the source, or what the Scene holds instead.
Result<Spot> spot_of(const Scene& scene, const instrumentation::KernelFile& kernel,
                     const LessonPicture& picture);

}  // namespace warplens::app
