// Integer arithmetic and comparison, of both data paths.
#include <algorithm>
#include <bit>
#include <optional>

#include "simt/functional/execute/executor_table.h"
#include "simt/functional/machine/comparison.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/machine/packed.h"

namespace warplens::simt {

namespace {

using sass::InstructionId;
using enum sass::InstructionId;

/// The rows of an operation of each_lane_of: sources as they are in the registers, `flags` says what is
/// negated.
void fill_rows(Lowering& lowering, DecodedOp& op, const Row (&sources)[3], const Row (&predicates)[2]) {
    op.rows[lane_result] = lowering.result();
    op.rows[lane_p] = lowering.predicate_result(81);
    op.rows[lane_q] = lowering.predicate_result(84);
    std::copy(std::begin(sources), std::end(sources), op.rows + lane_a);
    std::copy(std::begin(predicates), std::end(predicates), op.rows + lane_predicate);
}

/// Bits 0 to 2 of flags: that source is negated; 3 to 5: inverted.
u32 changes(const Lowering& lowering) {
    u32 flags = 0;
    for (u32 i = 0; i < 3; ++i)
        flags |= u32{lowering.is_negated(i)} << i | u32{lowering.is_inverted(i)} << (3 + i);
    return flags;
}

bool lower_add_three(Lowering& lowering) {
    const bool extended = lowering.modifier("X") != 0;
    const Row none = lowering.rows().false_predicate();
    const Row sources[] = {lowering.plain(0), lowering.plain(1), lowering.plain(2)};
    const Row carries[] = {extended ? lowering.predicate(87) : none,
                           extended ? lowering.predicate(77) : none};
    const Row sink = lowering.rows().predicate_sink();
    const u32 flags = changes(lowering);
    const bool carries_none =
        !extended && lowering.predicate_result(81) == sink && lowering.predicate_result(84) == sink;
    DecodedOp& op = lowering.add(lowering.is_uniform() ? "machine.uiadd3"
                                 : carries_none        ? "machine.iadd3"
                                                       : "machine.iadd3.x",
                                 {});
    fill_rows(lowering, op, sources, carries);
    op.flags = flags;
    return true;
}

// ---- 64 bits, since Blackwell
/// flags: changes(). p carries in.
constexpr auto add_wide_integers = [](const LaneInputs& in) {
    unsigned __int128 sum = in.p;
    const u64 sources[] = {in.a, in.b, in.c};
    for (u32 i = 0; i < 3; ++i) {
        if (in.flags >> i & 1) sum += static_cast<unsigned __int128>(~sources[i]) + 1;
        else sum += in.flags >> (3 + i) & 1 ? ~sources[i] : sources[i];
    }
    return LaneResults{static_cast<u64>(sum), static_cast<u64>(sum >> 64) != 0, false};
};

bool lower_wide_sum(Lowering& lowering, bool extended) {
    const Row sink = lowering.rows().predicate_sink(), none = lowering.rows().false_predicate();
    const bool three = lowering.source_count() == 3;  // whose carries may be 2
    if (three && (lowering.predicate_result(81) != sink || lowering.predicate_result(84) != sink))
        return false;
    const Row sources[] = {lowering.plain(0, 2), lowering.plain(1, 2), lowering.plain(2, 2)};
    const Row carries[] = {extended ? lowering.predicate(87) : none, none};
    const u32 flags = changes(lowering);
    DecodedOp& op = lowering.add(each_lane_of<add_wide_integers, 2, 2, 2, 2>);
    fill_rows(lowering, op, sources, carries);
    op.flags = flags;
    return true;
}

bool lower_add_three_wide(Lowering& lowering) { return lower_wide_sum(lowering, false); }

bool lower_add_two(Lowering& lowering) {
    if (lowering.modifier("64") == 0) return lower_add_three(lowering);
    return lower_wide_sum(lowering, lowering.modifier("X") != 0);
}

bool lower_magnitude(Lowering& lowering) {
    lowering.add("abs.s32", {lowering.result(), lowering.source(0)});
    return true;
}

bool lower_vector_add(Lowering& lowering) {
    const std::string_view type = lowering.modifier_name("viadd_120");
    if (lowering.modifier("16x2") != 0 && lowering.id() == VIADD) return lower_packed_sum(lowering);
    if (lowering.modifier("16x2") != 0 || lowering.modifier("ISAT") != 0 || (!type.empty() && type != "S32"))
        return false;  // packed halves and bytes
    lowering.add("add.u32", {lowering.result(), lowering.source(0), lowering.source(1)});
    return true;
}

bool lower_multiply(Lowering& lowering) {
    if (lowering.modifier("X") == 0) {
        const Row a = lowering.source(0), b = lowering.source(1), c = lowering.source(2);
        lowering.add("mad.lo.u32", {lowering.result(), a, b, c});
        return true;
    }
    const Row sources[] = {lowering.source(0), lowering.source(1), lowering.plain(2)};
    const Row carries[] = {lowering.predicate(87), lowering.rows().false_predicate()};
    const u32 flags = changes(lowering) & 0x24;
    DecodedOp& op = lowering.add("machine.imad.x", {});
    fill_rows(lowering, op, sources, carries);
    op.flags = flags;
    return true;
}

/// The 64 bits of a product of two words. flags 1: signed.
u64 product(const LaneInputs& in) {
    if ((in.flags & 1) == 0) return in.a * in.b;
    return static_cast<u64>(s64{static_cast<s32>(in.a)} * s64{static_cast<s32>(in.b)});
}

constexpr auto multiply_wide = [](const LaneInputs& in) {
    const u64 partial = product(in) + in.c, sum = partial + in.p;
    return LaneResults{sum, partial < in.c || sum < partial, false};
};
constexpr auto multiply_high = [](const LaneInputs& in) {
    const u64 partial = product(in) + in.c, sum = partial + in.p;
    return LaneResults{sum >> 32, partial < in.c || sum < partial, false};
};

/// A factor that is 2^n, in a signed product below 2^31.
std::optional<u32> power_of_two(const sass::Operand& factor) {
    const u32 value = static_cast<u32>(factor.value);
    if (factor.kind != sass::OperandKind::immediate || !std::has_single_bit(value) || value >> 31 != 0)
        return std::nullopt;
    return static_cast<u32>(std::countr_zero(value));
}

/// `key`: the operation that neither takes a carry nor gives one; `execute`: with carries.
bool lower_wide_multiply(Lowering& lowering, const std::string& key, Execute execute) {
    const bool extended = lowering.modifier("X") != 0;
    const Row sources[] = {lowering.source(0), lowering.source(1), lowering.source(2, 2)};
    const Row carries[] = {extended ? lowering.predicate(87) : lowering.rows().false_predicate(),
                           lowering.rows().false_predicate()};
    const bool is_signed = lowering.modifier("unsigned") != 0,
               carries_out = lowering.predicate_result(81) != lowering.rows().predicate_sink() ||
                             lowering.predicate_result(84) != lowering.rows().predicate_sink();
    if (!extended && !carries_out) {
        const sass::Operand &constant = lowering.source_operand(1), &pair = lowering.source_operand(2);
        const bool is_wide = key == "machine.imad.wide";
        const auto shift = is_wide ? power_of_two(constant) : std::nullopt;
        const std::string name = key + (shift ? ".shift" : "") + (is_signed ? ".s32" : ".u32");
        if (is_wide && constant.kind != sass::OperandKind::general_register &&
            pair.kind == sass::OperandKind::general_register && pair.index != sass::register_zero &&
            sources[2] == lowering.plain(2))
            add_address_sum(lowering, name, shift.value_or(0),
                            {lowering.result(), sources[0], sources[1], pair.index, is_signed});
        else
            lowering.add(name, {lowering.result(), sources[0], sources[1], sources[2]}).flags =
                shift.value_or(0);
        return true;
    }
    DecodedOp& op = lowering.add(execute);
    fill_rows(lowering, op, sources, carries);
    op.flags = is_signed;
    return true;
}

// ---- comparisons: the kinds integer_compare and combine of sass/modifiers.def
template <class T>
bool compares(u32 how, T a, T b) {
    const bool less = a < b, equal = a == b;
    return how == 7 || ((how & 1) != 0 && less) || ((how & 2) != 0 && equal) ||
           ((how & 4) != 0 && !less && !equal);
}

bool combined(u32 how, bool a, bool b) { return how == 0 ? a && b : how == 1 ? a || b : a != b; }

/// For what add_comparison() has not. flags: 0 to 2 comparison, 3 signed, 4 and 5 combination.
constexpr auto compare_integers = [](const LaneInputs& in) {
    const u32 how = in.flags & 7;
    const bool holds = in.flags & 8 ? compares(how, static_cast<s32>(in.a), static_cast<s32>(in.b))
                                    : compares(how, in.a, in.b);
    const u32 combine = in.flags >> 4 & 3;
    return LaneResults{0, combined(combine, holds, in.p), combined(combine, !holds, in.p)};
};

constexpr auto compare_wide_integers = [](const LaneInputs& in) {
    const u32 how = in.flags & 7, combine = in.flags >> 4 & 3;
    const bool holds = in.flags & 8 ? compares(how, static_cast<s64>(in.a), static_cast<s64>(in.b))
                                    : compares(how, in.a, in.b);
    return LaneResults{0, combined(combine, holds, in.p), combined(combine, !holds, in.p)};
};

/// The columns "unsigned" and "min_long" have bit 0 set for signed numbers, the latter bit 1 for 64 bits.
bool lower_wide_compare(Lowering& lowering) {
    const u32 type = lowering.modifier("min_long");
    if (lowering.modifier("EX") != 0) return false;
    const Row sources[] = {lowering.source(0, 2), lowering.source(1, 2), lowering.rows().zero()};
    const Row predicates[] = {lowering.predicate(87), lowering.rows().false_predicate()};
    DecodedOp& op = lowering.add(each_lane_of<compare_wide_integers, 0, 2, 2>);
    fill_rows(lowering, op, sources, predicates);
    op.flags = lowering.modifier("integer_compare") | (type & 1) << 3 | lowering.modifier("combine") << 4;
    return true;
}

bool lower_compare(Lowering& lowering) {
    if (lowering.modifier("min_long") >= 2) return lower_wide_compare(lowering);
    const u32 is_signed = (lowering.modifier("unsigned") | lowering.modifier("min_long")) & 1;
    const Row sources[] = {lowering.source(0), lowering.source(1), lowering.rows().zero()};
    if (lowering.modifier("EX") == 0 &&
        add_comparison(lowering, comparison_key(lowering, "integer_compare", is_signed ? "s32" : "u32"),
                       sources[0], sources[1]))
        return true;
    const Row predicates[] = {lowering.predicate(87), lowering.predicate(68)};
    // EX: the words below were compared before.
    DecodedOp& op = lowering.modifier("EX") != 0 ? lowering.add("machine.isetp.ex", {})
                                                 : lowering.add(each_lane_of<compare_integers, 0>);
    fill_rows(lowering, op, sources, predicates);
    op.flags = lowering.modifier("integer_compare") | is_signed << 3 | lowering.modifier("combine") << 4;
    return true;
}

// ---- minimum and maximum: flags 1 signed, 2 negative results become 0
u64 extremum(u64 a, u64 b, bool least, bool is_signed) {
    const bool less = is_signed ? static_cast<s32>(a) < static_cast<s32>(b) : a < b;
    return less == least ? a : b;
}
u64 clamped(u64 x, u32 flags) { return flags & 2 && static_cast<s32>(x) < 0 ? 0 : x; }

constexpr auto extremum_of_two = [](const LaneInputs& in) {
    return LaneResults{clamped(extremum(in.a, in.b, in.p, in.flags & 1), in.flags), false, false};
};
constexpr auto extremum_of_three = [](const LaneInputs& in) {
    const bool is_signed = in.flags & 1;
    const u64 two = extremum(in.a, in.b, in.p, is_signed);
    return LaneResults{clamped(extremum(two, in.c, in.p, is_signed), in.flags), false, false};
};
constexpr auto extremum_of_sum = [](const LaneInputs& in) {
    const u64 sum = (in.a + in.b) & low_word;
    return LaneResults{clamped(extremum(sum, in.c, in.p, in.flags & 1), in.flags), false, false};
};

template <auto F, PackedExtremum packed>
bool lower_extremum(Lowering& lowering) {
    std::string_view type;
    for (const char* kind : {"simd_min_90", "simd_min", "simd_min_120"})
        if (const std::string_view found = lowering.modifier_name(kind); !found.empty()) type = found;
    const Row sink = lowering.rows().predicate_sink();
    if (lowering.predicate_result(81) != sink || lowering.predicate_result(84) != sink) return false;
    if (!type.empty() && type != "U32" && type != "S32") return lower_packed_extremum(lowering, type, packed);
    const Row sources[] = {lowering.source(0), lowering.source(1), lowering.source(2)};
    const Row predicates[] = {lowering.predicate(87), lowering.rows().false_predicate()};
    const bool is_unsigned = type == "U32" || lowering.modifier_name("unsigned") == "U32";
    const bool least = predicates[0] == lowering.rows().true_predicate();
    if (packed == PackedExtremum::of_two && lowering.modifier("RELU") == 0 &&
        (least || predicates[0] == lowering.rows().false_predicate())) {
        lowering.add(fmt::format("{}.{}", least ? "min" : "max", is_unsigned ? "u32" : "s32"),
                     {lowering.result(), sources[0], sources[1]});
        return true;
    }
    DecodedOp& op = lowering.add(each_lane_of<F>);
    fill_rows(lowering, op, sources, predicates);
    op.flags = u32{!is_unsigned} | lowering.modifier("RELU") << 1;
    return true;
}

constexpr auto wide_extremum = [](const LaneInputs& in) {
    const bool less = in.flags & 1 ? static_cast<s64>(in.a) < static_cast<s64>(in.b) : in.a < in.b;
    return LaneResults{less == in.p ? in.a : in.b, false, false};
};

/// What its other predicates do is not known: they must be those of the plain minimum and maximum.
bool lower_wide_extremum(Lowering& lowering) {
    const u32 type = lowering.modifier("min_long");
    const Row sink = lowering.rows().predicate_sink(), none = lowering.rows().false_predicate();
    if (type < 2 || lowering.predicate_result(81) != sink || lowering.predicate_result(84) != sink ||
        lowering.predicate(77) != none)
        return false;
    const Row sources[] = {lowering.source(0, 2), lowering.source(1, 2), lowering.rows().zero()};
    const Row predicates[] = {lowering.predicate(87), none};
    DecodedOp& op = lowering.add(each_lane_of<wide_extremum, 2, 2, 2>);
    fill_rows(lowering, op, sources, predicates);
    op.flags = type & 1;
    return true;
}

/// flags 1: signed.
constexpr auto difference_magnitude = [](const LaneInputs& in) {
    const s64 a = in.flags & 1 ? static_cast<s32>(in.a) : static_cast<s64>(in.a),
              b = in.flags & 1 ? static_cast<s32>(in.b) : static_cast<s64>(in.b);
    return LaneResults{(static_cast<u64>(a < b ? b - a : a - b) + in.c) & low_word, false, false};
};

bool lower_difference(Lowering& lowering) {
    if (lowering.predicate_result(81) != lowering.rows().predicate_sink()) return false;
    const Row sources[] = {lowering.source(0), lowering.source(1), lowering.source(2)};
    const Row none = lowering.rows().false_predicate();
    DecodedOp& op = lowering.add(each_lane_of<difference_magnitude>);
    fill_rows(lowering, op, sources, {none, none});
    op.rows[lane_q] = lowering.rows().predicate_sink();
    op.flags = u32{lowering.modifier_name("unsigned") != "U32"};
    return true;
}

bool lower_dot_product(Lowering& lowering) {
    const std::string_view half = lowering.modifier_name("idp_half");
    std::string key = half == "4A" ? "dp4a" : half == "2A.LO" ? "dp2a.lo" : "dp2a.hi";
    key += (half == "4A" ? lowering.modifier("idp_a4") : lowering.modifier("idp_a2")) != 0 ? ".s32" : ".u32";
    key += lowering.modifier("byte_sign") != 0 ? ".s32" : ".u32";
    const ExecutorRow* executor = find_executor(key);
    if (!executor) return false;
    const Row a = lowering.source(0), b = lowering.source(1), c = lowering.source(2);
    DecodedOp& op = lowering.add(executor->execute);
    const Row rows[] = {lowering.result(), a, b, c};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    return true;
}

bool lower_wide_product(Lowering& lowering) {
    return lower_wide_multiply(lowering, "machine.imad.wide", each_lane_of<multiply_wide, 2, 1, 1, 2>);
}
bool lower_high_product(Lowering& lowering) {
    return lower_wide_multiply(lowering, "machine.imad.hi", each_lane_of<multiply_high, 1, 1, 1, 2>);
}

constexpr auto extremum_two = lower_extremum<extremum_of_two, PackedExtremum::of_two>,
               extremum_three = lower_extremum<extremum_of_three, PackedExtremum::of_three>,
               extremum_sum = lower_extremum<extremum_of_sum, PackedExtremum::of_sum>;

constexpr Meaning integer_table[] = {
    {IADD3, lower_add_three},
    {UIADD3, lower_add_three},
    {IADD3_100, lower_add_three},
    {UIADD3_100, lower_add_three},
    {UIADD3_64, lower_add_three_wide},
    {IADD, lower_add_two},
    {VIADD, lower_vector_add},
    {VIADD_120, lower_vector_add},
    {IABS, lower_magnitude},
    {IMAD, lower_multiply},
    {UIMAD, lower_multiply},
    {IMAD_WIDE, lower_wide_product},
    {UIMAD_WIDE, lower_wide_product},
    {IMAD_HI, lower_high_product},
    {UIMAD_HI, lower_high_product},
    {ISETP, lower_compare},
    {ISETP_120, lower_compare},
    {UISETP, lower_compare},
    {UISETP_120, lower_compare},
    {IMNMX, extremum_two},
    {IMNMX_64, lower_wide_extremum},
    {UIMNMX, lower_wide_extremum},
    {VIMNMX, extremum_two},
    {VIMNMX_100, extremum_two},
    {VIMNMX_120, extremum_two},
    {UVIMNMX, extremum_two},
    {VIMNMX3, extremum_three},
    {VIMNMX3_100, extremum_three},
    {VIADDMNMX, extremum_sum},
    {VIADDMNMX_100, extremum_sum},
    {IDP, lower_dot_product},
    {VABSDIFF, lower_difference},
};

}  // namespace

Meanings integer_meanings() { return integer_table; }

}  // namespace warplens::simt
