// ProgramSession: a user's program that was built for this machine, while it runs; the CPU engine executes
// its launches on the program's memory. Internal to program_inputs.cpp and program_launches.cpp.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "app/pipeline/program_inputs.h"
#include "app/pipeline/program_variables.h"
#include "instrumentation/host_code/launches.h"
#include "instrumentation/host_program/program_draft.h"
#include "instrumentation/host_program/running_program.h"

namespace warplens::app {

class ProgramSession {
  public:
    struct Launch {
        instrumentation::ProgramLaunch made;
        const instrumentation::EntryFacts* entry = nullptr;  // null: it is none of the compiled kernels
        std::string name;
    };

    /// Builds the program. `request` outlives the session.
    static Result<std::unique_ptr<ProgramSession>> build(Pipeline& pipeline,
                                                         const ProgramInputsRequest& request);
    /// From its beginning; a run before is ended.
    Status start();
    /// The next launch, at which the program waits; nothing: it has ended.
    Result<std::optional<Launch>> next();
    /// Lets the program go on after the launch.
    Status go_on() { return program_->go_on(); }

    /// The launch that the program waits at, on the program's memory. The error is a clause: why it was not,
    /// or what went wrong in it.
    Result<std::shared_ptr<analysis::LaunchReport>> execute(const Launch& launch, ExecuteOptions options);
    bool is_cancelled() const { return request_.cancelled && request_.cancelled(); }

    Result<instrumentation::ProgramDraft> draft_of(const Launch& launch,
                                                   const std::vector<VariableContents>& variables) const;
    /// Of the launch that the program waits at.
    std::vector<std::byte> bytes_of(const instrumentation::ProgramBuffer& buffer, const Launch& launch);
    /// What variables of the device hold at the launch that the program waits at.
    std::vector<VariableContents> variables_at(const Launch& launch) const {
        return variables_.before(launch.made, *program_);
    }
    const std::set<std::string>& libraries() const { return program_->libraries(); }
    /// What it printed, the last of it.
    std::string printed() const { return program_->printed(); }

  private:
    ProgramSession(Pipeline& pipeline, const ProgramInputsRequest& request);
    void take_back(const instrumentation::ProgramBuffer& buffer, const Launch& launch,
                   std::span<const std::byte> bytes);
    std::chrono::duration<double> left() const {
        return std::chrono::duration<double>(request_.engine_seconds) - used_;
    }

    Pipeline& pipeline_;
    const ProgramInputsRequest& request_;
    const instrumentation::host_code::HostCode code_;
    instrumentation::ProgramRun run_;
    std::unique_ptr<instrumentation::RunningProgram> program_;
    ProgramVariables variables_;
    std::chrono::duration<double> used_{0};
};

/// KernelFile::initializers of a launch.
std::vector<std::pair<std::string, std::string>> initializers_of(
    const instrumentation::ProgramLaunch& launch);

}  // namespace warplens::app
