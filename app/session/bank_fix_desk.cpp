#include "app/session/bank_fix_desk.h"

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

BankFixDesk::~BankFixDesk() {
    const std::lock_guard lock(mutex_);
    wanted_ = 0;
}

void BankFixDesk::start(std::shared_ptr<const Scene> scene, std::string array) {
    if (!scene || !scene->trace) return;
    state_ = {};
    state_.generation = scene->generation;
    state_.array = array;
    state_.running = true;
    {
        const std::lock_guard lock(mutex_);
        wanted_ = ++asked_;
        finished_.reset();
    }
    // Those that were given up end by themselves.
    std::erase_if(workers_, [](const Worker& worker) { return worker.done->load(); });
    auto done = std::make_shared<std::atomic<bool>>(false);
    auto work = [this, done, number = asked_, scene = std::move(scene), array = std::move(array)] {
        BankFixState answer = bank_fixes_of(*scene, array);
        bool newest = false;
        {
            const std::lock_guard lock(mutex_);
            newest = wanted_ == number;
            if (newest) finished_ = std::move(answer);
        }
        if (newest && wake_) wake_();
        done->store(true);
    };
    workers_.push_back({done, std::jthread(std::move(work))});
}

bool BankFixDesk::poll() {
    if (!state_.running) return false;
    std::optional<BankFixState> finished;
    {
        const std::lock_guard lock(mutex_);
        finished.swap(finished_);
    }
    if (!finished) return false;
    state_ = std::move(*finished);
    return true;
}

}  // namespace warplens::app
