// Finds the registers of a kernel whose values follow from the launch alone: every instruction that sets one
// is integer arithmetic on others of them, on parameters, on thread and block indices and on constants.
// Nothing that was read from memory or came from another lane is among them. Registers that follow from
// memory which the kernel only reads as well are a second set: is_followed(). On which way a lane comes to
// such an instruction does not matter: the host replays it along the visits that the recording shows.
#pragma once

#include <cstdint>
#include <vector>

#include "instrumentation/rewrite/draft.h"
#include "instrumentation/rewrite/replay_steps.h"

namespace warplens::instrumentation {

class LaunchValues {
  public:
    /// None without InstrumentOptions::replay. The draft must outlive it; its plan lists the symbols that the
    /// recording says the addresses of.
    explicit LaunchValues(Draft& draft);

    bool is_known(std::uint32_t function, std::uint32_t reg) const;
    /// Known, or with InstrumentOptions::replay_loads computed from what loads of such memory bring: to be
    /// hashed wherever it is used, since the memory may have been written all the same.
    bool is_followed(std::uint32_t function, std::uint32_t reg) const;
    /// The slot of a register of the entry that is followed: it and what it is computed from will be
    /// replayed.
    std::uint32_t slot(std::uint32_t reg);
    /// Puts the steps for all slots that were asked for into the plan.
    void finish();

  private:
    /// Of registers whose every definition is a step, those that need nothing else.
    std::vector<bool> closed(std::vector<bool> found) const;

    Draft& draft_;
    std::vector<ReplayStep> steps_;       // by site; slots are registers still
    std::vector<bool> known_, followed_;  // by register
    std::vector<std::uint32_t> slots_;    // by register; no_index: nobody asked for it
};

}  // namespace warplens::instrumentation
