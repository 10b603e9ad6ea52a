// Session keeper: writes the session to its file while the window is open, so that it survives a crash or a
// kill: at most two seconds old, as a whole, on a thread of its own. A frame only compares what has changed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/session/latest_task.h"
#include "app/session/saved/saved_session.h"

namespace warplens::app {

class SessionKeeper {
  public:
    /// An empty path: nothing is kept. `wake` is called from the thread when a fault can be taken.
    explicit SessionKeeper(std::string path, std::function<void()> wake = {});

    /// Once a frame, at `seconds` of any clock; asks for the session twice a second at most.
    void follow(double seconds, const std::function<SavedSession()>& session);
    /// Seconds until follow() wants to be called though nothing happens; 0: it does not.
    double due_in(double seconds) const;
    /// At the end, when nobody waits for a frame any more.
    void finish(const SavedSession& session);
    /// Why the session cannot be written, in a sentence; empty: it can. Taken once.
    std::string take_fault() { return std::exchange(fault_, {}); }

  private:
    std::string path_, fault_;
    SavedSession last_;  // as it was handed to the thread
    bool written_ = false, faulty_ = false, owes_look_ = false;
    double looked_at_ = -1e9;
    std::optional<LatestTask<Status>> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
