// Bits: truth tables, shifts, fields and counts, of both data paths.
#include <algorithm>
#include <bit>

#include "simt/functional/decode/compare_flags.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

u32 table_of(u32 a, u32 b, u32 c, u32 truth) {
    u32 d = 0;
    for (u32 i = 0; i < 8; ++i)
        if (truth >> i & 1) d |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return d;
}

/// Tables of two sources that an operation of the PTX level computes.
struct NamedTable {
    s64 truth;
    const char* key;
};
constexpr NamedTable named_tables[] = {{0xc0, "and.b32"}, {0xfc, "or.b32"}, {0x3c, "xor.b32"}};

/// The word, then whether it is not 0, combined with the predicate.
bool lower_truth_table(Lowering& lowering) {
    if (lowering.source_count() != 4) return false;
    MachineRows& rows = lowering.rows();
    const Row d = lowering.result(), a = lowering.source(0), b = lowering.source(1), c = lowering.source(2),
              p = lowering.predicate(87), tested = lowering.predicate_result(81);
    const s64 truth = lowering.immediate(3);
    const auto* named = std::ranges::find(named_tables, truth, &NamedTable::truth);
    if (named != std::end(named_tables)) lowering.add(named->key, {d, a, b});
    else lowering.add("lop3.b32", {d, a, b, c, rows.constant(static_cast<u64>(truth))});
    if (tested != rows.predicate_sink())
        lowering.add_silent("ne.b32", {tested, 0, d, rows.zero(), p}).flags =
            lowering.modifier("PAND") != 0 ? combine_and : combine_or;
    return true;
}

/// Two truth tables of three predicates. rows: results, sources; immediate: tables, 8 bits each.
void predicate_tables(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 a = predicate(warp, op.rows[2]), b = predicate(warp, op.rows[3]),
              c = predicate(warp, op.rows[4]);
    const u32 first = table_of(a, b, c, static_cast<u32>(op.immediate & 0xff)),
              second = table_of(a, b, c, static_cast<u32>(op.immediate >> 8 & 0xff));
    set_predicate(warp, op.rows[0], mask, first);
    set_predicate(warp, op.rows[1], mask, second);
}

bool lower_predicate_tables(Lowering& lowering) {
    if (lowering.source_count() != 2) return false;
    const Row a = lowering.predicate(87), b = lowering.predicate(77), c = lowering.predicate(68);
    DecodedOp& op = lowering.add(predicate_tables);
    const Row rows[] = {lowering.predicate_result(81), lowering.predicate_result(84), a, b, c};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.immediate = static_cast<u64>(lowering.immediate(0)) | static_cast<u64>(lowering.immediate(1)) << 8;
    return true;
}

/// The same of the signs of three registers.
constexpr auto sign_tables = [](const LaneInputs& in) {
    const u32 at = static_cast<u32>(in.a >> 31 << 2 | in.b >> 31 << 1 | in.c >> 31);
    return LaneResults{0, (in.immediate >> at & 1) != 0, (in.immediate >> (8 + at) & 1) != 0};
};

bool lower_sign_tables(Lowering& lowering) {
    if (lowering.source_count() != 5) return false;
    const Row none = lowering.rows().false_predicate();
    const Row rows[] = {lowering.rows().sink(),
                        lowering.predicate_result(81),
                        lowering.predicate_result(84),
                        lowering.plain(0),
                        lowering.plain(1),
                        lowering.plain(2),
                        none,
                        none};
    DecodedOp& op = lowering.add(each_lane_of<sign_tables, 0>);
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.immediate = static_cast<u64>(lowering.immediate(3)) | static_cast<u64>(lowering.immediate(4)) << 8;
    return true;
}

bool lower_shift_and_add(Lowering& lowering) {
    const std::size_t count = lowering.source_count();
    const bool third = count == 4;
    const Row a = lowering.plain(0), b = lowering.plain(1),
              c = third ? lowering.plain(2) : lowering.rows().zero();
    const bool extended = lowering.modifier("X") != 0;
    const Row carry = extended ? lowering.predicate(87) : lowering.rows().false_predicate();
    const bool carries = extended || lowering.predicate_result(81) != lowering.rows().predicate_sink();
    const u32 shift = static_cast<u32>(lowering.immediate(count - 1)) & 31;
    DecodedOp& op = lowering.add(
        fmt::format("machine.lea{}{}", lowering.modifier("HI") != 0 ? ".hi" : "", carries ? ".x" : ""),
        {lowering.result(), lowering.predicate_result(81), lowering.rows().predicate_sink(), a, b, c, carry});
    op.flags = u32{lowering.is_negated(0)} | u32{lowering.is_negated(1)} << 1 |
               u32{lowering.is_inverted(0)} << 3 | u32{lowering.is_inverted(1)} << 4 |
               lowering.modifier("SX32") << 6 | shift << 8;
    return true;
}

/// flags: 1 right, 2 wraps, 4 64 bits, 8 signed, 16 upper half. b is the shift, c:a the value.
constexpr auto funnel_shift = [](const LaneInputs& in) {
    const u64 bits = in.flags & 4 ? 64 : 32;
    const u64 shift = in.flags & 2 ? in.b & (bits - 1) : std::min(in.b, bits);
    const u64 value = in.c << 32 | in.a;
    u64 shifted = 0;
    if (in.flags & 1) {
        if (in.flags & 8) shifted = static_cast<u64>(static_cast<s64>(value) >> std::min<u64>(shift, 63));
        else shifted = shift > 63 ? 0 : value >> shift;
    } else {
        shifted = shift > 63 ? 0 : value << shift;
    }
    return LaneResults{in.flags & 16 ? shifted >> 32 : shifted & low_word, false, false};
};

template <auto F>
DecodedOp& add_lane_operation(Lowering& lowering) {
    const Row a = lowering.source(0), b = lowering.source(1), c = lowering.source(2);
    DecodedOp& op = lowering.add(each_lane_of<F>);
    const Row sink = lowering.rows().predicate_sink(), none = lowering.rows().false_predicate();
    const Row rows[] = {lowering.result(), sink, sink, a, b, c, none, none};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    return op;
}

/// The PTX level's shift that computes the same; empty: none does. Of 64 bits, or wrapping, those that stay
/// below 32.
std::string_view shift_key(const Lowering& lowering, bool left, bool upper, bool is_signed, bool wraps) {
    const bool wide = lowering.modifier_name("shift_type").ends_with("64");
    const bool short_count = lowering.source_operand(1).kind == sass::OperandKind::immediate &&
                             lowering.immediate(1) >= 0 && lowering.immediate(1) < 32;
    if (left != upper) {  // of one word: the lower one to the left, the upper one to the right
        if ((wide || wraps) && !short_count) return {};
        return left ? "shl.b32" : is_signed ? "shr.s32" : "shr.u32";
    }
    if (wide && !short_count) return {};
    if (wraps) return left ? "shf.l.wrap.b32" : "shf.r.wrap.b32";
    return left ? "shf.clamp.l.b32" : "shf.clamp.r.b32";
}

bool lower_funnel_shift(Lowering& lowering) {
    const std::string_view type = lowering.modifier_name("shift_type");
    const bool left = lowering.modifier_name("shift_direction") != "R", upper = lowering.modifier("HI") != 0,
               wraps = lowering.modifier("W") != 0;
    const std::string_view key =
        lowering.source_count() == 3 ? shift_key(lowering, left, upper, type.starts_with('S'), wraps) : "";
    if (!key.empty()) {
        const Row a = lowering.source(0), b = lowering.source(1), c = lowering.source(2);
        if (left != upper) lowering.add(key, {lowering.result(), left ? a : c, b});
        else lowering.add(key, {lowering.result(), a, c, b});
        return true;
    }
    const u32 flags = u32{!left} | u32{wraps} << 1 | u32{type.ends_with("64")} << 2 |
                      u32{type.starts_with('S')} << 3 | u32{upper} << 4;
    add_lane_operation<funnel_shift>(lowering).flags = flags;
    return true;
}

/// a extended from its low b bits. flags: 1 signed, 2 b wraps.
constexpr auto extend = [](const LaneInputs& in) {
    const u64 bits = in.flags & 2 ? in.b & 31 : std::min<u64>(in.b, 32);
    if (bits == 0) return LaneResults{};
    if (bits == 32) return LaneResults{in.a, false, false};
    const u64 kept = in.a & ((u64{1} << bits) - 1), sign = u64{1} << (bits - 1);
    return LaneResults{in.flags & 1 ? ((kept ^ sign) - sign) & low_word : kept, false, false};
};

bool lower_extend(Lowering& lowering) {
    const u32 flags = lowering.modifier("unsigned") | lowering.modifier("W") << 1;
    add_lane_operation<extend>(lowering).flags = flags;
    return true;
}

/// b ones from bit a on. flags 1: both wrap.
constexpr auto bit_mask = [](const LaneInputs& in) {
    const u64 at = in.flags & 1 ? in.a & 31 : std::min<u64>(in.a, 32),
              count = in.flags & 1 ? in.b & 31 : std::min<u64>(in.b, 32);
    return LaneResults{((u64{1} << count) - 1) << at & low_word, false, false};
};

bool lower_bit_mask(Lowering& lowering) {
    const u32 flags = lowering.modifier("W");
    add_lane_operation<bit_mask>(lowering).flags = flags;
    return true;
}

bool lower_permute(Lowering& lowering) {
    constexpr std::string_view keys[] = {"prmt.b32",     "prmt.f4e.b32", "prmt.b4e.b32", "prmt.rc8.b32",
                                         "prmt.ecl.b32", "prmt.ecr.b32", "prmt.rc16.b32"};
    const unsigned mode = lowering.modifier("permute");
    if (mode >= std::size(keys)) return false;
    const Row a = lowering.source(0), choice = lowering.source(1), b = lowering.source(2);
    lowering.add(keys[mode], {lowering.result(), a, b, choice});
    return true;
}

/// The highest bit that is set, of a signed number the highest that differs from its sign; all ones: none.
/// flags: 1 signed, 2 as the shift that brings it to the top. p: there is one.
constexpr auto find_leading = [](const LaneInputs& in) {
    const u32 x = static_cast<u32>(in.flags & 1 && in.a >> 31 ? ~in.a : in.a);
    if (x == 0) return LaneResults{low_word, false, false};
    const u64 at = 31 - static_cast<u64>(std::countl_zero(x));
    return LaneResults{in.flags & 2 ? 31 - at : at, true, false};
};

bool lower_find_leading(Lowering& lowering) {
    const Row a = lowering.source(0);
    const Row zero = lowering.rows().zero(), none = lowering.rows().false_predicate();
    DecodedOp& op = lowering.add(each_lane_of<find_leading>);
    const Row rows[] = {lowering.result(),
                        lowering.predicate_result(81),
                        lowering.rows().predicate_sink(),
                        a,
                        zero,
                        zero,
                        none,
                        none};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = lowering.modifier("unsigned") | lowering.modifier("SH") << 1;
    return true;
}

bool lower_count(Lowering& lowering) {
    lowering.add("popc.b32", {lowering.result(), lowering.source(0)});
    return true;
}
bool lower_reverse(Lowering& lowering) {
    lowering.add("brev.b32", {lowering.result(), lowering.source(0)});
    return true;
}

constexpr Meaning bit_table[] = {
    {LOP3, lower_truth_table},
    {ULOP3, lower_truth_table},
    {PLOP3, lower_predicate_tables},
    {PLOP3_SIGN, lower_sign_tables},
    {UPLOP3, lower_predicate_tables},
    {LEA, lower_shift_and_add},
    {ULEA, lower_shift_and_add},
    {SHF, lower_funnel_shift},
    {USHF, lower_funnel_shift},
    {SGXT, lower_extend},
    {USGXT, lower_extend},
    {BMSK, lower_bit_mask},
    {UBMSK, lower_bit_mask},
    {PRMT, lower_permute},
    {UPRMT, lower_permute},
    {FLO, lower_find_leading},
    {UFLO, lower_find_leading},
    {POPC, lower_count},
    {UPOPC, lower_count},
    {BREV, lower_reverse},
    {UBREV, lower_reverse},
};

}  // namespace

Meanings bit_meanings() { return bit_table; }

}  // namespace warplens::simt
