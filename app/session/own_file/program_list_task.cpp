#include "app/session/own_file/program_list_task.h"

#include <utility>

namespace warplens::app {

void ProgramListTask::start(ProgramInputsRequest request) {
    if (!run_) return;
    // What the new run lists first must not be taken for an older one's.
    forget();
    source_ = request.kernel.source;
    task_.start([this, run = run_, request = std::move(request)](const auto& turn) {
        ProgramInputsRequest asked = request;
        asked.cancelled = [&turn] { return turn.cancelled(); };
        turn.deliver(run(std::move(asked), [&](const ProgramLaunches& so_far) {
            {
                const std::lock_guard lock(mutex_);
                if (turn.cancelled()) return;
                so_far_ = std::make_shared<const ProgramLaunches>(so_far);
            }
            turn.wake();
        }));
    });
}

void ProgramListTask::cancel() {
    task_.cancel();
    const std::lock_guard lock(mutex_);
    so_far_.reset();
}

void ProgramListTask::forget() {
    cancel();
    launches_.reset();
    failure_.clear();
    source_.clear();
}

bool ProgramListTask::poll() {
    bool fresh = false;
    {
        const std::lock_guard lock(mutex_);
        if (so_far_) launches_ = std::move(so_far_), fresh = true;
        so_far_.reset();
    }
    auto answer = task_.take();
    if (!answer) return fresh;
    if (*answer) launches_ = std::make_shared<const ProgramLaunches>(std::move(**answer));
    else failure_ = answer->error().message;
    return true;
}

}  // namespace warplens::app
