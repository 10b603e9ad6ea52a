// ExaminedAddresses: the registers whose addresses an operation of the basic block being decoded has examined
// and that no instruction has written since. Accesses of as many bytes, as unrolled loops have them, take
// what it found: lanes/request_addresses.h.
#pragma once

#include <array>

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// A register, or as many consecutive ones as an address has words of 32 bits in machine code.
struct AddressRegister {
    u32 first = 0, count = 1;
    u32 bytes = 0;  // of an access, all lanes' elements together
    Space space = Space::none;
    friend bool operator==(const AddressRegister&, const AddressRegister&) = default;
};

class ExaminedAddresses {
  public:
    /// As many as keep what is found of them at a time. The oldest gives way.
    static constexpr u32 slots = 16;

    struct Known {
        AddressRegister of;
        u32 slot = 0;
        u32 window = no_index;  // DecodedOp::window; no_index: none
    };

    /// nullptr: not examined.
    const Known* find(const AddressRegister& of) const {
        for (const Known& known : known_)
            if (known.window != no_index && known.of == of) return &known;
        return nullptr;
    }
    const Known& add(const AddressRegister& of, u32 window) {
        const u32 slot = next_++ % slots;
        return known_[slot] = {of, slot, window};
    }
    void forget_all() { known_ = {}; }
    /// Registers that an instruction has written.
    void forget(u32 first, u32 count) {
        for (Known& known : known_)
            if (known.of.first < first + count && first < known.of.first + known.of.count)
                known.window = no_index;
    }

  private:
    std::array<Known, slots> known_;
    u32 next_ = 0;
};

}  // namespace warplens::simt
