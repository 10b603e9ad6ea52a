// Leftovers: partial files, folders of them and child processes, which a process must not leave behind when a
// signal ends it.
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
    /// Its files are listed by themselves: it is removed if it is empty then.
    static Leftover folder(const std::string& path);
    /// Ctrl+C ends it, also one that is listed after Ctrl+C.
    static Leftover process(pid_t process);
    ~Leftover() { release(); }
    Leftover(Leftover&& other) noexcept;
    Leftover& operator=(Leftover&& other) noexcept;
    void release();

  private:
    explicit Leftover(int slot) : slot_(slot) {}
    int slot_ = -1;
};

bool lists_processes();
/// Ends the listed processes, whose results nobody waits for any more. Their owners see them end.
void end_listed_processes();

/// Ends the listed processes, waits shortly for their end and removes the listed files and folders; safe in a
/// signal handler.
void clean_up_leftovers();

/// From now on SIGTERM and SIGHUP clean up and end the process. The first SIGINT ends the listed processes,
/// whose results nobody waits for any more, and asks this one to stop. It cleans up and exits with
/// exit_interrupted after a grace of two seconds, on the second SIGINT, and after 0.8 s of processor time in
/// which nothing asked is_interrupted(): work that cannot be stopped has nothing to tell.
void watch_signals();
bool is_interrupted();
inline constexpr int exit_interrupted = 130;

}  // namespace warplens
