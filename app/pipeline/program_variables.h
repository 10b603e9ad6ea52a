// ProgramVariables: the variables of the device while a user's program runs. Those that the host uses lie in
// the program's memory; what kernels leave in others is kept here. Internal to program_session.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/variable_contents.h"
#include "instrumentation/host_program/running_program.h"
#include "simt/functional/memory/memory.h"

namespace warplens::app {

class ProgramVariables {
  public:
    /// What they hold when a launch begins, for which the program waits.
    std::vector<VariableContents> before(const instrumentation::ProgramLaunch& launch,
                                         instrumentation::RunningProgram& program) const;
    /// Takes what the launch of the module left in them.
    void after(const instrumentation::ProgramLaunch& launch, instrumentation::RunningProgram& program,
               const Program& module, const simt::GlobalMemory& memory);
    /// The host begins to use one.
    void give(const std::string& name, std::span<std::byte> memory) const;
    void forget() { kept_.clear(); }

  private:
    using Bytes = std::shared_ptr<const std::vector<std::byte>>;
    std::map<std::string, Bytes> kept_;  // by name in the PTX: those that kernels may change
};

}  // namespace warplens::app
