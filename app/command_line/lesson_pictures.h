// Lesson pictures: what a lesson shows, run, selected and drawn, for `lesson check` and `lesson handout`.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/lesson/lesson_numbers.h"
#include "app/pipeline/engines.h"

namespace warplens::app {

class LessonPictures {
  public:
    LessonPictures(std::shared_ptr<Pipeline> pipeline, const LessonNumbers& numbers);

    /// Whether the view exists and the selection is in the run; the error says what is instead.
    Status try_picture(const Lesson& lesson, const LessonPicture& picture);
    /// As an SVG document, `width` pixels wide.
    Result<std::string> draw(const Lesson& lesson, const LessonPicture& picture);

  private:
    Result<const Scene*> scene_of(const LessonRun& run, bool timed);
    Result<Spot> spot_of(const Scene& scene, const LessonRun& run, const LessonPicture& picture) const;

    const LessonNumbers& numbers_;
    std::shared_ptr<Pipeline> pipeline_;
    Engines engines_;
    std::map<std::string, Scene> scenes_;  // of the lesson drawn last
    std::string lesson_;
};

}  // namespace warplens::app
