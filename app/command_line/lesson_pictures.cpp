#include "app/command_line/lesson_pictures.h"

#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/lesson/lesson_scene.h"
#include "app/pipeline/machine_scene.h"
#include "app/scene/measured_index.h"
#include "app/scene/time_scene.h"
#include "app/views/view.h"
#include "app/window/pictures.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::app {

LessonPictures::LessonPictures(std::shared_ptr<Pipeline> pipeline, const LessonNumbers& numbers)
    : numbers_(numbers),
      pipeline_(pipeline),
      engines_(std::move(pipeline), gpu_of_this_machine(), recordings_folder()) {}

Result<const Scene*> LessonPictures::scene_of(const LessonRun& run, bool timed) {
    if (should_stop()) return fail("the lesson's runs were stopped");
    if (auto found = scenes_.find(run.name); found == scenes_.end()) {
        WARPLENS_TRY(const auto kernel, numbers_.kernel(run.kernel));
        const RunRequest request =
            request_of(run, std::make_shared<const instrumentation::KernelFile>(*kernel));
        WARPLENS_TRY(auto scene, engines_.run_scene(request, should_stop));
        scene.measured = index_measured(scene.trace);
        scenes_.emplace(run.name, std::move(scene));
    }
    Scene& scene = scenes_.at(run.name);
    if (timed && scene.timing == nullptr) {
        scene.timing = time_scene(scene, {}, should_stop);
        scene.timing_generation = 1;
        scene.machine = machine_code_of(*pipeline_, scene, should_stop);
    }
    return &scene;
}

Result<Spot> LessonPictures::spot_of(const Scene& scene, const LessonRun& run,
                                     const LessonPicture& picture) const {
    WARPLENS_TRY(const auto kernel, numbers_.kernel(run.kernel));
    return app::spot_of(scene, *kernel, picture);
}

Status LessonPictures::try_picture(const Lesson& lesson, const LessonPicture& picture) {
    if (find_view(picture.view) == nullptr) {
        std::vector<std::string> names;
        for (const ViewEntry& entry : view_entries()) names.push_back(entry.name);
        return fail("there is no view `{}`{} (known: {})", picture.view,
                    instrumentation::did_you_mean(picture.view, names), instrumentation::listed(names));
    }
    if (lesson_ != lesson.path) scenes_.clear();
    lesson_ = lesson.path;
    const LessonRun& run = *lesson.run(picture.run);
    WARPLENS_TRY(const auto scene, scene_of(run, picture.select.cycle.has_value()));
    WARPLENS_TRY(spot_of(*scene, run, picture));
    return {};
}

Result<std::string> LessonPictures::draw(const Lesson& lesson, const LessonPicture& picture) {
    WARPLENS_TRY(try_picture(lesson, picture));
    const LessonRun& run = *lesson.run(picture.run);
    WARPLENS_TRY(const auto scene, scene_of(run, true));
    WARPLENS_TRY(const auto spot, spot_of(*scene, run, picture));
    Selection selection;
    selection.chosen = spot;
    constexpr PictureSize size{
        800, 600, 1, false};  // little more than the column of a handout, so that words stay legible
    return capture_view_svg(*scene, picture.view, size, ThemeName::light, selection);
}

}  // namespace warplens::app
