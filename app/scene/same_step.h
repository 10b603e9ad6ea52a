// SameStep: the step of another run that corresponds to a step: the same warp's n-th execution of the same
// instruction. Instructions are the same where instruction_diff.h aligns them.
#pragma once

#include <map>
#include <string>

#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "core/result.h"

namespace warplens::app {

/// The Spot has `lane` of the one given; without a warp it means the first warp of the trace. Both Scenes
/// have a trace with warps. Fails with what is missing, to follow "PAD=0 has no ": "warp 3 of block 9".
Result<Spot> same_step(const Scene& from, const Spot& spot, const Scene& to);

/// The registers of `to` by those of `from`, as their names: those that more than half of the instructions
/// with either of them have at the same place. A register that is not in it has no counterpart.
std::map<std::string, std::string> same_registers(const Program& from, const Program& to);

}  // namespace warplens::app
