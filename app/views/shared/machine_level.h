// MachineLevel: a Scene and Selection at the machine level. Its sites, steps and cycles are
// those of the machine code, so a Selection of its own goes with it; warps and lines of the source are the
// same at both levels.
#pragma once

#include <memory>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

class MachineLevel {
  public:
    /// Null: the Scene has no times at this level, or no counts where they are wanted. `counts`: as in
    /// at_machine_level().
    const Scene* follow(const Scene& scene, Level counts = Level::ptx);
    /// To draw with, from what is selected in the window.
    Selection& selection(Selection& outer);
    /// Takes what was selected meanwhile back into the window's.
    void give_back(Selection& outer);

  private:
    Spot to_machine(const Spot& spot) const;
    Spot to_ptx(const Spot& spot) const;
    /// The machine's instructions that do the work of a site of the PTX: several where a loop is unrolled.
    std::vector<SiteId> made_of(SiteId ptx) const;
    /// How many executions of its PTX site one of the instruction does.
    std::size_t executions_of(SiteId machine) const;

    std::shared_ptr<const MachineCode> code_;
    std::shared_ptr<const trace::Trace> ptx_;
    bool same_ = false;  // the Scene is a .cubin's: it has no other level
    std::shared_ptr<const Scene> scene_;
    // By site, the other level's that does the same work; no_index: none.
    std::vector<SiteId> made_into_, made_from_;
    std::uint64_t timing_generation_ = 0;
    Level counts_ = Level::ptx;
    Selection own_;
    Spot outer_, before_;  // what `own_` was made of, and what it was then
};

}  // namespace warplens::app
