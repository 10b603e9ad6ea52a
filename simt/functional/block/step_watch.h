// StepWatch: called around every instruction of a run, for a consumer that reads registers and memory between
// them (replay_block.h). An Observer needs no more than events and is the interface for everything else.
#pragma once

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

struct Warp;

class StepWatch {
  public:
    virtual ~StepWatch() = default;
    /// Asked when a block begins: whether its instructions are watched.
    virtual bool wants(u64 linear_block) = 0;
    /// `step` counts within the warp, as trace::Step::index does. Warp::active are the lanes of the step, the
    /// guard not applied. Events of the instruction reach the observer between the two calls.
    virtual void before(Warp& warp, u64 step, SiteId site) = 0;
    virtual void after(Warp& warp, u64 step, SiteId site) = 0;
};

}  // namespace warplens::simt
