#include "app/window/palette/other_words.h"

#include <algorithm>

namespace warplens::app {
namespace {

constexpr OtherWords word_rows[] = {
    {FindableKind::view, "Source", "SASS PTX assembly disassembly hot line instruction mix"},
    {FindableKind::view, "Banks", "bank conflicts shared memory conflict padding swizzle LDS STS"},
    {FindableKind::view, "Sectors",
     "coalescing coalesced uncoalesced alignment vectorized load float4 LDG STG stride"},
    {FindableKind::view, "Map", "access pattern index mapping data layout"},
    {FindableKind::view, "Atomics", "atomicAdd contention"},
    {FindableKind::view, "Lanes", "warp divergence branch divergence active mask predication if else"},
    {FindableKind::view, "Values", "debug debugger variables watch print registers"},
    {FindableKind::view, "Exchange", "warp shuffle shfl ballot vote"},
    {FindableKind::view, "Launches", "dynamic parallelism child kernels"},
    {FindableKind::view, "Hierarchy", "L1 cache L2 cache DRAM HBM cache miss cache hit rate latency"},
    {FindableKind::view, "Pipeline", "double buffering prefetch cp.async overlap"},
    {FindableKind::view, "SM", "streaming multiprocessor scheduler long scoreboard execution unit"},
    {FindableKind::view, "Grid", "load balance tail effect waves heat map grid size"},
    {FindableKind::view, "Problems",
     "race condition racecheck deadlock hang out of bounds illegal address bug error memcheck"},
    {FindableKind::view, "Fragments", "wmma mma tensor cores matrix"},
    {FindableKind::view, "Occupancy",
     "block size register pressure resident warps launch configuration limiter"},
    {FindableKind::view, "Roofline",
     "memory bound compute bound bandwidth throughput flops arithmetic intensity"},
    {FindableKind::view, "What if", "speedup optimize bottleneck"},
    {FindableKind::view, "Sweep", "block size grid size tune autotune plot chart"},
    {FindableKind::view, "Measured", "profiler profile Nsight Compute real time"},
    {FindableKind::view, "Streams", "CUDA graph concurrency memcpy overlap cudaMemcpyAsync"},
    {FindableKind::view, "Timeline", "warp stalls stall reason latency hiding Gantt"},
    {FindableKind::view, "Explain", "advice hints why guide what to try"},
    {FindableKind::kernel, "register_spill", "spilling local memory"},
    {FindableKind::kernel, "vector4_copy", "float4 vectorized load"},
    {FindableKind::command, "Save the open view as a picture", "screenshot export image PNG SVG"},
    {FindableKind::command, "Switch between the dark and the light theme", "dark mode light mode settings"},
    {FindableKind::command, "Show all keyboard shortcuts", "help manual keys settings"},
    {FindableKind::command, "Present: one view, the explanation and the knobs in large type",
     "slide slides projector full screen font size zoom"},
    {FindableKind::command, "Show the lessons", "quiz tutorial course exercise guide help"},
    {FindableKind::command, "Count and time the machine code, or count the PTX again", "SASS"},
    {FindableKind::command, "Keep this run as the baseline to compare with", "diff before after"},
};

}  // namespace

std::span<const OtherWords> all_other_words() { return word_rows; }

std::string_view other_words(FindableKind kind, std::string_view name) {
    const auto* found = std::ranges::find_if(
        word_rows, [&](const OtherWords& row) { return row.kind == kind && row.name == name; });
    return found == std::end(word_rows) ? std::string_view() : found->words;
}

}  // namespace warplens::app
