// Warp-wide instructions: shuffles, votes, matches, reductions.
#include "simt/functional/execute/warp.h"
#include "simt/functional/decode/decoder.h"

namespace warplens::simt {

namespace {

/// The row of the member mask, whose lanes the block then waits for.
std::optional<Row> members(Decoder& decoder, const ptx::Operand& operand) {
    decoder.require_convergence(operand);
    return decoder.source(operand, Shape::word);
}

/// Usually all lanes have the same mask; a register may hold a different one per lane.
template <Execute execute, int mask_row>
Execute with_members(const ptx::Operand& operand) {
    const bool same = std::holds_alternative<ptx::Immediate>(operand.value);
    return same ? execute : by_member_mask<execute, mask_row>;
}

bool decode_shuffle(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool sync = instruction.has("sync");
    if (instruction.operands.size() != (sync ? 5u : 4u)) return false;
    u32 mode = instruction.has("up")     ? shuffle_up
               : instruction.has("down") ? shuffle_down
               : instruction.has("bfly") ? shuffle_butterfly
                                         : shuffle_index;
    std::optional<Row> d, p;
    if (auto* pair = std::get_if<ptx::Pair>(&instruction.operands[0].value)) {
        d = decoder.destination(pair->elements[0], Shape::word);
        p = decoder.destination(pair->elements[1], Shape::predicate);
        if (!p) return false;
    } else {
        d = decoder.destination(instruction.operands[0], Shape::word);
    }
    auto a = decoder.source(instruction.operands[1], Shape::word);
    auto b = decoder.source(instruction.operands[2], Shape::word);
    auto c = decoder.source(instruction.operands[3], Shape::word);
    std::optional<Row> mask = decoder.constant(Shape::word, 0);
    if (sync) mask = members(decoder, instruction.operands[4]);
    if (!d || !a || !b || !c || !mask) return false;
    DecodedOp& op = decoder.add(sync ? with_members<shuffle, 5>(instruction.operands[4]) : shuffle);
    op.flags = mode | (p ? shuffle_predicate : 0) | (sync ? warp_named : 0);
    Row rows[] = {*d, p.value_or(0), *a, *b, *c, *mask};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    return true;
}

bool decode_vote(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool sync = instruction.has("sync");
    if (instruction.operands.size() != (sync ? 3u : 2u)) return false;
    const bool ballot = instruction.has("ballot");
    u32 mode = ballot                   ? vote_ballot
               : instruction.has("all") ? vote_all
               : instruction.has("any") ? vote_any
               : instruction.has("uni") ? vote_uniform
                                        : 0;
    if (mode == 0) return false;
    auto d = decoder.destination(instruction.operands[0], ballot ? Shape::word : Shape::predicate);
    auto a = decoder.source(instruction.operands[1], Shape::predicate);
    std::optional<Row> mask = decoder.constant(Shape::word, 0);
    if (sync) mask = members(decoder, instruction.operands[2]);
    if (!d || !a || !mask) return false;
    DecodedOp& op = decoder.add(sync ? with_members<vote, 2>(instruction.operands[2]) : vote);
    op.flags = mode | (sync ? warp_named : 0);
    op.rows[0] = *d;
    op.rows[1] = *a;
    op.rows[2] = *mask;
    return true;
}

bool decode_match(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() != 3) return false;
    const bool wide = ptx::size_of(instruction.type()) == 8;
    const bool all = instruction.has("all");
    std::optional<Row> d, p;
    if (auto* pair = std::get_if<ptx::Pair>(&instruction.operands[0].value)) {
        d = decoder.destination(pair->elements[0], Shape::word);
        p = decoder.destination(pair->elements[1], Shape::predicate);
        if (!p) return false;
    } else {
        d = decoder.destination(instruction.operands[0], Shape::word);
    }
    auto a = decoder.source(instruction.operands[1], wide ? Shape::wide : Shape::word);
    auto mask = members(decoder, instruction.operands[2]);
    if (!d || !a || !mask) return false;
    DecodedOp& op = decoder.add(with_members<match, 3>(instruction.operands[2]));
    op.flags = (all ? match_all : 0) | (wide ? match_wide : 0) | (p ? shuffle_predicate : 0) | warp_named;
    Row rows[] = {*d, p.value_or(0), *a, *mask};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    return true;
}

bool decode_reduction(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() != 3) return false;
    u32 mode = 0;
    bool is_signed = instruction.type() == ptx::Type::s32;
    const bool of_floats = instruction.type() == ptx::Type::f32;
    if (ptx::size_of(instruction.type()) != 4) return false;
    if (instruction.has("add")) mode = reduce_add;
    if (instruction.has("min")) mode = is_signed ? reduce_min_signed : reduce_min;
    if (instruction.has("max")) mode = is_signed ? reduce_max_signed : reduce_max;
    if (instruction.has("and")) mode = reduce_and;
    if (instruction.has("or")) mode = reduce_or;
    if (instruction.has("xor")) mode = reduce_xor;
    auto d = decoder.destination(instruction.operands[0], Shape::word);
    auto a = decoder.source(instruction.operands[1], Shape::word);
    auto mask = members(decoder, instruction.operands[2]);
    if (mode == 0 || !d || !a || !mask) return false;
    if (of_floats && mode != reduce_min && mode != reduce_max) return false;
    DecodedOp& op = decoder.add(of_floats ? with_members<reduce_float, 2>(instruction.operands[2])
                                          : with_members<reduce, 2>(instruction.operands[2]));
    op.flags = mode | warp_named;
    if (instruction.has("NaN")) op.flags |= reduce_nan;
    if (instruction.has("abs")) op.flags |= reduce_magnitude;
    op.rows[0] = *d;
    op.rows[1] = *a;
    op.rows[2] = *mask;
    return true;
}

bool decode_warp_barrier(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() != 1) return false;
    auto mask = members(decoder, instruction.operands[0]);
    if (!mask) return false;
    DecodedOp& op = decoder.add(with_members<warp_barrier, 0>(instruction.operands[0]));
    op.flags = warp_named;
    op.rows[0] = *mask;
    return true;
}

bool decode_elect(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.operands.size() != 2) return false;
    auto* pair = std::get_if<ptx::Pair>(&instruction.operands[0].value);
    if (!pair) return false;
    auto d = decoder.destination(pair->elements[0], Shape::word);
    auto p = decoder.destination(pair->elements[1], Shape::predicate);
    auto mask = members(decoder, instruction.operands[1]);
    if (!d || !p || !mask) return false;
    DecodedOp& op = decoder.add(with_members<elect, 2>(instruction.operands[1]));
    op.flags = warp_named;
    op.rows[0] = *d;
    op.rows[1] = *p;
    op.rows[2] = *mask;
    return true;
}

}  // namespace

bool decode_warp(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const std::string& opcode = instruction.opcode;
    if (opcode == "shfl") return decode_shuffle(decoder);
    if (opcode == "vote") return decode_vote(decoder);
    if (opcode == "match") return decode_match(decoder);
    if (opcode == "redux") return decode_reduction(decoder);
    if (opcode == "elect") return decode_elect(decoder);
    if ((opcode == "bar" || opcode == "barrier") && instruction.has("warp"))
        return decode_warp_barrier(decoder);
    if (opcode == "activemask") {
        auto d = decoder.destination(instruction.operands.at(0), Shape::word);
        if (!d) return false;
        decoder.add(active_mask).rows[0] = *d;
        return true;
    }
    return false;
}

}  // namespace warplens::simt
