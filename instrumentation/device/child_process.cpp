#include "instrumentation/device/child_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace warplens::instrumentation {

namespace {

/// Children that were killed and had not ended yet: the driver may hold on to one for seconds.
struct Lingering {
    std::mutex mutex;
    std::vector<pid_t> processes;

    void add(pid_t process) {
        const std::lock_guard lock(mutex);
        processes.push_back(process);
    }
    bool reap() {
        const std::lock_guard lock(mutex);
        std::erase_if(processes, [](pid_t process) { return waitpid(process, nullptr, WNOHANG) != 0; });
        return processes.empty();
    }
};

Lingering& lingering() {
    static Lingering all;
    return all;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command) {
    // What a kernel prints must not come between the lines of a report.
    auto child =
        start_with_socket({.command = command, .descriptors = {null_device, STDERR_FILENO, STDERR_FILENO}});
    if (!child) return fail("the recorder's process cannot be {}", child.error().message);
    return child;
}

Result<ChildProcess> ChildProcess::start_with_socket(ProgramStart start) {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return fail("talked to: {}", std::strerror(errno));
    }
    ChildProcess child;
    child.channel_ = Channel(ends[0]);
    start.descriptors.push_back(ends[1]);
    const auto started = start_program(start);
    ::close(ends[1]);
    if (!started)
        return fail("started: {}: {}", start.command.empty() ? "no program" : start.command.front(),
                    started.error().message);
    child.process_ = *started;
    child.leftover_ = Leftover::process(*started);
    return child;
}

ChildProcess::~ChildProcess() { kill(); }

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this == &other) return *this;
    kill();
    process_ = std::exchange(other.process_, -1);
    leftover_ = std::move(other.leftover_);
    status_ = other.status_;
    status_known_ = other.status_known_;
    channel_ = std::move(other.channel_);
    return *this;
}

bool ChildProcess::running() {
    if (process_ < 0) return false;
    int status = 0;
    const pid_t found = waitpid(process_, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return true;
    // Not ours any more (found < 0) where the program ignores SIGCHLD: it is gone, and nobody knows how.
    status_known_ = found == process_;
    status_ = status;
    leftover_.release();
    process_ = -1;
    return false;
}

bool ChildProcess::ended_by(Clock::time_point deadline) {
    auto pause = std::chrono::microseconds(100);
    while (running()) {
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(10000));
    }
    return true;
}

void ChildProcess::kill() {
    channel_.close();
    if (!running()) return;
    ::kill(process_, SIGKILL);
    // Tearing a GPU's context down takes a third of a second.
    if (!ended_by(Clock::now() + std::chrono::milliseconds(10))) lingering().add(std::exchange(process_, -1));
}

void ChildProcess::wait_for_killed(Clock::time_point deadline) {
    auto pause = std::chrono::microseconds(100);
    while (!lingering().reap() && Clock::now() < deadline) {
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(10000));
    }
}

std::string ChildProcess::how_it_ended() const {
    if (!status_known_) return "ended";
    if (WIFSIGNALED(status_)) {
        const int signal = WTERMSIG(status_);
        const char* const name = sigabbrev_np(signal);
        return fmt::format("was killed by signal {} (SIG{})", signal, name ? name : "?");
    }
    return fmt::format("ended with exit code {}", WEXITSTATUS(status_));
}

}  // namespace warplens::instrumentation
