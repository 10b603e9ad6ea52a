// VirtualDisplay: an X server with no screen behind it (Xvfb) for tests of the real window. It picks a free
// display number itself and ends with the object. Its screen is so large that the pointer, which starts in
// the middle, is outside the window and hovers nothing.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace warplens::app {

class VirtualDisplay {
  public:
    VirtualDisplay() {
        int ends[2];
        if (pipe(ends) != 0) return;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addclose(&actions, ends[0]);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        const std::string ready = std::to_string(ends[1]);
        const char* arguments[] = {"Xvfb",         "-displayfd", ready.c_str(), "-screen", "0",
                                   "4000x2400x24", "-nolisten",  "tcp",         nullptr};
        if (posix_spawnp(&server_, "Xvfb", &actions, nullptr, const_cast<char**>(arguments), environ) != 0)
            server_ = -1;
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        // The server writes its number once it listens; reading ends at once when it could not start.
        for (char digit = 0; server_ > 0 && read(ends[0], &digit, 1) == 1 && digit != '\n';)
            number_.push_back(digit);
        close(ends[0]);
    }
    VirtualDisplay(const VirtualDisplay&) = delete;
    VirtualDisplay& operator=(const VirtualDisplay&) = delete;
    ~VirtualDisplay() {
        if (server_ <= 0) return;
        kill(server_, SIGTERM);
        waitpid(server_, nullptr, 0);
    }

    bool started() const { return !number_.empty(); }
    /// ":7"
    std::string name() const { return ":" + number_; }

  private:
    pid_t server_ = -1;
    std::string number_;
};

}  // namespace warplens::app
