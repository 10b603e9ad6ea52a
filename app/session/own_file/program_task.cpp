#include "app/session/own_file/program_task.h"

#include <utility>

namespace warplens::app {

void ProgramTask::start(ProgramInputsRequest request) {
    if (!run_) return;
    task_.start([run = run_, request = std::move(request)](const auto& turn) {
        ProgramInputsRequest asked = request;
        asked.cancelled = [&turn] { return turn.cancelled(); };
        turn.deliver(run(std::move(asked)));
    });
}

}  // namespace warplens::app
