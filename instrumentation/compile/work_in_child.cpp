#include "instrumentation/compile/work_in_child.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "core/leftovers.h"
#include "core/start_program.h"

namespace warplens::instrumentation {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int exit_out_of_memory = 3;
constexpr int parent_socket = 3;  // as WorkingChild starts the child
constexpr const char* own_program = "/proc/self/exe";
constexpr const char* child_variable = "WARPLENS_CHILD";  // so that a child never starts children

int milliseconds_until(Clock::time_point deadline) {
    return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count());
}

/// To a socket, whose other end may be gone; false as well when the time is up first.
bool write_all(int output, Clock::time_point deadline, std::string_view text) {
    while (!text.empty()) {
        const int left = milliseconds_until(deadline);
        if (left <= 0) return false;
        pollfd entry{output, POLLOUT, 0};
        if (::poll(&entry, 1, left) <= 0) continue;
        const ssize_t written = ::send(output, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// Address space of this process; sanitizers reserve terabytes of it.
std::uint64_t address_space_bytes() {
    std::uint64_t pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
        unsigned long long read = 0;
        if (std::fscanf(file, "%llu", &read) == 1) pages = read;
        std::fclose(file);
    }
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Everything up to the end; false when the time is up first.
bool read_all(int input, Clock::time_point deadline, std::string& text) {
    std::array<char, 65536> part;
    for (;;) {
        const int left = milliseconds_until(deadline);
        if (left <= 0) return false;
        pollfd entry{input, POLLIN, 0};
        if (::poll(&entry, 1, left) <= 0) continue;
        const ssize_t count = ::read(input, part.data(), part.size());
        if (count == 0) return true;
        if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
        else if (errno != EINTR) return true;
    }
}

}  // namespace

WorkingChild::WorkingChild(const char* word, std::string_view about, const ChildLimits& limits)
    : limits_(limits) {
    if (std::getenv(child_variable)) {
        failure_ = fmt::format("cannot be started: this program has no command '{}'", word);
        return;
    }
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        failure_ = fmt::format("cannot be started: {}", std::strerror(errno));
        return;
    }
    // This program again. What a crashing compiler writes is of no use to a person.
    const auto started = start_program(
        {.command = {own_program, word, std::to_string(limits.memory_bytes), std::string(about)},
         .descriptors = {null_device, null_device, null_device, ends[1]},
         .variables = {fmt::format("{}={}", child_variable, word)}});
    ::close(ends[1]);
    if (!started) {
        ::close(ends[0]);
        failure_ = fmt::format("cannot be started: {}", started.error().message);
        return;
    }
    socket_ = ends[0];
    process_ = *started;
    leftover_ = Leftover::process(process_);
}

WorkingChild::~WorkingChild() {
    if (socket_ >= 0) ::close(socket_);
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

bool WorkingChild::running() {
    if (process_ < 0 || ::waitpid(process_, &status_, WNOHANG) != process_) return process_ >= 0;
    leftover_.release();
    process_ = -1;
    return false;
}

Result<std::string> WorkingChild::ask(std::string_view question) {
    if (!failure_.empty()) return fail("{}", failure_);
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(limits_.seconds));
    std::string text;
    write_all(socket_, deadline, question);  // how a child ended that does not listen is said below
    ::shutdown(socket_, SHUT_WR);
    const bool ended = read_all(socket_, deadline, text);
    if (!ended) ::kill(process_, SIGKILL);
    int status = status_;
    if (process_ >= 0)
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
    process_ = -1;
    leftover_.release();
    if (!ended) return fail("did not finish within {} s", limits_.seconds);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    if (WIFEXITED(status) && WEXITSTATUS(status) == exit_out_of_memory)
        return fail("needs more than {} MiB of memory", limits_.memory_bytes >> 20);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
        return fail("gave up; the source may need more than {} MiB of memory", limits_.memory_bytes >> 20);
    return fail("crashed on this source");
}

Result<std::string> work_in_child(const char* word, std::string_view question, const ChildLimits& limits) {
    return WorkingChild(word, "", limits).ask(question);
}

/// Ends this process when the parent has closed its end of the socket: it may have ended.
static void end_with_parent() {
    pollfd entry{parent_socket, 0, 0};
    while (::poll(&entry, 1, -1) < 0 && errno == EINTR) {
    }
    ::_exit(1);
}

int answer_parent(int argument_count, char** arguments, const PrepareWork& prepare,
                  const std::function<std::string(std::string question)>& work) {
    if (argument_count != 4 || !std::getenv(child_variable)) {
        std::fprintf(stderr, "warplens %s: only Warplens itself starts this\n", arguments[1]);
        return 2;
    }
    std::thread(end_with_parent).detach();
    const rlim_t memory = address_space_bytes() + std::strtoull(arguments[2], nullptr, 10);
    const rlimit space{memory, memory}, no_core{0, 0};
    ::setrlimit(RLIMIT_AS, &space);
    ::setrlimit(RLIMIT_CORE, &no_core);
    try {
        std::string question;
        prepare(arguments[3], [] {
            pollfd entry{parent_socket, POLLIN, 0};
            return ::poll(&entry, 1, 0) != 0;
        });
        while (!read_all(parent_socket, Clock::now() + std::chrono::minutes(1), question)) continue;
        // At once: the library's own clean-up has nothing to save.
        ::_exit(write_all(parent_socket, Clock::now() + std::chrono::minutes(1), work(std::move(question)))
                    ? 0
                    : 1);
    } catch (const std::bad_alloc&) {
        ::_exit(exit_out_of_memory);
    } catch (...) {
        ::_exit(1);
    }
}

}  // namespace warplens::instrumentation
