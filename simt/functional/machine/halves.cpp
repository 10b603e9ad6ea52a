// Half precision: pairs of numbers in a word.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/half.h"
#include "simt/functional/decode/compare_flags.h"
#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/machine/comparison.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

bool is_bfloat(const Lowering& lowering) {
    return lowering.modifier_name("half_type") == "BF16_V2" || lowering.modifier("bfloat_type") != 0 ||
           lowering.modifier("BF16_V2") != 0;
}

u32 half_flags(const Lowering& lowering) {
    const bool flushes = lowering.modifier("FTZ") != 0 || lowering.modifier_name("half_mode") == "FTZ";
    return flushes ? u32{flag_ftz} : 0;
}

/// On Turing and Volta by a column of its own.
bool gives_single(const Lowering& lowering) {
    return lowering.modifier_name("half_type") == "F32" || lowering.modifier("F32") != 0;
}

template <std::size_t sources>
bool lower_half(Lowering& lowering, const char* opcode) {
    const std::string_view mode = lowering.modifier_name("half_mode");
    if (gives_single(lowering) || (!mode.empty() && mode != "FTZ")) return false;
    u32 flags = half_flags(lowering);
    if (lowering.modifier("SAT") != 0) flags |= flag_sat;
    if (lowering.modifier("RELU") != 0) flags |= flag_relu;
    Row rows[4] = {lowering.result()};
    for (std::size_t i = 0; i < sources; ++i) {
        if (lowering.part_name(i) == "F32") return false;
        rows[1 + i] = lowering.source(i);
    }
    const ExecutorRow* executor =
        find_executor(std::string(opcode) + (is_bfloat(lowering) ? ".bf16x2+" : ".f16x2+"));
    if (!executor) return false;
    DecodedOp& op = lowering.add(executor->execute);
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = flags;
    return true;
}

/// flags 1 and 2: the upper half of a, of b; 4 flushes; 8 to 64: negation and magnitude of a, of b.
constexpr auto add_half_to_single = [](const LaneInputs& in) {
    const auto value = [&](u64 word, bool upper, u32 sign) {
        const float half = half_to_float(static_cast<u16>(upper ? word >> 16 : word));
        const float magnitude = sign & 2 ? std::fabs(half) : half;
        return sign & 1 ? -magnitude : magnitude;
    };
    const float sum = value(in.a, in.flags & 1, in.flags >> 3) + value(in.b, in.flags & 2, in.flags >> 5);
    const float kept = in.flags & 4 ? (std::fabs(sum) < 0x1p-126f ? std::copysign(0.0f, sum) : sum) : sum;
    return LaneResults{kept == kept ? std::bit_cast<u32>(kept) : 0x7fffffffu, false, false};
};
bool lower_half_to_single(Lowering& lowering) {
    constexpr u32 lower_half = 2, upper_half = 3;  // half_swizzle of sass/modifiers.def
    if (lowering.source_count() != 2 || lowering.modifier("SAT") != 0) return false;
    u32 flags = lowering.modifier("FTZ") << 2;
    for (std::size_t i = 0; i < 2; ++i) {
        const sass::Operand& operand = lowering.source_operand(i);
        const bool is_zero = lowering.plain(i) == lowering.rows().zero();
        if (!is_zero && operand.swizzle != lower_half && operand.swizzle != upper_half) return false;
        flags |= u32{operand.swizzle == upper_half} << i;
        flags |= (u32{operand.negated} | u32{operand.absolute} << 1) << (3 + 2 * i);
    }
    const Row a = lowering.plain(0), b = lowering.plain(1);
    DecodedOp& op = lowering.add(each_lane_of<add_half_to_single>);
    MachineRows& rows = lowering.rows();
    const Row sink = rows.predicate_sink(), no = rows.false_predicate();
    const Row all[] = {lowering.result(), sink, sink, a, b, rows.zero(), no, no};
    std::copy(std::begin(all), std::end(all), op.rows);
    op.flags = flags;
    return true;
}

bool lower_half_add(Lowering& lowering) {
    if (gives_single(lowering)) return lower_half_to_single(lowering);
    return lower_half<2>(lowering, "add");
}
bool lower_half_multiply(Lowering& lowering) { return lower_half<2>(lowering, "mul"); }

/// -0 * 0 + an immediate: so ptxas moves constants through this pipe. The sum is the immediate, of zeros and
/// subnormals too; a NaN would become the canonical one.
bool moves_constant(const Lowering& lowering) {
    const auto is_zero = [&](std::size_t index, bool negated) {
        const sass::Operand& operand = lowering.source_operand(index);
        return operand.kind == sass::OperandKind::general_register && operand.index == sass::register_zero &&
               operand.negated == negated && !operand.absolute;
    };
    if (lowering.source_count() != 3 || !is_zero(0, true) || !is_zero(1, false) || is_bfloat(lowering) ||
        gives_single(lowering) || lowering.modifier("SAT") != 0 || lowering.modifier("RELU") != 0 ||
        !lowering.modifier_name("half_mode").empty())
        return false;
    const sass::Operand& constant = lowering.source_operand(2);
    const auto is_number = [](u32 half) { return (half & 0x7c00) != 0x7c00; };
    const u32 halves = static_cast<u32>(constant.value);
    return constant.kind == sass::OperandKind::immediate && !constant.negated && !constant.absolute &&
           is_number(halves) && is_number(halves >> 16);
}

bool lower_half_fused(Lowering& lowering) {
    if (!moves_constant(lowering)) return lower_half<3>(lowering, "fma");
    lowering.add_copies(lowering.result(), lowering.plain(2), 1);
    return true;
}

/// The minimum where the predicate holds; only where that is known beforehand. XORSIGN takes magnitudes and
/// the product of the signs, so the registers are read as they are.
bool lower_half_extremum(Lowering& lowering) {
    const Row p = lowering.predicate(87);
    const bool least = p == lowering.rows().true_predicate();
    if (!least && p != lowering.rows().false_predicate()) return false;
    u32 flags = half_flags(lowering) | (lowering.modifier("NAN") != 0 ? u32{flag_nan} : 0);
    Row sources[2];
    const bool by_sign = lowering.modifier("XORSIGN") != 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const sass::Operand& operand = lowering.source_operand(i);
        if (by_sign && (!operand.absolute || operand.negated)) return false;
        sources[i] = by_sign ? lowering.chosen_half(i, lowering.plain(i)) : lowering.source(i);
    }
    if (by_sign) flags |= flag_xorsign | flag_abs;
    const char* type = is_bfloat(lowering) ? ".bf16x2+" : ".f16x2+";
    DecodedOp& op = lowering.add(find_executor(std::string(least ? "min" : "max") + type)->execute);
    op.rows[0] = lowering.result();
    op.rows[1] = sources[0];
    op.rows[2] = sources[1];
    op.flags = flags;
    return true;
}

/// Rows of a comparison: two results, two sources, the predicate that it is combined with.
bool add_half_comparison(Lowering& lowering, Row first, Row second, u32 flags) {
    const std::string type =
        std::string(half_flags(lowering) != 0 ? "ftz." : "") + (is_bfloat(lowering) ? "bf16x2" : "f16x2");
    const std::string key = comparison_key(lowering, "float_compare", type);
    const u32 combined = combine_flags(lowering);
    if (combined == 0 || !find_executor(key)) return false;
    const Row a = lowering.source(0), b = lowering.source(1), p = lowering.predicate(87);
    lowering.add(key, {first, second, a, b, p}).flags = flags | combined;
    return true;
}

bool lower_half_compare(Lowering& lowering) {
    if (lowering.modifier("H_AND") != 0) return false;
    return add_half_comparison(lowering, lowering.predicate_result(81), lowering.predicate_result(84),
                               second_is_upper_half);
}

/// 1 or 0 in each half.
bool lower_half_set(Lowering& lowering) {
    if (lowering.modifier("BF") == 0) return false;
    return add_half_comparison(lowering, lowering.result(), lowering.rows().sink(),
                               is_bfloat(lowering) ? result_bf16x2 : result_f16x2);
}

constexpr Meaning half_table[] = {
    {HADD2, lower_half_add},       {HADD2_70, lower_half_add},   {HMUL2, lower_half_multiply},
    {HFMA2, lower_half_fused},     {HFMA2_70, lower_half_fused}, {HFMA2_MMA, lower_half_fused},
    {HMNMX2, lower_half_extremum}, {HSETP2, lower_half_compare}, {HSET2, lower_half_set},
};

}  // namespace

Meanings half_meanings() { return half_table; }

}  // namespace warplens::simt
