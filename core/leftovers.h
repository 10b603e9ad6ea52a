// Leftovers: partial files and child processes, which a process must not leave behind when a signal ends it.
// They are listed in memory that a signal handler may read.
#pragma once

#include <sys/types.h>

#include <string>

namespace warplens {

/// On the list during its lifetime. If the list is full or the path too long, it is not listed, and only the
/// owner's own clean-up remains.
class Leftover {
  public:
    Leftover() = default;
    static Leftover file(const std::string& path);
    static Leftover process(pid_t process);
    ~Leftover() { release(); }
    Leftover(Leftover&& other) noexcept;
    Leftover& operator=(Leftover&& other) noexcept;
    void release();

  private:
    explicit Leftover(int slot) : slot_(slot) {}
    int slot_ = -1;
};

/// Removes the listed files and kills the listed processes; safe in a signal handler.
void clean_up_leftovers();

/// From now on SIGTERM and SIGHUP clean up and end the process. The first SIGINT asks it to stop, see
/// is_interrupted(); after a grace of two seconds, or on the second, it cleans up and exits with
/// exit_interrupted.
void watch_signals();
bool is_interrupted();
inline constexpr int exit_interrupted = 130;

}  // namespace warplens
