// Moves: between registers, predicates and data paths, selections, and special registers.
#include <algorithm>

#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

void add_copy(DecodedOp& op, Row to, Row from) {
    op.rows[0] = to;
    op.rows[1] = from;
}

template <u32 words>
bool lower_copy_of(Lowering& lowering) {
    const Row source = lowering.source(0, words);
    add_copy(lowering.add(copy_word), lowering.result(), source);
    if constexpr (words == 2)
        add_copy(lowering.add_silent(copy_word), lowering.result() + word_row_bytes, source + word_row_bytes);
    return true;
}

bool lower_copy(Lowering& lowering) {
    return lowering.modifier("64") != 0 ? lower_copy_of<2>(lowering) : lower_copy_of<1>(lowering);
}

constexpr auto select = [](const LaneInputs& in) { return LaneResults{in.p ? in.a : in.b, false, false}; };

template <int words>
bool lower_select_of(Lowering& lowering) {
    const Row a = lowering.source(0, words), b = lowering.source(1, words), p = lowering.predicate(87);
    const Row sink = lowering.rows().predicate_sink(), zero = lowering.rows().zero();
    DecodedOp& op = lowering.add(each_lane_of<select, words, words, words>);
    const Row rows[] = {lowering.result(), sink, sink, a, b, zero, p, lowering.rows().false_predicate()};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    return true;
}

bool lower_select(Lowering& lowering) {
    return lowering.modifier("64") != 0 ? lower_select_of<2>(lowering) : lower_select_of<1>(lowering);
}

bool lower_to_uniform(Lowering& lowering) {
    if (lowering.modifier("OR") || lowering.modifier("FILL") || lowering.modifier("BROADCAST") ||
        lowering.predicate_result(81) != lowering.rows().predicate_sink())
        return false;
    const Row source = lowering.source(0);
    DecodedOp& op = lowering.add(broadcast_word);
    op.rows[0] = lowering.result();
    op.rows[1] = source;
    return true;
}

// ---- special registers: the numbers of sass/special_registers.def
struct SpecialName {
    u16 number;
    Special special;
};
constexpr SpecialName specials[] = {
    {0, Special::laneid},
    {33, Special::tid_x},
    {34, Special::tid_y},
    {35, Special::tid_z},
    {37, Special::ctaid_x},
    {38, Special::ctaid_y},
    {39, Special::ctaid_z},
    {56, Special::lanemask_eq},
    {57, Special::lanemask_lt},
    {58, Special::lanemask_le},
    {59, Special::lanemask_gt},
    {60, Special::lanemask_ge},
    {136, Special::cluster_ctarank},
    {138, Special::zero},  // SR_CgaSize: see constant_banks.cpp
    {255, Special::zero},
};
constexpr u16 shared_window_upper = 47, clock_lower = 80;

/// The column's bit 80 is set for a pair: ".32" is printed when it is clear.
bool lower_special(Lowering& lowering) {
    const sass::Operand* operand = lowering.find(sass::OperandKind::special_register);
    if (!operand) return false;
    Row source = 0;
    const auto* known = std::ranges::find(specials, operand->index, &SpecialName::number);
    const bool clock = operand->index == clock_lower;
    const bool pair = lowering.id() == CS2R && lowering.modifier("32") != 0;
    if (clock) {
        const auto read = [](DecodedOp& op, Row to, Special half) {
            op.rows[0] = to;
            op.flags = static_cast<u32>(half);
            op.wide_address = false;
        };
        read(lowering.add(execute_read_clock), lowering.result(), Special::clock);
        if (pair)
            read(lowering.add_silent(execute_read_clock), lowering.result() + word_row_bytes,
                 Special::clock_hi);
        return true;
    }
    if (operand->index == shared_window_upper) source = lowering.rows().constant(shared_window >> 32);
    else if (known == std::end(specials)) return false;
    else
        source = known->special == Special::zero ? lowering.rows().zero()
                                                 : lowering.rows().special(known->special);
    if (pair && source != lowering.rows().zero()) return false;
    DecodedOp& op = lowering.add(lowering.result_is_uniform() ? broadcast_word : copy_word);
    op.rows[0] = lowering.result();
    op.rows[1] = source;
    if (!pair) return true;
    DecodedOp& upper = lowering.add_silent(copy_word);
    upper.rows[0] = lowering.result() + word_row_bytes;
    upper.rows[1] = source;
    return true;
}

/// rows: result, where the bits of a are kept, predicates 0 to 6 from op.rows[3] on; b chooses among them.
void predicates_to_word(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 shift = 8 * op.flags;
    for_each_lane({mask}, [&](int lane) {
        u32 bits = 0;
        for (u32 i = 0; i < 7; ++i) bits |= (predicate(warp, op.rows[3] + 4 * i) >> lane & 1) << i;
        const u32 a = row<const u32>(warp, op.rows[1])[lane], b = row<const u32>(warp, op.rows[2])[lane];
        const u32 chosen = (b & 0x7f) << shift;
        row<u32>(warp, op.rows[0])[lane] = (a & ~chosen) | (bits << shift & chosen);
    });
}

void word_to_predicates(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 shift = 8 * op.flags;
    for (u32 i = 0; i < 7; ++i) {
        u32 chosen = 0, bits = 0;
        for_each_lane({mask}, [&](int lane) {
            const u32 a = row<const u32>(warp, op.rows[1])[lane], b = row<const u32>(warp, op.rows[2])[lane];
            chosen |= (b >> i & 1) << lane;
            bits |= (a >> (shift + i) & 1) << lane;
        });
        set_predicate(warp, op.rows[3] + 4 * i, chosen, bits);
    }
}

bool lower_predicates_to_word(Lowering& lowering) {
    const Row a = lowering.source(0), b = lowering.source(1);
    DecodedOp& op = lowering.add(predicates_to_word);
    const Row first =
        lowering.id() == UP2UR ? lowering.rows().uniform_predicate(0) : lowering.rows().predicate(0);
    const Row rows[] = {lowering.result(), a, b, first};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = lowering.modifier("byte_select");
    return true;
}

bool lower_word_to_predicates(Lowering& lowering) {
    const Row a = lowering.plain(0), b = lowering.source(1);
    DecodedOp& op = lowering.add(word_to_predicates);
    const Row first =
        lowering.id() == UR2UP ? lowering.rows().uniform_predicate(0) : lowering.rows().predicate(0);
    const Row rows[] = {0, a, b, first};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = lowering.source_operand(0).swizzle;
    return true;
}

constexpr Meaning move_table[] = {
    {MOV, lower_copy},
    {MOV_120, lower_copy},
    {MOV_64_IMMEDIATE, lower_copy_of<2>},
    {UMOV, lower_copy},
    {UMOV_120, lower_copy},
    {UMOV_64, lower_copy_of<2>},
    {SEL, lower_select},
    {SEL_120, lower_select},
    {SEL_64, lower_select_of<2>},
    {SEL_64_IMMEDIATE, lower_select_of<2>},
    {SEL_64_UNIFORM, lower_select_of<2>},
    {USEL, lower_select},
    {USEL_64, lower_select_of<2>},
    {R2UR, lower_to_uniform},
    {R2UR_75, lower_to_uniform},
    {S2R, lower_special},
    {S2UR, lower_special},
    {CS2R, lower_special},
    {P2R, lower_predicates_to_word},
    {R2P, lower_word_to_predicates},
    {UP2UR, lower_predicates_to_word},
    {UR2UP, lower_word_to_predicates},
};

}  // namespace

Meanings move_meanings() { return move_table; }

}  // namespace warplens::simt
