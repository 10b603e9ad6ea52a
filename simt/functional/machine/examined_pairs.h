// ExaminedPairs: the pairs of registers whose addresses an access of the basic block has examined and that no
// instruction has written since. A later access of as many bytes, as unrolled loops have them, takes what the
// first one found: lanes/request_addresses.h.
#pragma once

#include <map>

#include "sass/live_registers.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

class ExaminedPairs {
  public:
    bool knows(u32 pair, u32 bytes) const {
        const auto at = bytes_.find(pair);
        return at != bytes_.end() && at->second == bytes;
    }
    /// An access that all active lanes execute examines it.
    void add(u32 pair, u32 bytes) { bytes_[pair] = bytes; }
    void forget_all() { bytes_.clear(); }
    /// After an instruction.
    void forget_written(const sass::Instruction& instruction) {
        const auto use = sass::register_use(instruction);
        if (!use) return forget_all();
        for (const sass::RegisterSpan& span : use->written)
            std::erase_if(bytes_, [&](const auto& known) {
                return known.first + 1 >= span.first && known.first < u32{span.first} + span.count;
            });
    }

  private:
    std::map<u32, u32> bytes_;  // by lower register
};

}  // namespace warplens::simt
