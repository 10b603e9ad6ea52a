#include "app/session/bank_fix_task.h"

#include <exception>
#include <utility>

namespace warplens::app {

BankFixState bank_fixes_of(const Scene& scene, const std::string& array) {
    BankFixState state;
    state.generation = scene.generation;
    state.array = array;
    analysis::BankFixOptions asked;
    asked.array = array;
    try {
        auto found = trace_bank_fixes(*scene.trace, scene.kernel.get(), asked);
        if (found) state.found = std::make_shared<const BankFixRun>(std::move(*found));
        else state.failure = found.error().message;
    } catch (const std::exception& error) {
        state.failure = std::string("the search failed: ") + error.what();
    }
    return state;
}

void BankFixTask::start(std::shared_ptr<const Scene> scene, std::string array) {
    if (!scene || !scene->trace) return;
    state_ = {};
    state_.generation = scene->generation;
    state_.array = array;
    state_.running = true;
    task_.start([scene = std::move(scene), array = std::move(array)](const auto& turn) {
        turn.deliver(bank_fixes_of(*scene, array));
    });
}

bool BankFixTask::poll() {
    auto finished = task_.take();
    if (!finished) return false;
    state_ = std::move(*finished);
    return true;
}

}  // namespace warplens::app
