#include "instrumentation/host_program/running_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/free_memory.h"
#include "core/read_file.h"

namespace warplens::instrumentation {

namespace {

/// A page takes memory once it is written to. Kernels are executed on a copy of what they use, so the program
/// gets half of what is free.
std::uint64_t bytes_for_arena() {
    constexpr std::uint64_t page = std::uint64_t{1} << 20, most = std::uint64_t{1} << 36;
    return std::clamp(free_memory() / 2 / page * page, 64 * page, most);
}
constexpr std::size_t most_line_bytes = std::size_t{64} << 20, printed_at_most = 2000;
constexpr std::size_t most_libraries = 32;
constexpr auto between_looks = std::chrono::milliseconds(20);

/// A descriptor that is closed when this goes.
struct Descriptor {
    explicit Descriptor(int of) : number(of) {}
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number;
};

}  // namespace

Result<std::unique_ptr<RunningProgram>> RunningProgram::start(ProgramRun run) {
    std::unique_ptr<RunningProgram> running(new RunningProgram);
    const std::uint64_t bytes = running->arena_bytes_ = bytes_for_arena();
    const Descriptor arena(memfd_create("warplens-program", MFD_CLOEXEC));
    if (arena.number < 0 || ftruncate(arena.number, static_cast<off_t>(bytes)) != 0)
        return fail("no memory for the program: {}", std::strerror(errno));
    const Descriptor output(
        ::open(run.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (output.number < 0) return fail("{}: {}", run.output, std::strerror(errno));
    void* const mapped =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, arena.number, 0);
    if (mapped == MAP_FAILED) return fail("no memory for the program: {}", std::strerror(errno));
    running->arena_ = static_cast<std::byte*>(mapped);
    ProgramStart start;
    start.command = {"/bin/sh", "-c", "cd \"$1\" && exec \"$0\"", run.program, run.folder};
    start.descriptors = {null_device, output.number, output.number, arena.number};
    start.variables = {fmt::format("WARPLENS_ARENA_BYTES={}", bytes)};
    auto child = ChildProcess::start_with_socket(std::move(start));
    if (!child) return fail("the program cannot be {}", child.error().message);
    running->child_ = std::move(*child);
    running->run_ = std::move(run);
    return running;
}

RunningProgram::~RunningProgram() {
    child_.kill();
    if (arena_ != nullptr) munmap(arena_, arena_bytes_);
}

Result<std::optional<std::string>> RunningProgram::next_line(const std::function<bool()>& cancelled) {
    for (;;) {
        if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
            std::string line = received_.substr(0, end);
            received_.erase(0, end + 1);
            return line;
        }
        if (received_.size() > most_line_bytes) return fail("the program wrote a line without an end");
        if (cancelled && cancelled()) return fail("the run was cancelled");
        if (used_ > run_.time_limit)
            return fail("the program was stopped: it took more than {} s of its own",
                        static_cast<int>(run_.time_limit.count()));
        const auto begin = Clock::now();
        pollfd socket{child_.channel().socket(), POLLIN, 0};
        const int ready = ::poll(&socket, 1, static_cast<int>(between_looks.count()));
        used_ += Clock::now() - begin;
        if (ready <= 0) continue;
        char bytes[1 << 16];
        const ssize_t count = ::recv(socket.fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count > 0) received_.append(bytes, static_cast<std::size_t>(count));
        else if (count == 0) return std::optional<std::string>();
        else if (errno != EAGAIN && errno != EINTR) return std::optional<std::string>();
    }
}

Result<std::optional<ProgramLaunch>> RunningProgram::next_launch(const std::function<bool()>& cancelled) {
    WARPLENS_TRY(auto line, next_line(cancelled));
    while (line) {
        if (const auto library = read_program_library(*line)) {
            if (libraries_.size() < most_libraries) libraries_.insert(*library);
        } else if (const auto variable = read_program_variable(*line, arena_bytes_)) {
            if (run_.on_variable)
                run_.on_variable(variable->name, {arena_ + variable->offset, variable->bytes});
        } else {
            break;
        }
        WARPLENS_TRY(go_on());
        WARPLENS_TRY(line, next_line(cancelled));
    }
    if (line) {
        WARPLENS_TRY(ProgramLaunch launch, read_program_launch(*line, arena_bytes_));
        return launch;
    }
    child_.ended_by(Clock::now() + std::chrono::seconds(1));
    const std::string end = child_.running() ? "did not end" : child_.how_it_ended();
    if (end == "ended with exit code 0") return std::optional<ProgramLaunch>();
    const std::string said = printed();
    return fail("the program {}{}{}", end, said.empty() ? "" : ", after it printed: ", said);
}

Status RunningProgram::answer(const std::string& line) {
    const ssize_t sent = ::send(child_.channel().socket(), line.data(), line.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(line.size())) return fail("the program does not listen any more");
    return {};
}

Status RunningProgram::go_on() { return answer("go\n"); }

Status RunningProgram::go_on_after_failure(const std::string& why) { return answer("error " + why + "\n"); }

std::span<std::byte> RunningProgram::memory(const ProgramAllocation& allocation) {
    return {arena_ + allocation.offset, allocation.bytes};
}

std::span<std::byte> RunningProgram::memory(const ProgramVariable& variable) {
    return {arena_ + variable.offset, variable.bytes};
}

std::string RunningProgram::printed() const {
    auto text = read_file(run_.output, most_line_bytes);
    if (!text) return {};
    while (!text->empty() && text->back() == '\n') text->pop_back();
    if (text->size() > printed_at_most) text->erase(0, text->size() - printed_at_most);
    return *text;
}

}  // namespace warplens::instrumentation
