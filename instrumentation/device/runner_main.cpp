#include "instrumentation/device/runner_main.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <thread>

#include "instrumentation/device/child_process.h"
#include "instrumentation/device/device_runner.h"

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

/// Ends this process when the parent's end of the socket closes, even while a kernel runs without an end.
void end_with_parent(int socket) {
    while (true) {
        pollfd entry{socket, POLLRDHUP, 0};
        if (poll(&entry, 1, -1) > 0 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL))) _exit(0);
    }
}

/// One conversation; true when the child may go on.
bool serve(DeviceCalls& calls, DeviceRunner& runner, Channel& channel) {
    Json message;
    const Receipt receipt = channel.receive(message, Clock::now() + std::chrono::hours(1));
    if (receipt == Receipt::timed_out) return true;
    std::string ask;
    if (receipt != Receipt::message || !read(message, "ask", ask)) return false;
    const auto answer_by = [] { return Clock::now() + std::chrono::seconds(60); };
    if (ask == "hello") return channel.send(to_message(calls.facts()), answer_by());
    if (ask != "run") return true;  // a request to cancel what has ended meanwhile
    calls.failure.reset();
    RunRequest request;
    RunAnswer answer;
    if (!from_message(message, request)) {
        calls.fail_with(Kind::protocol, "the recorder requested an invalid run");
    } else {
        runner.run(request, answer);
    }
    const Json last = calls.failure ? to_message(*calls.failure) : to_message(answer);
    if (!channel.send(last, answer_by())) return false;
    calls.failure.reset();
    runner.tidy();
    return !calls.context_lost;
}

}  // namespace

int runner_main(int, char**) {
    struct stat facts {};
    if (fstat(child_socket, &facts) != 0 || !S_ISSOCK(facts.st_mode)) {
        std::fprintf(stderr, "warplens %s: only Warplens itself starts this\n", runner_word);
        return 2;
    }
    // Ctrl+C in a terminal reaches both; the parent decides.
    signal(SIGINT, SIG_IGN);
    std::thread(end_with_parent, child_socket).detach();
    Channel channel(child_socket, true);
    const auto soon = [] { return Clock::now() + std::chrono::seconds(60); };
    try {
        DeviceCalls calls;
        if (calls.open()) {
            DeviceRunner runner(calls, channel);
            if (!calls.failure) {
                while (serve(calls, runner, channel)) continue;
                // At once: the driver's own clean-up would wait for a kernel that never ends.
                _exit(calls.context_lost ? 1 : 0);
            }
        }
        channel.send(to_message(*calls.failure), soon());
    } catch (const std::exception& error) {
        channel.send(to_message(GpuFailure{Kind::child_died,
                                           fmt::format("the recorder's process failed: {}", error.what())}),
                     soon());
    }
    _exit(1);
}

}  // namespace warplens::instrumentation
