// CountedLines: the counts of each line of the CUDA and of the PTX, of the instructions that are asked for:
// the PTX's, or the machine instructions that were made of the line.
#pragma once

#include <algorithm>
#include <vector>

#include "analysis/report/inlined_lines.h"
#include "analysis/report/source_map.h"
#include "app/scene/scene.h"
#include "app/views/shared/machine_level.h"
#include "core/provenance.h"

namespace warplens::app {

class CountedLines {
  public:
    /// Counts again where the Scene or the level is another one. `counts`: machine only where
    /// why_not_machine_counts() is empty.
    void follow(const Scene& scene, Level counts);
    /// The Scene itself, or the same at the machine level.
    const Scene& run() const { return *run_; }
    Level level() const { return level_; }
    /// The kernel's own file among run()'s sources; no_index: none.
    std::uint32_t file() const { return file_; }
    /// Ascending by file, then line. A line with calls of inlined functions is the sum of what was made of
    /// it, and the functions' lines are there as well.
    const std::vector<analysis::LineHeat>& cuda() const { return cuda_; }
    const std::vector<analysis::LineHeat>& ptx() const { return ptx_; }
    /// Whether lines of the kernel's file are in inlined functions: those counts are in the calls' lines,
    /// too.
    bool has_inlined() const {
        return std::ranges::any_of(inlined_,
                                   [&](const auto& place) { return place.line != 0 && place.file == file_; });
    }

  private:
    MachineLevel machine_;
    const Scene* run_ = nullptr;
    std::shared_ptr<const trace::Trace> counted_;  // that the lines are of
    Level level_ = Level::ptx;
    std::uint32_t file_ = no_index;
    std::vector<analysis::LineHeat> cuda_, ptx_;
    std::vector<analysis::InlinedPlace> inlined_;  // of run()'s sites
};

}  // namespace warplens::app
