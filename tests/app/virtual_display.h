// VirtualDisplay: an X server with no screen behind it (Xvfb) for tests of the real window. It picks a free
// display number itself and ends with the object. Its screen is so large that the pointer, which starts in
// the middle, is outside the window and hovers nothing. It does not reset when its last client leaves: while
// it does, nobody can connect.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "core/start_program.h"

namespace warplens::app {

class VirtualDisplay {
  public:
    VirtualDisplay() {
        int ends[2];
        if (pipe(ends) != 0) return;
        const auto started = start_program({.command = {"Xvfb", "-displayfd", "3", "-screen", "0",
                                                        "4000x2400x24", "-nolisten", "tcp", "-noreset"},
                                            .descriptors = {null_device, null_device, null_device, ends[1]}});
        server_ = started.value_or(-1);
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
