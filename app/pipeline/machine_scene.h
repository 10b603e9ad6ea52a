// MachineScene: the machine level of what a Scene shows: the same launch and blocks, executed from the
// machine code that its PTX was assembled to. It takes about as long as the Scene's own run: do not call it
// on the UI thread.
#pragma once

#include <functional>
#include <memory>

#include "app/pipeline/pipeline.h"
#include "app/scene/machine_code.h"

namespace warplens::app {

/// The Scene's launch as its machine code executes it: trace, report and, as its timing, the code that the
/// model times. The error is a sentence: why there is no machine code, or why it did not run to its end.
Result<Scene> run_machine_code(Pipeline& pipeline, const Scene& scene,
                               const std::function<bool()>& cancelled);

/// Always an answer: MachineCode::absent is the reason where there is no machine code.
std::shared_ptr<const MachineCode> machine_code_of(Pipeline& pipeline, const Scene& scene,
                                                   const std::function<bool()>& cancelled);

}  // namespace warplens::app
