// Scene: everything that a frame may draw, immutable while it is drawn. A run makes it off the UI thread; it
// replaces the previous one as a whole.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "app/scene/engine.h"
#include "app/scene/scene_timing.h"
#include "app/scene/what_if.h"
#include "core/gpu_spec.h"
#include "core/result.h"
#include "instrumentation/catalog/kernel.h"
#include "trace/trace.h"

namespace warplens::analysis {
struct CombineTrees;
}

namespace warplens::app {

class MeasuredIndex;
struct MachineCode;
struct RequestIndexes;

struct Scene {
    std::uint64_t generation = 0;  // grows with every run: the key under which views cache what they derive
    std::shared_ptr<const instrumentation::KernelFile> kernel;  // null when a .wltrace was opened
    instrumentation::Values parameters;
    std::shared_ptr<const trace::Trace> trace;             // the blocks kept for looking at
    std::shared_ptr<const MeasuredIndex> measured;         // of the trace's measured times; null: it has none
    std::shared_ptr<const RequestIndexes> requests;        // of the trace, for the views of requests
    std::shared_ptr<const analysis::LaunchReport> report;  // folded over the blocks executed
    std::shared_ptr<const SceneTiming> timing;             // null until the model has answered
    std::uint64_t timing_generation = 0;    // grows with every new `timing`, also within one generation
    std::shared_ptr<const WhatIf> what_if;  // the standard questions; null until the first is asked
    std::shared_ptr<const analysis::CombineTrees>
        trees;  // of the first block; null: values were not followed
    /// Schedules the ways of using streams that the header declares, for SceneTiming::streams. Empty: none,
    /// or they are measured, in the trace.
    std::function<Result<std::vector<trace::Activity>>(const std::function<bool()>& cancelled)> model_streams;
    /// Of another block, executed when asked, in up to about a tenth of a second; null when cancelled. Empty:
    /// values are not followed.
    std::function<std::shared_ptr<const analysis::CombineTrees>(std::uint64_t block,
                                                                const std::function<bool()>& cancelled)>
        trees_of_block;
    std::shared_ptr<const MachineCode> machine;  // of the same blocks; null until it was executed
    const GpuSpec* gpu = nullptr;
    std::uint64_t blocks_in_grid = 0;
    std::uint64_t blocks_executed = 0;  // fewer than blocks_in_grid: a sample, as the status line shows
    double run_milliseconds = 0;        // wall time from knob to scene
    Engine engine = Engine::simt;       // that ran it
    std::string notice;                 // a sentence: how the run differs from the request
    std::string doubt;                  // a clause: which numbers an index may follow from are guesses
};

}  // namespace warplens::app
