#include "app/session/values_task.h"

#include <exception>
#include <utility>

namespace warplens::app {

ValuesState read_values(const ReadValues& read, const Scene& scene, const ValuesQuestion& question,
                        const std::function<bool()>& cancelled) {
    ValuesState state;
    state.generation = scene.generation;
    state.asked = question;
    try {
        auto found = read(scene, question, cancelled);
        if (found) state.found = std::make_shared<const StepValues>(std::move(*found));
        else state.failure = found.error().message;
    } catch (const std::exception&) {
        state.failure = "there is not enough memory to execute the block again";
    }
    return state;
}

void ValuesTask::ask(std::shared_ptr<const Scene> scene, const ValuesQuestion& question, bool patient) {
    if (!read_ || !scene || !scene->trace) return;
    if (state_.generation == scene->generation && state_.asked == question) {
        next_.reset();
        return;
    }
    Question asked{std::move(scene), question};
    const bool waits = patient && state_.running && state_.generation == asked.scene->generation;
    if (waits) next_ = std::move(asked);
    else start(std::move(asked));
}

void ValuesTask::start(Question asked) {
    next_.reset();
    auto [scene, question] = std::move(asked);
    if (state_.generation != scene->generation) state_.found = nullptr;
    state_.generation = scene->generation;
    state_.asked = question;
    state_.running = true;
    state_.since = std::chrono::steady_clock::now();
    state_.failure.clear();
    task_.start([read = read_, scene = scene, question = question](const auto& attempt) {
        attempt.deliver(read_values(read, *scene, question, [&] { return attempt.cancelled(); }));
    });
}

bool ValuesTask::poll() {
    auto finished = task_.take();
    if (!finished) return false;
    state_ = std::move(*finished);
    if (auto next = std::exchange(next_, std::nullopt)) start(std::move(*next));
    return true;
}

}  // namespace warplens::app
