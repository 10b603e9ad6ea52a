// The search for uniform registers that lanes which are apart need for two values
// (simt/functional/machine/shared_registers.h), in machine code that has been executed already: it runs
// again, on one thread, if a part of a warp wrote a uniform register. Internal to the pipeline.
#pragma once

#include "app/pipeline/pipeline.h"

namespace warplens::app {

struct FoundSharedRegisters {
    std::vector<Problem> notes;  // their sites are the machine code's
    std::string left_out;        // a sentence: why nothing was searched; empty: it was
};

/// `launch` as it was loaded; its buffers may be empty, they are filled again. `report`: of the run before,
/// with the same options. Fails only when cancelled.
Result<FoundSharedRegisters> find_shared_registers(LoadedLaunch launch, const analysis::LaunchReport& report,
                                                   const ExecuteOptions& options);

}  // namespace warplens::app
