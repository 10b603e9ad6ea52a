// PollingLoops: rounds of a loop in which a warp only polls a word of memory. Their number in a Trace depends
// on the engine — the CPU engine runs blocks alternately, so a block polls while another runs — and says
// nothing about time on a GPU. The model keeps the last two rounds: one finds no change, the other finds it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "simt/timing/machine_code.h"
#include "trace/trace.h"

namespace warplens::simt {

class PollingLoops {
  public:
    PollingLoops(const trace::Trace& trace, const MachineProgram& code);

    /// The number of visits of the round that begins at `visit`, if the same visits follow twice more before
    /// `end` and the loop repeats because of what it reads; else 0. The caller checks whether all rounds read
    /// the same addresses.
    std::uint64_t round_at(std::uint64_t visit, std::uint64_t end);

    /// Whether the result of a load that sees other threads' writes decides the branch of its basic block or
    /// of the next one: it may be a wait that the Trace shows as over at once, as the blocks ran one after
    /// another, or one of blocks that the Trace does not have.
    bool may_wait();

    void leave_out_round() { ++left_out_; }
    std::uint64_t rounds_left_out() const { return left_out_; }

  private:
    bool is_poll(const std::vector<BasicBlockId>& round);
    bool decides_by(const MachineOp& op, const std::set<std::uint16_t>& decides) const;

    const trace::Trace& trace_;
    const MachineProgram& code_;
    std::vector<bool> polls_;     // by site: an instruction that polls for another thread's write
    std::vector<bool> has_load_;  // by basic block: one that is a load of global memory
    std::vector<bool> has_poll_;  // by basic block
    std::map<std::vector<BasicBlockId>, bool> known_;
    std::uint64_t left_out_ = 0;
};

}  // namespace warplens::simt
