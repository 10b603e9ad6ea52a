// ProgramListTask: the user's program while all of it runs in the background, for the list of its kernels
// (app/pipeline/program_launches.h). Like ProgramTask it runs only when somebody asks for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "app/pipeline/program_launches.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// Set are the kernel and its entries. `so_far` is called from the thread that calls.
using ListProgram = std::function<Result<ProgramLaunches>(
    ProgramInputsRequest request, const std::function<void(const ProgramLaunches&)>& so_far)>;

/// What a view draws of it.
struct ProgramListState {
    bool possible = false;  // an open file has host code that could be run
    bool running = false;
    bool edited = false;  // the text is another one than the list's
    std::string file;     // its name
    /// Of the run under way, of one that was cancelled, or of one that has ended; null: none yet.
    std::shared_ptr<const ProgramLaunches> launches;
    std::string failure;             // why the last run gave none; empty: it did
    std::string shown_symbol;        // the kernel that the window shows; empty: none of the program's
    std::uint32_t shown_launch = 0;  // which of its launches; 0: not one of a run of the program
    bool opening = false;            // that launch is being run for its inputs
};

class ProgramListTask {
  public:
    /// `wake` is called from the thread after each launch.
    explicit ProgramListTask(std::function<void()> wake) : task_(std::move(wake)) {}
    void set_runner(ListProgram run) { run_ = std::move(run); }
    bool possible() const { return run_ != nullptr; }
    void start(ProgramInputsRequest request);
    /// What was listed so far stays.
    void cancel();
    bool running() const { return task_.running(); }
    /// Takes what the thread has done since; true when there is something new to draw.
    bool poll();
    /// Of the last run.
    const std::shared_ptr<const ProgramLaunches>& launches() const { return launches_; }
    const std::string& failure() const { return failure_; }
    /// The text of the program that was run.
    const std::string& source() const { return source_; }
    void forget();

  private:
    ListProgram run_;
    std::string source_, failure_;
    std::shared_ptr<const ProgramLaunches> launches_;
    std::mutex mutex_;                               // guards the next
    std::shared_ptr<const ProgramLaunches> so_far_;  // of the run under way; null: nothing new
    LatestTask<Result<ProgramLaunches>> task_;       // last: it must end before what it uses
};

}  // namespace warplens::app
