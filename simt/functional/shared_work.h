// Shared work: whether the blocks of a kernel may take work, such as tiles, from a counter in global memory.
// The engine lets blocks that do so take it in turns (block/co_scheduled_blocks.h), so what one of them does
// depends on which others are executed.
#pragma once

#include "simt/functional/engine.h"

namespace warplens::simt {

/// Whether it has an atomic that counts and whose result is used. What the result is used for is not known.
bool may_share_work(const Kernel& kernel);

}  // namespace warplens::simt
