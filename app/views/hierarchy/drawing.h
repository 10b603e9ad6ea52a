// The drawing of the memory hierarchy: the levels one below the other, between them bands as thick as the
// bytes that move, beside them latencies to scale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/memory_levels.h"
#include "app/ui/ink.h"

namespace warplens::app {

/// What fits in a memory, "4.13 MiB": three digits, in the powers of two in which memories are sold.
std::string volume_words(double bytes);
/// What moves, "4.33 MB": three digits, in the units of bandwidths, as Roofline and `report` have it.
std::string traffic_words(double bytes);
/// "8.4 → 4.2 MB", "1 MB → 512 kB"; "4 MB" where both read so.
std::string traffic_change_words(double before, double after);
/// "−50 %", "+50 %", "512 ×"; empty where the change is below 0.5 % or the first is 0.
std::string share_change_words(double before, double after);

/// What is drawn as wide as the picture: the same for both of two runs.
struct LevelsScale {
    double bytes = 1, cycles = 1;
    bool shared = false;  // shared memory has a column beside L1
    void join(const MemoryLevels& levels);
};

struct LevelsPicture {
    const MemoryLevels& levels;
    LevelsScale scale;
    const MemoryLevels* before = nullptr;  // of the run to compare with, as outlines; null: none
    std::string_view hits = "hierarchy";   // what names of hit boxes begin with
    bool bars = true;                      // latencies beside the levels; else as numbers in them
};
void draw_levels(const Ink& ink, const LevelsPicture& picture, const Box& box);

/// A working set that is marked on the stairs.
struct StairsMark {
    double bytes = 0;
    std::string words;
};
/// Latency over the working set, with the kernel's own buffers marked.
void draw_stairs(const Ink& ink, const MemoryLevels& levels, const std::vector<StairsMark>& marks,
                 const Box& box);

}  // namespace warplens::app
