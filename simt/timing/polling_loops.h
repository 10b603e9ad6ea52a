// PollingLoops: rounds of a loop in which a warp only looks again whether a word of memory has changed. A
// Trace holds as many of them as whoever executed the kernel happened to make — the CPU engine runs blocks in
// turns, so that one waits for as long as another's turn takes — and their number says nothing of time on a
// GPU. The model lets a warp make the last two: one finds nothing, the other what was waited for.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simt/timing/machine_code.h"
#include "trace/trace.h"

namespace warplens::simt {

class PollingLoops {
  public:
    PollingLoops(const trace::Trace& trace, const MachineProgram& code);

    /// How many visits the round that begins at `visit` takes, when the same visits follow twice more before
    /// `end` and the loop goes on for what it reads; else 0. Whether it asks the same places both times is
    /// the caller's to see.
    std::uint64_t round_at(std::uint64_t visit, std::uint64_t end);

    void leave_out_round() { ++left_out_; }
    std::uint64_t rounds_left_out() const { return left_out_; }

  private:
    bool is_poll(const std::vector<BasicBlockId>& round);

    const trace::Trace& trace_;
    const MachineProgram& code_;
    std::vector<bool> polls_;     // by site: an instruction that another thread's write is waited for with
    std::vector<bool> has_poll_;  // by basic block
    std::map<std::vector<BasicBlockId>, bool> known_;
    std::uint64_t left_out_ = 0;
};

}  // namespace warplens::simt
