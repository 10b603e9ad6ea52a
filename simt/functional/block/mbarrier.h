// Mbarrier: the contents of one mbarrier object ("PTX ISA: mbarrier"): arrivals and bytes that the current
// phase still expects. The 64 bits are opaque in PTX; this layout is the engine's own. A token, which an
// arrival returns, is the state before the arrival.
#pragma once

#include <cstring>

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

struct Mbarrier {
    static constexpr u32 most_arrivals = (1u << 20) - 1;

    u32 pending = 0;       // arrivals that the phase still expects
    u32 expected = 0;      // arrivals per phase from the next one on; 0: not initialised, or invalidated
    s64 transactions = 0;  // bytes expected and not copied yet; negative if copied before they were expected
    bool parity = false;   // of the phase's number

    static Mbarrier from_bits(u64 bits) {
        Mbarrier barrier;
        barrier.pending = static_cast<u32>(bits) & most_arrivals;
        barrier.expected = static_cast<u32>(bits >> 20) & most_arrivals;
        barrier.transactions = static_cast<s64>(bits << 1) >> 41;
        barrier.parity = bits >> 63 != 0;
        return barrier;
    }
    u64 bits() const {
        return u64{parity} << 63 | (static_cast<u64>(transactions) & 0x7fffff) << 40 | u64{expected} << 20 |
               pending;
    }
    static Mbarrier at(const std::byte* from) {
        u64 bits;
        std::memcpy(&bits, from, sizeof bits);
        return from_bits(bits);
    }
    void store(std::byte* to) const {
        const u64 word = bits();
        std::memcpy(to, &word, sizeof word);
    }

    bool is_initialised() const { return expected != 0; }
    /// False if the phase expects fewer arrivals.
    bool arrive(u32 count, bool drop) {
        if (count > pending) return false;
        pending -= count;
        if (drop) expected -= count;
        complete_if_done();
        return true;
    }
    void expect(s64 bytes) { transactions += bytes; }
    void complete(s64 bytes) {
        transactions -= bytes;
        complete_if_done();
    }

  private:
    void complete_if_done() {
        if (pending != 0 || transactions != 0) return;
        pending = expected;
        parity = !parity;
    }
};

}  // namespace warplens::simt
