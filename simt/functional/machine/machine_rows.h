// MachineRows: where a machine kernel's registers, predicates, barriers, immediates and constants lie in a
// warp's register file. A register has 4 bytes per lane; a pair is two rows one after the other. Uniform
// registers and uniform predicates have the same value in every lane.
#pragma once

#include <map>
#include <tuple>

#include "simt/functional/decode/decoded_kernel.h"
#include "simt/functional/decode/examined_addresses.h"

namespace warplens::simt {

inline constexpr u32 word_row_bytes = 32 * 4;

/// How many of each there are.
struct NamedRegisters {
    u32 general = 0;                // R0, R1, …: those that the code may name have rows
    u32 allocated = 0;              // as many of them as the kernel has
    u32 uniform = 0, barriers = 0;  // UR0, UR1, …; B0, B1, …
};

class MachineRows {
  public:
    MachineRows(DecodedKernel& kernel, const NamedRegisters& named);

    Row general(u32 index) const { return general_ + index * word_row_bytes; }
    Row uniform(u32 index) const { return uniform_ + index * word_row_bytes; }
    Row barrier(u32 index) const { return barriers_ + index * word_row_bytes; }
    Row predicate(u32 index) const { return predicates_ + index * 4; }
    Row uniform_predicate(u32 index) const { return predicates_ + (8 + index) * 4; }
    Row true_predicate() const { return true_; }
    Row false_predicate() const { return false_; }
    Row zero() const { return zero_; }  // four rows
    Row sink() const { return sink_; }  // four rows
    Row predicate_sink() const { return predicate_sink_; }
    /// Where a barrier's reduction leaves its result until B2R reads it.
    Row reduced_count() const { return reduced_; }
    Row reduced_predicate() const { return reduced_predicate_; }
    u32 registers() const { return registers_; }  // there are rows for

    /// `words` rows that hold the parts of `bits`, lowest first.
    Row constant(u64 bits, u32 words = 1);
    /// `words` rows that hold what the constant bank has from `offset` on.
    Row bank(u32 bank, u32 offset, u32 words);
    Row special(Special which);
    /// Where what is known of an address is kept: see ExaminedAddresses.
    Row examined(u32 slot) const { return examined_ + slot * word_row_bytes; }

    /// Rows that hold values within one instruction.
    Row scratch(u32 words);
    Row scratch_predicate();
    void end_instruction();
    /// The layout is complete.
    void finish();

  private:
    Row take(u32 words);
    Row take_predicate();

    DecodedKernel& kernel_;
    u32 registers_;
    Row general_ = 0, uniform_ = 0, barriers_ = 0, predicates_ = 0, true_ = 0, false_ = 0, zero_ = 0,
        sink_ = 0, predicate_sink_ = 0;
    Row reduced_ = 0, reduced_predicate_ = 0;
    u32 end_ = 0;
    std::map<std::pair<u64, u32>, Row> constants_;
    std::map<std::tuple<u32, u32, u32>, Row> banks_;
    std::map<Special, Row> specials_;
    Row examined_ = 0, scratch_ = 0, scratch_predicates_ = 0;
    u32 scratch_words_ = 0, scratch_bits_ = 0;
};

}  // namespace warplens::simt
