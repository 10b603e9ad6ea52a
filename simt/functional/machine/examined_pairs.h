// ExaminedPairs: the pairs of registers whose addresses an operation of the basic block has examined and that
// no instruction has written since. Accesses of as many bytes, as unrolled loops have them, take what it
// found: lanes/request_addresses.h.
#pragma once

#include <map>

#include "sass/live_registers.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

class ExaminedPairs {
  public:
    /// The window that its addresses were compared with (DecodedOp::window); no_index: not examined.
    u32 window(u32 pair, u32 bytes) const {
        const auto at = pairs_.find(pair);
        return at != pairs_.end() && at->second.bytes == bytes ? at->second.window : no_index;
    }
    void add(u32 pair, u32 bytes, u32 window) { pairs_[pair] = {bytes, window}; }
    void forget_all() { pairs_.clear(); }
    /// After an instruction.
    void forget_written(const sass::Instruction& instruction) {
        const auto use = sass::register_use(instruction);
        if (!use) return forget_all();
        for (const sass::RegisterSpan& span : use->written)
            std::erase_if(pairs_, [&](const auto& known) {
                return known.first + 1 >= span.first && known.first < u32{span.first} + span.count;
            });
    }

  private:
    struct Pair {
        u32 bytes = 0, window = no_index;
    };
    std::map<u32, Pair> pairs_;  // by lower register
};

}  // namespace warplens::simt
