// FileWatch: reports files that another program changed. It reads their time stamps a few times a second,
// on a thread of its own: that works on every file system and with every way of saving — in place, in pieces,
// by renaming, by deleting and creating again. A change counts once two checks in a row find the same state.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace warplens::app {

/// Distinguishes two states of a file without reading it.
struct FileStamp {
    bool exists = false;
    std::int64_t changed_ns = 0;  // since the epoch
    std::uint64_t bytes = 0;
    std::uint64_t inode = 0;

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

FileStamp stamp_of(const std::string& path);

/// One file's stamps as they are seen one after the other.
class SettledChanges {
  public:
    explicit SettledChanges(FileStamp known) : known_(known), last_(known) {}
    /// True when the file differs from what was known and has come to rest. A missing file has to be missing
    /// for a while: editors delete a file before they write it again.
    bool changed(const FileStamp& now);

  private:
    FileStamp known_, last_;
    int looks_missing_ = 0;
};

class FileWatch {
  public:
    /// `wake` is called from the watching thread when a change is there to be taken.
    explicit FileWatch(std::function<void()> wake,
                       std::chrono::milliseconds between = std::chrono::milliseconds(120));
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Replaces the watched paths. A path that was already watched keeps its known state; a new one starts
    /// with its current state.
    void watch(const std::vector<std::string>& paths);
    /// Takes the current state as known: after the program itself has written the file.
    void forget_changes(const std::string& path);
    /// The paths that changed since the last call, each once.
    std::vector<std::string> take_changes();

  private:
    struct Watched {
        std::string path;
        SettledChanges changes;
    };
    void look(const std::stop_token& stop);

    std::function<void()> wake_;
    std::chrono::milliseconds between_;
    std::mutex mutex_;  // guards the next two
    std::vector<Watched> watched_;
    std::vector<std::string> changed_;
    std::condition_variable_any stopping_;
    std::jthread thread_;  // last: it must end before what it uses
};

}  // namespace warplens::app
