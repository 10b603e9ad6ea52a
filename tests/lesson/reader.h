// LessonReader: the whole window with a lesson open, on the real engine, with no display: what a student or a
// teacher clicks, types and sees.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/scene/time_scene.h"
#include "app/window/frame.h"
#include "tests/support/headless.h"

namespace warplens::app {

class LessonReader {
  public:
    LessonReader(const std::string& lessons_folder, const std::string& progress_path,
                 ImVec2 size = {1280, 720})
        : session(
              shared_catalogue(),
              [engines = std::make_shared<Engines>(make_pipeline(), Gpu{}, recordings_folder())](
                  const RunRequest& request, const std::function<bool()>& cancelled) {
                  return engines->run_scene(request, cancelled);
              },
              {}, timing_model()),
          page(session, means(lessons_folder, progress_path)),
          frame(session, layout),
          ui([this](const Theme& theme) { frame.draw(theme); }, size) {
        frame.set_lessons(&page);
    }

    /// Waits until nothing of the open step is being computed. False after two minutes.
    bool settle() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        ui.frame(2);
        while (page.busy() && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            ui.frame();
        }
        ui.frame(2);
        return !page.busy();
    }

    static Catalogue shared_catalogue() {
        Catalogue all;
        std::vector<instrumentation::KernelFile> kernels = catalogue().value();
        for (instrumentation::KernelFile& kernel : kernels)
            all.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
        return all;
    }

    Session session;
    LessonPage page;
    Layout layout;
    Frame frame;
    Headless ui;

  private:
    static LessonMeans means(const std::string& folder, const std::string& progress_path) {
        LessonMeans means;
        means.numbers =
            std::make_shared<LessonNumbers>(make_pipeline(), catalogue().value(), recordings_folder());
        auto files = lesson_files(folder);
        if (files) means.files = std::move(*files);
        else means.no_files = files.error().message;
        means.progress_path = progress_path;
        return means;
    }
};

}  // namespace warplens::app
