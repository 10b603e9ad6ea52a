// NeighbourTask: makes the code of the neighbours of the Scene that a window shows
// (app/pipeline/neighbours.h). It begins when the Scene has not changed for a moment; a newer run ends it
// after the compilation that is under way. See app/session/latest_task.h for its threads.
#pragma once

#include <chrono>

#include "app/pipeline/neighbours.h"
#include "app/session/latest_task.h"

namespace warplens::app {

class NeighbourTask {
  public:
    void set_preparer(PrepareRun prepare, std::chrono::milliseconds delay);
    /// Nothing happens without a preparer.
    void start(RunRequest request, std::string turned);
    void cancel() { task_.cancel(); }

  private:
    PrepareRun prepare_;
    std::chrono::milliseconds delay_{};
    struct Nothing {};
    LatestTask<Nothing> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
