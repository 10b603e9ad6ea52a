// MachineCode: the machine instructions that a Scene's PTX was assembled to, with what each of them executed
// in the Scene's blocks and what the assembler asks of the scheduler. Executed after the Scene, on a thread
// of its own; immutable. app/pipeline/machine_scene.h makes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "analysis/report/merged_accesses.h"
#include "app/scene/scene_timing.h"
#include "app/scene/what_if.h"
#include "core/program.h"
#include "trace/trace.h"

namespace warplens::app {

/// One instruction waits until a scoreboard that another one set is zero.
struct ScoreboardArc {
    SiteId setter = 0, waiter = 0;
    std::uint8_t scoreboard = 0;
    bool of_sources = false;  // set when the setter's sources were read; else when its result is written

    friend bool operator==(const ScoreboardArc&, const ScoreboardArc&) = default;
};

struct RequestIndexes;

struct MachineCode {
    std::string absent;  // a sentence: why there is none; the rest is empty then
    std::string target;  // "sm_90"
    std::uint32_t registers_per_thread = 0;
    Program program;                                       // at the machine level
    std::shared_ptr<const analysis::LaunchReport> report;  // of the Scene's blocks, by the CPU engine
    std::string stopped;                     // a sentence: why the counts are not complete; empty: they are
    std::vector<std::uint8_t> stall_counts;  // cycles, one per site
    std::vector<std::uint32_t> live_registers;       // one per site; empty: not known
    std::vector<ScoreboardArc> arcs;                 // by waiter
    std::vector<analysis::MergedAccess> merged;      // with the PTX level's accesses
    std::shared_ptr<const trace::Trace> trace;       // of the Scene's blocks and warps, in its order
    std::shared_ptr<const RequestIndexes> requests;  // of that trace
    std::shared_ptr<const SceneTiming> timing;       // of that trace; null: not asked
    std::shared_ptr<const WhatIf> what_if;  // the standard questions, answered of that trace; null: not yet
};

struct Scene;

/// What the assembler made of an access of the PTX: "The assembler merges 4 PTX loads → 1 LDS.128: …"; of a
/// Scene at the machine level, what the instruction was made of. Empty: nothing special, or not known.
std::string merge_sentence(const Scene& scene, SiteId site);

/// How many accesses of the PTX one machine instruction does, of which this is one, or which is this one; 1:
/// only this.
std::size_t merged_parts(const Scene& scene, SiteId site);

}  // namespace warplens::app
