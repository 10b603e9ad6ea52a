#include "app/session/advice_task.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace warplens::app {
void AdviceTask::set_adviser(Advise advise, std::chrono::milliseconds delay) {
    advise_ = std::move(advise);
    delay_ = delay;
}

void AdviceTask::start(AdviceRequest request, std::uint64_t generation) {
    if (!advise_ || !request.kernel || state_.generation == generation) return;
    state_ = {generation, true, nullptr};
    patience_ = 1;
    run(std::move(request), delay_);
}

void AdviceTask::go_on(AdviceRequest request) {
    if (!advise_ || !request.kernel || state_.running || !state_.advice || state_.advice->complete) return;
    constexpr int more = 4, most = 256;
    patience_ = std::min(patience_ * more, most);
    request.patience = patience_;
    state_.running = true;
    run(std::move(request), {});
}

void AdviceTask::run(AdviceRequest request, std::chrono::milliseconds delay) {
    task_.start([advise = advise_, delay, request = std::move(request)](const auto& turn) {
        if (!turn.wait(delay)) return;
        Advice advice;
        try {
            advice = advise(request, [&] { return turn.cancelled(); });
        } catch (const std::exception&) {
            advice.absent = "There is not enough memory to try changes of this launch.";
        }
        turn.deliver(std::move(advice));
    });
}

void AdviceTask::show(std::shared_ptr<const Advice> advice, std::uint64_t generation) {
    task_.cancel();
    state_ = {generation, false, std::move(advice)};
}

void AdviceTask::cancel() {
    if (!state_.running) return;
    task_.cancel();
    state_ = {};
}

bool AdviceTask::poll() {
    auto finished = task_.take();
    if (!finished) return false;
    state_.running = false;
    state_.advice = std::make_shared<const Advice>(std::move(*finished));
    return true;
}

}  // namespace warplens::app
