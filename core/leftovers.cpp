#include "core/leftovers.h"

#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>

namespace warplens {
namespace {

enum class Use : int { free, filling, file, folder, process };

struct Slot {
    std::atomic<Use> use = Use::free;
    pid_t process = -1;
    std::array<char, 4096> path{};
};
static_assert(std::atomic<Use>::is_always_lock_free, "a signal handler reads it");

std::array<Slot, 64> slots;
std::atomic<bool> interrupted = false;
std::atomic<bool> asked = false;  // is_interrupted() has answered yes

template <class Fill>
int take_slot(Use use, Fill fill) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        Use expected = Use::free;
        if (!slots[i].use.compare_exchange_strong(expected, Use::filling)) continue;
        fill(slots[i]);
        slots[i].use = use;
        return static_cast<int>(i);
    }
    return -1;
}

int take_path(Use use, const std::string& path) {
    if (path.size() >= slots[0].path.size()) return -1;
    return take_slot(use, [&](Slot& slot) { std::strcpy(slot.path.data(), path.c_str()); });
}

void end_now(int signal) {
    clean_up_leftovers();
    if (signal == SIGINT || signal == SIGALRM || signal == SIGPROF) {
        constexpr std::string_view sentence = "stopped by Ctrl+C\n";
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
        ::_exit(exit_interrupted);
    }
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

void interrupt(int signal) {
    if (interrupted.exchange(true)) end_now(signal);
    constexpr unsigned grace_seconds = 2;
    ::alarm(grace_seconds);
    // Work that asks is_interrupted() does so many times in this processor time, on a busy machine too.
    constexpr itimerval unasked{{0, 0}, {0, 800'000}};
    ::setitimer(ITIMER_PROF, &unasked, nullptr);
    end_listed_processes();
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;  // nohup
    action = {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

Leftover Leftover::file(const std::string& path) { return Leftover(take_path(Use::file, path)); }

Leftover Leftover::folder(const std::string& path) { return Leftover(take_path(Use::folder, path)); }

Leftover Leftover::process(pid_t process) {
    Leftover listed(take_slot(Use::process, [&](Slot& slot) { slot.process = process; }));
    if (interrupted) ::kill(process, SIGKILL);  // the handler has looked through the list already
    return listed;
}

Leftover::Leftover(Leftover&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Leftover& Leftover::operator=(Leftover&& other) noexcept {
    if (this == &other) return *this;
    release();
    slot_ = std::exchange(other.slot_, -1);
    return *this;
}

void Leftover::release() {
    if (slot_ >= 0) slots[static_cast<std::size_t>(std::exchange(slot_, -1))].use = Use::free;
}

bool lists_processes() {
    return std::ranges::any_of(slots, [](const Slot& slot) { return slot.use == Use::process; });
}

void end_listed_processes() {
    for (Slot& slot : slots)
        if (slot.use == Use::process) ::kill(slot.process, SIGKILL);
}

void clean_up_leftovers() {
    end_listed_processes();
    // A process may write its file until it has ended, and one that uses a GPU takes long to end.
    constexpr int most_pauses = 20, pause_ms = 10;
    for (Slot& slot : slots)
        for (int i = 0; i < most_pauses && slot.use == Use::process; ++i) {
            if (::waitpid(slot.process, nullptr, WNOHANG) != 0) break;
            ::poll(nullptr, 0, pause_ms);
        }
    for (Slot& slot : slots)
        if (slot.use == Use::file) ::unlink(slot.path.data());
    for (Slot& slot : slots)
        if (slot.use == Use::folder) ::rmdir(slot.path.data());
}

void watch_signals() {
    handle(SIGTERM, end_now);
    handle(SIGHUP, end_now);
    handle(SIGINT, interrupt);
    handle(SIGALRM, end_now);
    handle(SIGPROF, end_now);
    ::signal(SIGXFSZ, SIG_IGN);  // a write past the limit on file sizes fails with EFBIG instead
}

bool is_interrupted() {
    if (!interrupted) return false;
    if (!asked.exchange(true)) {
        constexpr itimerval none{};
        ::setitimer(ITIMER_PROF, &none, nullptr);
    }
    return true;
}

}  // namespace warplens
