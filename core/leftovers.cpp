#include "core/leftovers.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

namespace warplens {
namespace {

enum class Use : int { free, filling, file, process };

struct Slot {
    std::atomic<Use> use = Use::free;
    pid_t process = -1;
    std::array<char, 4096> path{};
};
static_assert(std::atomic<Use>::is_always_lock_free, "a signal handler reads it");

std::array<Slot, 64> slots;
std::atomic<bool> interrupted = false;

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

void end_now(int signal) {
    clean_up_leftovers();
    if (signal == SIGINT || signal == SIGALRM) ::_exit(exit_interrupted);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

void interrupt(int signal) {
    if (interrupted.exchange(true)) end_now(signal);
    constexpr unsigned grace_seconds = 2;
    ::alarm(grace_seconds);
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

Leftover Leftover::file(const std::string& path) {
    if (path.size() >= slots[0].path.size()) return {};
    return Leftover(take_slot(Use::file, [&](Slot& slot) { std::strcpy(slot.path.data(), path.c_str()); }));
}

Leftover Leftover::process(pid_t process) {
    return Leftover(take_slot(Use::process, [&](Slot& slot) { slot.process = process; }));
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

void clean_up_leftovers() {
    for (Slot& slot : slots) {
        const Use use = slot.use;
        if (use == Use::file) ::unlink(slot.path.data());
        if (use == Use::process) ::kill(slot.process, SIGKILL);
    }
}

void watch_signals() {
    handle(SIGTERM, end_now);
    handle(SIGHUP, end_now);
    handle(SIGINT, interrupt);
    handle(SIGALRM, end_now);
    ::signal(SIGXFSZ, SIG_IGN);  // a write past the limit on file sizes fails with EFBIG instead
}

bool is_interrupted() { return interrupted; }

}  // namespace warplens
