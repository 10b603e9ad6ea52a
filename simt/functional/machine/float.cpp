// Floating point: single, double and half precision, and the approximate functions.
#include <algorithm>
#include <bit>
#include <cmath>

#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/machine/comparison.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/machine/single_precision.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

float as_float(u64 bits) { return std::bit_cast<float>(static_cast<u32>(bits)); }
u64 as_bits(float x) { return std::bit_cast<u32>(x); }
float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

/// The operation of the PTX level called `opcode`, of f32.
template <std::size_t sources>
bool lower_single(Lowering& lowering, const char* opcode) {
    const auto operation = single_operation(lowering, opcode);
    if (!operation || !(lowering.modifier_name("fmul_scale").empty())) return false;
    Row rows[4] = {lowering.result()};
    for (std::size_t i = 0; i < sources; ++i) rows[1 + i] = lowering.source(i);
    DecodedOp& op = lowering.add(operation->execute);
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = operation->flags;
    return true;
}
bool lower_add(Lowering& lowering) { return lower_single<2>(lowering, "add"); }
bool lower_fused(Lowering& lowering) { return lower_single<3>(lowering, "fma"); }

// ---- lane by lane
template <auto F, int D = 1, int A = 1, int B = 1, int C = 1>
bool lower_lanes(Lowering& lowering, u32 flags) {
    const Row a = lowering.source(0, A), b = lowering.source(1, B), c = lowering.source(2, C);
    const Row p = lowering.predicate(87);
    DecodedOp& op = lowering.add(each_lane_of<F, D, A, B, C>);
    const Row rows[] = {lowering.result(),
                        lowering.predicate_result(81),
                        lowering.predicate_result(84),
                        a,
                        b,
                        c,
                        p,
                        lowering.rows().false_predicate()};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = flags;
    return true;
}

/// The product times 2^(flags / 4 - 3), rounded once: exact in double precision. flags 1: flushes, 2:
/// saturates.
constexpr auto scaled_product = [](const LaneInputs& in) {
    float a = as_float(in.a), b = as_float(in.b);
    if (in.flags & 1) a = flushed(a), b = flushed(b);
    const int power = static_cast<int>(in.flags >> 2) - 3;
    float r = static_cast<float>(std::ldexp(static_cast<double>(a) * static_cast<double>(b), power));
    if (in.flags & 1) r = flushed(r);
    if (in.flags & 2) r = r > 0.0f ? std::min(r, 1.0f) : 0.0f;
    return LaneResults{r == r ? as_bits(r) : 0x7fffffffu, false, false};
};
bool lower_float_multiply(Lowering& lowering) {
    const std::string_view scale = lowering.modifier_name("fmul_scale");
    if (scale.empty()) return lower_single<2>(lowering, "mul");
    constexpr std::string_view scales[] = {"D8", "D4", "D2", "", "M2", "M4", "M8"};  // 2^-3 to 2^3
    const auto* found = std::ranges::find(scales, scale);
    const auto ftz = flushes(lowering);
    if (found == std::end(scales) || !ftz || rounding_flags(lowering) != 0) return false;
    const u32 power = static_cast<u32>(found - std::begin(scales));
    return lower_lanes<scaled_product>(lowering,
                                       u32{*ftz} | u32{lowering.modifier("SAT") != 0} << 1 | power << 2);
}

/// flags 1: flushes; 2: a NaN wins.
constexpr auto float_extremum = [](const LaneInputs& in) {
    float a = as_float(in.a), b = as_float(in.b);
    if (in.flags & 1) a = flushed(a), b = flushed(b);
    const bool least = in.p;
    if (a != a || b != b) {
        const bool nan = in.flags & 2 || (a != a && b != b);
        return LaneResults{nan ? 0x7fffffffu : as_bits(a != a ? b : a), false, false};
    }
    if (a == b) return LaneResults{least ? as_bits(a) | as_bits(b) : as_bits(a) & as_bits(b), false, false};
    return LaneResults{as_bits((a < b) == least ? a : b), false, false};
};

/// With the product of the signs: as min.xorsign.abs of the PTX level.
bool lower_signed_extremum(Lowering& lowering) {
    const Row p = lowering.predicate(87);
    const bool least = p == lowering.rows().true_predicate();
    if (!least && p != lowering.rows().false_predicate()) return false;
    for (std::size_t i = 0; i < 2; ++i) {
        const sass::Operand& operand = lowering.source_operand(i);
        if (operand.negated || (!operand.absolute && operand.kind != sass::OperandKind::immediate))
            return false;
    }
    const Row a = lowering.plain(0), b = lowering.plain(1);
    DecodedOp& op = lowering.add(find_executor(least ? "min.f32+" : "max.f32+")->execute);
    op.rows[0] = lowering.result();
    op.rows[1] = a;
    op.rows[2] = b;
    op.flags = flag_xorsign | flag_abs | (lowering.modifier("FTZ") != 0 ? u32{flag_ftz} : 0) |
               (lowering.modifier("NAN") != 0 ? u32{flag_nan} : 0);
    return true;
}

bool lower_float_extremum(Lowering& lowering) {
    if (lowering.modifier("XORSIGN") != 0) return lower_signed_extremum(lowering);
    const Row p = lowering.predicate(87);
    const bool least = p == lowering.rows().true_predicate();
    if (least || p == lowering.rows().false_predicate()) {
        const Row a = lowering.source(0), b = lowering.source(1);
        lowering.add(
            fmt::format("{}{}{}.f32", least ? "min" : "max", lowering.modifier("NAN") != 0 ? ".NaN" : "",
                        lowering.modifier("FTZ") != 0 ? ".ftz" : ""),
            {lowering.result(), a, b});
        return true;
    }
    return lower_lanes<float_extremum>(lowering, lowering.modifier("FTZ") | lowering.modifier("NAN") << 1);
}

constexpr auto float_select = [](const LaneInputs& in) {
    const u64 chosen = in.p ? in.a : in.b;
    return LaneResults{in.flags & 1 ? as_bits(flushed(as_float(chosen))) : chosen, false, false};
};
bool lower_float_select(Lowering& lowering) {
    if (lowering.modifier("FTZ") == 0) {
        const Row a = lowering.source(0), b = lowering.source(1), p = lowering.predicate(87);
        lowering.add("selp.b32", {lowering.result(), a, b, p});
        return true;
    }
    return lower_lanes<float_select>(lowering, lowering.modifier("FTZ"));
}

/// `how` as float_compare of sass/modifiers.def: less, equal, greater, and whether unordered counts.
template <class T>
bool compares_floats(u32 how, T a, T b) {
    return (how & 1 && a < b) || (how & 2 && a == b) || (how & 4 && a > b) || (how & 8 && (a != a || b != b));
}
bool combined_floats(u32 how, bool a, bool b) { return how == 0 ? a && b : how == 1 ? a || b : a != b; }

/// flags: 0 to 3 comparison, 4 and 5 combination, 6 flushes.
constexpr auto compare = [](const LaneInputs& in) {
    float a = as_float(in.a), b = as_float(in.b);
    if (in.flags & 0x40) a = flushed(a), b = flushed(b);
    const bool holds = compares_floats(in.flags & 15, a, b);
    const u32 how = in.flags >> 4 & 3;
    return LaneResults{combined_floats(how, holds, in.p) ? as_bits(1.0f) : 0,
                       combined_floats(how, holds, in.p), combined_floats(how, !holds, in.p)};
};
constexpr auto compare_wide = [](const LaneInputs& in) {
    const bool holds =
        compares_floats(in.flags & 15, std::bit_cast<double>(in.a), std::bit_cast<double>(in.b));
    const u32 how = in.flags >> 4 & 3;
    return LaneResults{0, combined_floats(how, holds, in.p), combined_floats(how, !holds, in.p)};
};

/// Of doubles: p: a is chosen, q: neither is a number; the code then selects by them. flags 1: the maximum.
constexpr auto choose_wide = [](const LaneInputs& in) {
    const double a = std::bit_cast<double>(in.a), b = std::bit_cast<double>(in.b);
    if (a != a || b != b) return LaneResults{0, b != b, a != a && b != b};
    if (a == b) return LaneResults{0, std::signbit(a) != ((in.flags & 1) != 0), false};
    return LaneResults{0, (a > b) == ((in.flags & 1) != 0), false};
};

u32 compare_flags(const Lowering& lowering, const char* kind) {
    return lowering.modifier(kind) | lowering.modifier("combine") << 4 | lowering.modifier("FTZ") << 6;
}
bool lower_float_compare(Lowering& lowering) {
    const std::string key =
        comparison_key(lowering, "float_compare", lowering.modifier("FTZ") != 0 ? "ftz.f32" : "f32");
    const Row a = lowering.source(0), b = lowering.source(1);
    if (add_comparison(lowering, key, a, b)) return true;
    return lower_lanes<compare, 0>(lowering, compare_flags(lowering, "float_compare"));
}
bool lower_compare_to_number(Lowering& lowering) {
    return lower_lanes<compare>(lowering, compare_flags(lowering, "float_compare"));
}
bool lower_compare_wide(Lowering& lowering) {
    const unsigned how = lowering.modifier("double_compare");
    if (how == 0 || how == 15) {  // minimum and maximum
        if (lowering.modifier("combine") != 0 || lowering.predicate(87) != lowering.rows().true_predicate())
            return false;
        return lower_lanes<choose_wide, 0, 2, 2>(lowering, how == 15);
    }
    const Row a = lowering.source(0, 2), b = lowering.source(1, 2), wide_a = lowering.widened(a),
              wide_b = lowering.widened(b);
    return add_comparison(lowering, comparison_key(lowering, "double_compare", "f64"), wide_a, wide_b) ||
           lower_lanes<compare_wide, 0, 2, 2>(lowering, compare_flags(lowering, "double_compare"));
}

bool lower_division_check(Lowering& lowering) {
    const Row a = lowering.source(0), b = lowering.source(1);
    DecodedOp& op = lowering.add("machine.fchk", {});
    op.rows[lane_a] = a;
    op.rows[lane_b] = b;
    op.rows[lane_p] = lowering.predicate_result(81);
    op.rows[lane_q] = lowering.predicate_result(84);
    return true;
}

// ---- double precision
/// With another rounding than to nearest: the operation of the PTX level called `opcode`, on rows of 8 bytes.
bool lower_wide_rounded(Lowering& lowering, std::string_view opcode, std::size_t sources) {
    const ExecutorRow* executor = find_executor(fmt::format("{}.f64+", opcode));
    if (!executor) return false;
    Row rows[4] = {lowering.rows().scratch(2)};
    for (std::size_t i = 0; i < sources; ++i) {
        const Row pair = lowering.source(i, 2);
        rows[1 + i] = lowering.widened(pair);
    }
    DecodedOp& op = lowering.add(executor->execute);
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = rounding_flags(lowering);
    lowering.add_silent("machine.wide_to_pair", {lowering.result(), rows[0]});
    return true;
}

bool lower_wide(Lowering& lowering, const std::string& opcode, std::size_t sources) {
    if (rounding_flags(lowering) != 0) return lower_wide_rounded(lowering, opcode, sources);
    const Row a = lowering.source(0, 2), b = lowering.source(1, 2), c = lowering.source(2, 2);
    lowering.add("machine." + opcode + ".f64", {lowering.result(), a, b, c});
    return true;
}
bool lower_add_wide(Lowering& lowering) { return lower_wide(lowering, "add", 2); }
bool lower_multiply_wide(Lowering& lowering) { return lower_wide(lowering, "mul", 2); }
bool lower_fused_wide(Lowering& lowering) { return lower_wide(lowering, "fma", 3); }

// ---- approximate functions: subnormal inputs and results are 0

/// Of an angle in turns, computed in double precision and rounded once. flags 1: the sine, else the cosine.
constexpr auto wave_of_turns = [](const LaneInputs& in) {
    constexpr double turn = 6.283185307179586476925;
    const double x = flushed(as_float(in.a)), y = in.flags & 1 ? std::sin(turn * x) : std::cos(turn * x);
    const float r = flushed(static_cast<float>(y));
    return LaneResults{r == r ? as_bits(r) : 0x7fffffffu, false, false};
};

/// Of a half, chosen in its register: the PTX level's operation. The result is the lower half of the
/// register; what ptxas makes reads no other, and zero is above it.
bool lower_approximate_half(Lowering& lowering, unsigned function, bool bfloat) {
    const std::string_view part = lowering.part_name(0);
    const sass::Operand& operand = lowering.source_operand(0);
    if ((function != 2 && function != 9) || operand.negated || operand.absolute ||
        operand.kind == sass::OperandKind::immediate || (!part.empty() && part != "H1"))
        return false;
    Row source = lowering.plain(0);
    if (part == "H1") {
        const Row upper = lowering.rows().scratch(1);
        lowering.prepare("shr.u32", {upper, source, lowering.rows().constant(16)});
        source = upper;
    }
    const std::string opcode = function == 2 ? "ex2.approx" : "tanh.approx";
    DecodedOp& op = lowering.add(find_executor(opcode + (bfloat ? ".bf16+" : ".f16+"))->execute);
    op.rows[0] = lowering.result();
    op.rows[1] = source;
    if (function == 2 && bfloat) op.flags = flag_ftz;  // PTX has no other
    return true;
}

bool lower_approximate(Lowering& lowering) {
    const unsigned function = lowering.modifier("mufu");
    const std::string_view type = lowering.modifier_name("mufu_type"),
                           type_75 = lowering.modifier_name("mufu_type_75");
    if (function == 6 || function == 7) return false;
    if (!type.empty() || !type_75.empty()) return lower_approximate_half(lowering, function, type == "BF16");
    if (lowering.source_operand(0).swizzle != 0) return false;
    if (function < 2) return lower_lanes<wave_of_turns>(lowering, function);
    // The others are the PTX level's.
    constexpr const char* opcodes[] = {"ex2", "lg2", "rcp", "rsqrt", nullptr, nullptr, "sqrt", "tanh"};
    if (function - 2 >= std::size(opcodes)) return false;
    const Row source = lowering.source(0);
    lowering.add(fmt::format("{}.approx.ftz.f32", opcodes[function - 2]), {lowering.result(), source});
    return true;
}

/// Of the upper half of a double, to the upper half of one. flags 1: of its square root.
constexpr auto reciprocal_of_upper = [](const LaneInputs& in) {
    u64 bits = in.a << 32;
    if ((bits & 0x7ff0000000000000u) == 0) bits &= 0x8000000000000000u;
    const double x = std::bit_cast<double>(bits);
    u64 out = std::bit_cast<u64>(in.flags & 1 ? 1 / std::sqrt(x) : 1 / x);
    if ((out & 0x7ff0000000000000u) == 0) out &= 0x8000000000000000u;
    return LaneResults{x == x ? out >> 32 : 0x7fffffffu, false, false};
};
bool lower_approximate_wide(Lowering& lowering) {
    const unsigned function = lowering.modifier("mufu");
    return (function == 6 || function == 7) && lower_lanes<reciprocal_of_upper>(lowering, function == 7);
}

constexpr Meaning float_table[] = {
    {FADD, lower_add},
    {FADD_100, lower_add},
    {UFADD, lower_add},
    {FMUL, lower_float_multiply},
    {UFMUL, lower_float_multiply},
    {FFMA, lower_fused},
    {UFFMA, lower_fused},
    {FMNMX, lower_float_extremum},
    {FMNMX_70, lower_float_extremum},
    {FSEL, lower_float_select},
    {FSETP, lower_float_compare},
    {UFSETP, lower_float_compare},
    {FSET, lower_compare_to_number},
    {FCHK, lower_division_check},
    {MUFU, lower_approximate},
    {MUFU_75, lower_approximate},
    {MUFU_64, lower_approximate_wide},
    {DADD, lower_add_wide},
    {DMUL, lower_multiply_wide},
    {DFMA, lower_fused_wide},
    {DSETP, lower_compare_wide},
};

}  // namespace

Meanings float_meanings() { return float_table; }

}  // namespace warplens::simt
