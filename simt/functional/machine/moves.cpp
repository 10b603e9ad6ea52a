// Moves: between registers, predicates and data paths, and selections.
#include <algorithm>
#include <bit>

#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

template <u32 words>
bool lower_copy_of(Lowering& lowering) {
    lowering.add_copies(lowering.result(), lowering.source(0, words), words);
    return true;
}

bool lower_copy(Lowering& lowering) {
    return lowering.modifier("64") != 0 ? lower_copy_of<2>(lowering) : lower_copy_of<1>(lowering);
}

template <u32 words>
bool lower_select_of(Lowering& lowering) {
    const Row d = lowering.result(), a = lowering.source(0, words), b = lowering.source(1, words),
              p = lowering.predicate(87);
    lowering.add("selp.b32", {d, a, b, p});
    if constexpr (words == 2)
        lowering.add_silent("selp.b32", {d + word_row_bytes, a + word_row_bytes, b + word_row_bytes, p});
    return true;
}

bool lower_select(Lowering& lowering) {
    return lowering.modifier("64") != 0 ? lower_select_of<2>(lowering) : lower_select_of<1>(lowering);
}

/// The first active lane's word, for all lanes. A lane's predicate says whether its own word is another one;
/// with flags 1, also that it was so before. rows: result, source, predicate result, the predicate before.
void choose_uniform(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* words = row<const u32>(warp, op.rows[1]);
    const u32 chosen = words[std::countr_zero(mask)];
    u32 differ = op.flags & 1 ? predicate(warp, op.rows[3]) : 0;
    for_each_lane({mask}, [&](int lane) { differ |= u32{words[lane] != chosen} << lane; });
    set_predicate(warp, op.rows[2], mask, differ);
    for (int lane = 0; lane < warp_size; ++lane) row<u32>(warp, op.rows[0])[lane] = chosen;
}

/// The loops that ptxas makes of an operand that must be uniform and is not tell what the predicate is.
bool lower_to_uniform(Lowering& lowering) {
    if (lowering.modifier("FILL") || lowering.modifier("BROADCAST")) return false;
    const Row source = lowering.source(0), differs = lowering.predicate_result(81);
    DecodedOp& op = lowering.add(choose_uniform);
    op.rows[0] = lowering.result();
    op.rows[1] = source;
    op.rows[2] = op.rows[3] = differs;
    op.flags = lowering.modifier("OR");
    return true;
}

bool lower_predicates_to_word(Lowering& lowering) {
    const Row a = lowering.source(0), b = lowering.source(1);
    const Row first =
        lowering.id() == UP2UR ? lowering.rows().uniform_predicate(0) : lowering.rows().predicate(0);
    lowering.add("machine.p2r", {lowering.result(), a, b, first}).flags = lowering.modifier("byte_select");
    return true;
}

bool lower_word_to_predicates(Lowering& lowering) {
    const Row a = lowering.plain(0), b = lowering.source(1);
    const Row first =
        lowering.id() == UR2UP ? lowering.rows().uniform_predicate(0) : lowering.rows().predicate(0);
    lowering.add("machine.r2p", {0, a, b, first}).flags = lowering.source_operand(0).swizzle;
    return true;
}

/// An address of code, as a distance from the function's beginning, which is what RET and calls take. Before
/// Hopper it is the instruction's own: the code that ptxas makes adds the distance to where a call returns.
bool lower_code_address(Lowering& lowering) {
    const sass::Operand* target = lowering.find(sass::OperandKind::target);
    const u64 address =
        target ? static_cast<u64>(target->value) : u64{lowering.site()} * sass::instruction_bytes;
    lowering.add_copies(lowering.result(), lowering.rows().constant(address, 2), 2);
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
    {P2R, lower_predicates_to_word},
    {R2P, lower_word_to_predicates},
    {UP2UR, lower_predicates_to_word},
    {UR2UP, lower_word_to_predicates},
    {LEPC, lower_code_address},
    {LEPC_75, lower_code_address},
};

}  // namespace

Meanings move_meanings() { return move_table; }

}  // namespace warplens::simt
