#include "instrumentation/compile/work_in_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>

#include "core/leftovers.h"

namespace warplens::instrumentation {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int exit_out_of_memory = 3;

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

[[noreturn]] void run_child(const std::function<std::string()>& work, const ChildLimits& limits, int output) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) ::signal(signal, SIG_DFL);
    // What a crashing compiler writes is of no use to a person.
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO), ::dup2(nowhere, STDERR_FILENO);
    const rlim_t memory = address_space_bytes() + limits.memory_bytes;
    const rlimit space{memory, memory}, no_core{0, 0};
    ::setrlimit(RLIMIT_AS, &space);
    ::setrlimit(RLIMIT_CORE, &no_core);
    try {
        const std::string text = work();
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t written = ::write(output, text.data() + at, text.size() - at);
            if (written < 0 && errno != EINTR) ::_exit(1);
            if (written > 0) at += static_cast<std::size_t>(written);
        }
    } catch (const std::bad_alloc&) {
        ::_exit(exit_out_of_memory);
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(0);
}

/// Everything up to the end; false when the time is up first.
bool read_all(int input, Clock::time_point deadline, std::string& text) {
    std::array<char, 65536> part;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd entry{input, POLLIN, 0};
        if (::poll(&entry, 1, static_cast<int>(left)) <= 0) continue;
        const ssize_t count = ::read(input, part.data(), part.size());
        if (count == 0) return true;
        if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
        else if (errno != EINTR) return true;
    }
}

}  // namespace

Result<std::string> work_in_child(const std::function<std::string()>& work, const ChildLimits& limits) {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return fail("cannot be started: {}", std::strerror(errno));
    const pid_t child = ::fork();
    if (child == 0) run_child(work, limits, ends[1]);
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        return fail("cannot be started: {}", std::strerror(errno));
    }
    const Leftover leftover = Leftover::process(child);
    std::string text;
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(limits.seconds));
    const bool ended = read_all(ends[0], deadline, text);
    ::close(ends[0]);
    if (!ended) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!ended) return fail("did not finish within {} s", limits.seconds);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    if (WIFEXITED(status) && WEXITSTATUS(status) == exit_out_of_memory)
        return fail("needs more than {} MiB of memory", limits.memory_bytes >> 20);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
        return fail("gave up; the source may need more than {} MiB of memory", limits.memory_bytes >> 20);
    return fail("crashed on this source");
}

}  // namespace warplens::instrumentation
