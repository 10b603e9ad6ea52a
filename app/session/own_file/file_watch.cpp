#include "app/session/own_file/file_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace warplens::app {
namespace {

/// A file that is missing in this many checks is gone.
constexpr int looks_until_gone = 6;

}  // namespace

FileStamp stamp_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {true, std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
            static_cast<std::uint64_t>(status.st_size), static_cast<std::uint64_t>(status.st_ino)};
}

bool SettledChanges::changed(const FileStamp& now) {
    const bool at_rest = now == last_;
    last_ = now;
    looks_missing_ = now.exists ? 0 : looks_missing_ + 1;
    if (now == known_ || !at_rest) return false;
    if (!now.exists && looks_missing_ < looks_until_gone) return false;
    known_ = now;
    return true;
}

FileWatch::FileWatch(std::function<void()> wake, std::chrono::milliseconds between)
    : wake_(std::move(wake)),
      between_(between),
      thread_([this](const std::stop_token& stop) { look(stop); }) {}

FileWatch::~FileWatch() = default;

void FileWatch::watch(const std::vector<std::string>& paths) {
    const std::lock_guard lock(mutex_);
    std::vector<Watched> watched;
    for (const std::string& path : paths) {
        const auto before = std::ranges::find(watched_, path, &Watched::path);
        watched.push_back(before != watched_.end() ? *before : Watched{path, SettledChanges(stamp_of(path))});
    }
    watched_ = std::move(watched);
}

void FileWatch::forget_changes(const std::string& path) {
    const std::lock_guard lock(mutex_);
    std::erase(changed_, path);
    for (Watched& watched : watched_)
        if (watched.path == path) watched.changes = SettledChanges(stamp_of(path));
}

std::vector<std::string> FileWatch::take_changes() {
    const std::lock_guard lock(mutex_);
    return std::exchange(changed_, {});
}

void FileWatch::look(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        bool found = false;
        for (Watched& watched : watched_) {
            if (!watched.changes.changed(stamp_of(watched.path))) continue;
            found = true;
            if (std::ranges::find(changed_, watched.path) == changed_.end()) changed_.push_back(watched.path);
        }
        if (found && wake_) {
            lock.unlock();
            wake_();
            lock.lock();
        }
        stopping_.wait_for(lock, stop, between_, [] { return false; });
    }
}

}  // namespace warplens::app
