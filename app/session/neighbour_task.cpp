#include "app/session/neighbour_task.h"

#include <exception>
#include <utility>

namespace warplens::app {

namespace {

/// After which no further compilation begins: those that include much take more than a second each.
constexpr std::chrono::milliseconds most_time{1000};

}  // namespace

void NeighbourTask::set_preparer(PrepareRun prepare, std::chrono::milliseconds delay) {
    prepare_ = std::move(prepare);
    delay_ = delay;
}

void NeighbourTask::start(RunRequest request, std::string turned) {
    if (!prepare_ || !request.kernel) return;
    task_.start([prepare = prepare_, delay = delay_, request = std::move(request),
                 turned = std::move(turned)](const auto& turn) {
        if (!turn.wait(delay)) return;
        const auto begun = std::chrono::steady_clock::now();
        for (const RunRequest& each : neighbours(request, turned)) {
            if (turn.cancelled() || std::chrono::steady_clock::now() - begun > most_time) return;
            try {
                prepare(each, [&turn] { return turn.cancelled(); });
            } catch (const std::exception&) {
                return;  // there is not enough memory: a run will say so
            }
        }
    });
}

}  // namespace warplens::app
