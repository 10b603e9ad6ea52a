// The drawing of the memory hierarchy: the levels one below the other, between them bands as thick as the
// bytes that move, beside them latencies to scale.
#pragma once

#include "app/scene/memory_levels.h"
#include "app/ui/ink.h"

namespace warplens::app {

/// "4.13 MiB": three digits.
std::string volume_words(double bytes);

void draw_levels(const Ink& ink, const MemoryLevels& levels, const Box& box);
/// Latency over the working set, with the kernel's own buffers marked.
void draw_stairs(const Ink& ink, const MemoryLevels& levels, const Box& box);

}  // namespace warplens::app
