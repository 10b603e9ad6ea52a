#include "simt/functional/machine/machine_rows.h"

#include <algorithm>

namespace warplens::simt {

namespace {

constexpr u32 predicate_area = 64;
constexpr u32 scratch_rows = 32, scratch_masks = 16;

}  // namespace

MachineRows::MachineRows(DecodedKernel& kernel, const NamedRegisters& named)
    : kernel_(kernel), registers_(named.general) {
    uniform_ = take(named.uniform);
    barriers_ = take(named.barriers);
    predicates_ = take_predicate();
    reduced_ = take(1);
    reduced_predicate_ = take_predicate();
    general_ = take(named.general);
    kernel.state_bytes = end_;
    // Blocks begin with zeros in all registers that there are.
    kernel.zeroed_bytes = general(std::min(named.allocated, named.general));
    const Row masks = take_predicate();
    true_ = masks;
    false_ = masks + 4;
    predicate_sink_ = masks + 8;
    kernel.constants.push_back({true_, 0, 0xffffffffu});
    kernel.constants.push_back({false_, 0, 0});
    scratch_predicates_ = take_predicate();
    zero_ = take(4);
    for (u32 i = 0; i < 4; ++i) kernel.constants.push_back({zero_ + i * word_row_bytes, 4, 0});
    sink_ = take(4);
    scratch_ = take(scratch_rows);
    examined_ = take(ExaminedAddresses::slots);
}

Row MachineRows::take(u32 words) {
    const Row row = end_;
    end_ += words * word_row_bytes;
    return row;
}

Row MachineRows::take_predicate() {
    const Row row = end_;
    end_ += predicate_area;
    return row;
}

Row MachineRows::constant(u64 bits, u32 words) {
    if (bits == 0) return zero_;
    const auto [at, added] = constants_.try_emplace({bits, words}, end_);
    if (!added) return at->second;
    take(words);
    for (u32 i = 0; i < words; ++i)
        kernel_.constants.push_back({at->second + i * word_row_bytes, 4, bits >> 32 * i & 0xffffffffu});
    return at->second;
}

Row MachineRows::bank(u32 bank, u32 offset, u32 words) {
    const auto [at, added] = banks_.try_emplace({bank, offset, words}, end_);
    if (!added) return at->second;
    take(words);
    for (u32 i = 0; i < words; ++i)
        kernel_.machine->rows.push_back({at->second + i * word_row_bytes, bank, offset + 4 * i});
    return at->second;
}

Row MachineRows::special(Special which) {
    const auto [at, added] = specials_.try_emplace(which, end_);
    if (!added) return at->second;
    take(1);
    kernel_.specials.push_back({at->second, which});
    return at->second;
}

Row MachineRows::scratch(u32 words) {
    const Row row = scratch_ + scratch_words_ * word_row_bytes;
    scratch_words_ += words;
    return scratch_words_ <= scratch_rows ? row : sink_;
}

Row MachineRows::scratch_predicate() { return scratch_predicates_ + 4 * (scratch_bits_++ % scratch_masks); }

void MachineRows::end_instruction() { scratch_words_ = scratch_bits_ = 0; }

void MachineRows::finish() { kernel_.register_bytes = end_; }

}  // namespace warplens::simt
