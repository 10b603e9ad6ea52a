#include "instrumentation/compile/work_in_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "core/leftovers.h"
#include "core/start_program.h"

namespace warplens::instrumentation {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int exit_out_of_memory = 3;
constexpr int answer_descriptor = 3;  // as work_in_child starts the child
constexpr const char* own_program = "/proc/self/exe";
constexpr const char* child_variable = "WARPLENS_CHILD";  // so that a child never starts children

bool write_all(int output, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(output, text.data(), text.size());
        if (written < 0 && errno != EINTR) return false;
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

/// A file without a name that holds the text, at its beginning; -1 with errno where there is no memory for
/// it.
int file_in_memory(std::string_view text) {
    const int file = ::memfd_create("question", MFD_CLOEXEC);
    if (file < 0) return -1;
    if (!write_all(file, text) || ::lseek(file, 0, SEEK_SET) != 0) {
        ::close(file);
        return -1;
    }
    return file;
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

Result<std::string> work_in_child(const char* word, std::string_view question, const ChildLimits& limits) {
    if (std::getenv(child_variable)) return fail("cannot be started: this program has no command '{}'", word);
    const int asked = file_in_memory(question);
    if (asked < 0) return fail("cannot be started: {}", std::strerror(errno));
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        const int error = errno;
        ::close(asked);
        return fail("cannot be started: {}", std::strerror(error));
    }
    // This program again. What a crashing compiler writes is of no use to a person.
    const auto started = start_program({.command = {own_program, word, std::to_string(limits.memory_bytes)},
                                        .descriptors = {asked, null_device, null_device, ends[1]},
                                        .variables = {fmt::format("{}={}", child_variable, word)}});
    ::close(asked);
    ::close(ends[1]);
    if (!started) {
        ::close(ends[0]);
        return fail("cannot be started: {}", started.error().message);
    }
    const pid_t child = *started;
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

int answer_parent(int argument_count, char** arguments,
                  const std::function<std::string(std::string question)>& work) {
    if (argument_count != 3 || !std::getenv(child_variable)) {
        std::fprintf(stderr, "warplens %s: only Warplens itself starts this\n", arguments[1]);
        return 2;
    }
    // The thread that started this waits for it, so it may end with that thread.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlim_t memory = address_space_bytes() + std::strtoull(arguments[2], nullptr, 10);
    const rlimit space{memory, memory}, no_core{0, 0};
    ::setrlimit(RLIMIT_AS, &space);
    ::setrlimit(RLIMIT_CORE, &no_core);
    try {
        std::string question;
        if (!read_all(STDIN_FILENO, Clock::now() + std::chrono::minutes(1), question)) ::_exit(1);
        // At once: the library's own clean-up has nothing to save.
        ::_exit(write_all(answer_descriptor, work(std::move(question))) ? 0 : 1);
    } catch (const std::bad_alloc&) {
        ::_exit(exit_out_of_memory);
    } catch (...) {
        ::_exit(1);
    }
}

}  // namespace warplens::instrumentation
