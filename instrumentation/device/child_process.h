// ChildProcess: a process of ours that we talk to, started with one end of a socket as its last descriptor.
// It gets nothing else of ours than what is named, and it is killed and waited for when this goes.
//
// That it ends with its parent is seen to in the child (runner_main.cpp), by the socket: PR_SET_PDEATHSIG
// would kill it when the *thread* that started it ends, and a worker thread may end before its program.
#pragma once

#include <string>
#include <vector>

#include "core/leftovers.h"
#include "core/result.h"
#include "core/start_program.h"
#include "instrumentation/device/wire.h"

namespace warplens::instrumentation {

inline constexpr int child_socket = 3;

class ChildProcess {
  public:
    /// The recorder's: its socket is child_socket, after standard error. `command`: program and arguments.
    static Result<ChildProcess> start(const std::vector<std::string>& command);
    /// The socket is the descriptor after those of `start`.
    static Result<ChildProcess> start_with_socket(ProgramStart start);
    ChildProcess() = default;
    ~ChildProcess();
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;

    Channel& channel() { return channel_; }
    /// False when it has ended; it is then no zombie any more.
    bool running();
    /// Ends it, whatever it does, and waits a moment; one that the driver holds on to is waited for later.
    void kill();
    /// Waits for children that were killed and had not ended: until then the GPU's memory is theirs.
    static void wait_for_killed(Clock::time_point deadline);
    /// Waits for its end; false when it has not come.
    bool ended_by(Clock::time_point deadline);
    /// "was killed by signal 9 (SIGKILL)", "ended with exit code 3"; for one that is not running.
    std::string how_it_ended() const;
    int process() const { return process_; }

  private:
    Leftover leftover_;  // so that a signal that ends this process ends the child
    int process_ = -1;   // -1: none, or already waited for
    int status_ = 0;     // as waitpid returned it
    bool status_known_ = false;
    Channel channel_;
};

}  // namespace warplens::instrumentation
