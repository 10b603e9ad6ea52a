// RunningProgram: a user's program, built for the host, while it runs as a child of ours. Its device memory
// is an arena that both processes see; each launch is a line on a socket, and the program waits for the
// answer. It runs in the folder of its source, reads nothing from standard input, and writes what it prints
// to a file.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "core/result.h"
#include "instrumentation/device/child_process.h"
#include "instrumentation/host_program/program_launch.h"

namespace warplens::instrumentation {

struct ProgramRun {
    std::string program;                           // the executable
    std::string folder;                            // that it runs in
    std::string output;                            // file for what it prints
    std::chrono::duration<double> time_limit{60};  // of the program's own code, not of the launches
    /// Called when the program begins to use a variable of the device: puts what kernels have left in it into
    /// its memory. Empty: nothing.
    std::function<void(const std::string& name, std::span<std::byte> memory)> on_variable;
};

class RunningProgram {
  public:
    static Result<std::unique_ptr<RunningProgram>> start(ProgramRun run);
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    /// The next launch, for which the program then waits; nothing when it has ended without another. Errors:
    /// its time is over, it was cancelled, it died.
    Result<std::optional<ProgramLaunch>> next_launch(const std::function<bool()>& cancelled);
    /// Of the launch that it waits for: its memory as the kernel left it is in the arena.
    Status go_on();
    /// The kernel could not be executed; the program sees a launch failure.
    Status go_on_after_failure(const std::string& why);

    /// The contents of an allocation of the launch that the program waits for.
    std::span<std::byte> memory(const ProgramAllocation& allocation);
    std::span<std::byte> memory(const ProgramVariable& variable);
    /// Whose algorithms it has called so far: "cuBLAS". The host computes them.
    const std::set<std::string>& libraries() const { return libraries_; }
    /// The last lines that it printed.
    std::string printed() const;

  private:
    RunningProgram() = default;
    Status answer(const std::string& line);
    Result<std::optional<std::string>> next_line(const std::function<bool()>& cancelled);

    ProgramRun run_;
    ChildProcess child_;
    std::byte* arena_ = nullptr;
    std::uint64_t arena_bytes_ = 0;
    std::string received_;
    std::set<std::string> libraries_;
    std::chrono::duration<double> used_{0};
};

}  // namespace warplens::instrumentation
