#include "app/session/saved/session_keeper.h"

#include <algorithm>

namespace warplens::app {
namespace {

constexpr double seconds_between_looks = 0.5;

}  // namespace

SessionKeeper::SessionKeeper(std::string path, std::function<void()> wake) : path_(std::move(path)) {
    task_.emplace(std::move(wake));
}

void SessionKeeper::follow(double seconds, const std::function<SavedSession()>& session) {
    if (path_.empty() || !task_) return;
    if (const auto done = task_->take(); done && !*done && !std::exchange(faulty_, true))
        fault_ = "The session cannot be kept: " + done->error().message + ".";
    owes_look_ = true;
    if (seconds - looked_at_ < seconds_between_looks) return;
    looked_at_ = seconds;
    owes_look_ = false;
    SavedSession now = session();
    if (written_ && now == last_) return;
    written_ = true;
    last_ = now;
    // A newer session replaces one that waits; the one that is being written is finished.
    task_->start([path = path_, now = std::move(now)](const auto& turn) {
        const Status saved = save_session(now, path);
        turn.deliver(saved, !saved);
    });
}

double SessionKeeper::due_in(double seconds) const {
    return owes_look_ ? std::max(0.01, looked_at_ + seconds_between_looks - seconds) : 0;
}

void SessionKeeper::finish(const SavedSession& session) {
    if (path_.empty()) return;
    task_.reset();  // waits for what is being written, which is older
    if (const Status saved = save_session(session, path_); !saved)
        fault_ = "The session cannot be kept: " + saved.error().message + ".";
}

}  // namespace warplens::app
