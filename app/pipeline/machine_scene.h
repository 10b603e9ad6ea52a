// MachineScene: the machine level of what a Scene shows: the same launch and blocks, executed from the
// machine code that its PTX was assembled to. It takes about as long as the Scene's own run: do not call it
// on the UI thread.
#pragma once

#include <functional>
#include <memory>

#include "app/pipeline/pipeline.h"
#include "app/scene/machine_code.h"

namespace warplens::app {

/// Always an answer: MachineCode::absent is the reason where there is no machine code.
std::shared_ptr<const MachineCode> machine_code_of(Pipeline& pipeline, const Scene& scene,
                                                   const std::function<bool()>& cancelled);

}  // namespace warplens::app
