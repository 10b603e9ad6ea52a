#include "app/window/picture_clipboard.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/start_program.h"

namespace warplens::app {
namespace {

struct Tool {
    const char* display;  // the environment variable that says that its display is there
    std::vector<std::string> command;
};

const std::vector<Tool>& tools() {
    static const std::vector<Tool> all{
        {"WAYLAND_DISPLAY", {"wl-copy", "--type", "image/png"}},
        {"DISPLAY", {"xclip", "-selection", "clipboard", "-t", "image/png", "-i"}}};
    return all;
}

/// A file in memory that is read from its beginning; -1 where there is none.
int memory_file(std::span<const std::uint8_t> bytes) {
    const int file = memfd_create("picture", MFD_CLOEXEC);
    if (file < 0) return -1;
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written <= 0) {
            close(file);
            return -1;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

/// The tool goes to the background by itself once it owns the clipboard.
Status wait_for(pid_t process, const std::string& name) {
    constexpr auto pause = std::chrono::milliseconds(5);
    for (auto waited = std::chrono::milliseconds(0); waited < std::chrono::seconds(3); waited += pause) {
        int status = 0;
        if (waitpid(process, &status, WNOHANG) == process) {
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
            return fail("{} could not put the picture on the clipboard.", name);
        }
        std::this_thread::sleep_for(pause);
    }
    kill(process, SIGTERM);
    waitpid(process, nullptr, 0);
    return fail("{} did not take the picture within three seconds.", name);
}

}  // namespace

Status copy_png(std::span<const std::uint8_t> png) {
    for (const Tool& tool : tools()) {
        const char* display = std::getenv(tool.display);
        if (!display || !*display) continue;
        const int picture = memory_file(png);
        if (picture < 0) return fail("There is no memory to copy the picture.");
        const auto process =
            start_program({.command = tool.command, .descriptors = {picture, null_device, null_device}});
        close(picture);
        if (process) return wait_for(*process, tool.command.front());
    }
    return fail(
        "A picture is copied by xclip, or on Wayland by wl-copy (package wl-clipboard); neither is "
        "installed. "
        "Save it as a file instead.");
}

}  // namespace warplens::app
