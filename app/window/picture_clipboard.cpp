#include "app/window/picture_clipboard.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/window/x11_picture.h"
#include "core/start_program.h"

namespace warplens::app {
namespace {

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

/// wl-copy goes to the background by itself once it owns the clipboard.
Status wait_for_wl_copy(pid_t process) {
    constexpr auto pause = std::chrono::milliseconds(5);
    for (auto waited = std::chrono::milliseconds(0); waited < std::chrono::seconds(3); waited += pause) {
        int status = 0;
        if (waitpid(process, &status, WNOHANG) == process) {
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
            return fail("wl-copy could not put the picture on the clipboard.");
        }
        std::this_thread::sleep_for(pause);
    }
    kill(process, SIGTERM);
    waitpid(process, nullptr, 0);
    return fail("wl-copy did not take the picture within three seconds.");
}

bool has_display(const char* variable) {
    const char* display = std::getenv(variable);
    return display && *display;
}

}  // namespace

Status copy_png(std::span<const std::uint8_t> png) {
    if (has_display("WAYLAND_DISPLAY")) {
        const int picture = memory_file(png);
        if (picture < 0) return fail("There is no memory to copy the picture.");
        const auto process = start_program({.command = {"wl-copy", "--type", "image/png"},
                                            .descriptors = {picture, null_device, null_device}});
        close(picture);
        if (process) return wait_for_wl_copy(*process);
    }
    if (!has_display("DISPLAY"))
        return fail(
            "On Wayland a picture is copied by wl-copy (package wl-clipboard), which is not installed. Save "
            "it "
            "as a file instead.");
    // The newest picture; the clipboard's older one is given up first.
    static std::unique_ptr<X11Picture> offered;
    offered.reset();
    WARPLENS_TRY(offered, X11Picture::offer({png.begin(), png.end()}));
    return {};
}

}  // namespace warplens::app
