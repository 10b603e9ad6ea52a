// Instructions that Blackwell has first: two numbers of single precision at once, sums and products of halves
// in single precision, minimum and maximum of three, and reductions over the warp. What they compute is what
// the PTX instruction computes that ptxas makes them of.
#include <algorithm>

#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/convert.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/execute/warp.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/machine/single_precision.h"
#include "simt/functional/machine/warp_reduction.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

struct SourcePair {
    Row lower = 0, upper = 0;
};

/// A pair of registers in either order, or one register for both. With .NP the upper number has the other
/// sign than the operand says.
std::optional<SourcePair> source_pair(Lowering& lowering, std::size_t index) {
    const sass::Operand& operand = lowering.source_operand(index);
    const std::string_view part = lowering.part_name(index);
    if (operand.kind == sass::OperandKind::immediate) {
        const Row both = lowering.plain(index);
        return SourcePair{both, both};
    }
    const bool single = part == "F32", swapped = part.starts_with("F32x2.LO_HI"),
               unlike = part.ends_with(".NP");
    if (!single && !swapped && !part.starts_with("F32x2.HI_LO")) return std::nullopt;
    const Row row = lowering.plain(index, single ? 1 : 2);
    const Row other = single ? row : row + word_row_bytes;
    return SourcePair{lowering.with_sign(swapped ? other : row, operand.absolute, operand.negated),
                      lowering.with_sign(swapped ? row : other, operand.absolute, operand.negated != unlike)};
}

template <std::size_t sources>
bool lower_pair(Lowering& lowering, const char* opcode) {
    const auto operation = single_operation(lowering, opcode);
    if (!operation || lowering.source_count() != sources || !lowering.has_result()) return false;
    SourcePair pairs[sources];
    for (std::size_t i = 0; i < sources; ++i) {
        const auto pair = source_pair(lowering, i);
        if (!pair) return false;
        pairs[i] = *pair;
    }
    // The result may be one of the sources.
    const Row lower = lowering.rows().scratch(1), result = lowering.result();
    DecodedOp& first = lowering.add(operation->execute);
    first.rows[0] = lower;
    for (std::size_t i = 0; i < sources; ++i) first.rows[1 + i] = pairs[i].lower;
    first.flags = operation->flags;
    DecodedOp& second = lowering.add_silent(operation->execute);
    second.rows[0] = result + word_row_bytes;
    for (std::size_t i = 0; i < sources; ++i) second.rows[1 + i] = pairs[i].upper;
    second.flags = operation->flags;
    lowering.add_silent("mov.b32", {result, lower});
    return true;
}
bool lower_add_pair(Lowering& lowering) { return lower_pair<2>(lowering, "add"); }
bool lower_multiply_pair(Lowering& lowering) { return lower_pair<2>(lowering, "mul"); }
bool lower_fused_pair(Lowering& lowering) { return lower_pair<3>(lowering, "fma"); }

/// The lower half of a register as single precision, which is exact.
std::optional<Row> widened_half(Lowering& lowering, std::size_t index) {
    const sass::Operand& operand = lowering.source_operand(index);
    if (operand.kind == sass::OperandKind::immediate || !lowering.part_name(index).empty())
        return std::nullopt;
    const Row source = lowering.plain(index), wide = lowering.rows().scratch(1);
    DecodedOp& op = lowering.prepare(convert);
    op.rows[0] = wide;
    op.rows[1] = source;
    op.flags = pack(ConvertFlags{.to = ptx::Type::f32,
                                 .from = lowering.modifier("BF16") != 0 ? ptx::Type::bf16 : ptx::Type::f16});
    return lowering.with_sign(wide, operand.absolute, operand.negated);
}

/// The first `halves` sources are halves, the last one is single precision.
template <std::size_t halves>
bool lower_of_halves(Lowering& lowering, const char* opcode) {
    const auto operation = single_operation(lowering, opcode);
    if (!operation || lowering.source_count() != halves + 1) return false;
    Row rows[4] = {lowering.result()};
    for (std::size_t i = 0; i < halves; ++i) {
        const auto wide = widened_half(lowering, i);
        if (!wide) return false;
        rows[1 + i] = *wide;
    }
    rows[1 + halves] = lowering.source(halves);
    DecodedOp& op = lowering.add(operation->execute);
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = operation->flags;
    return true;
}
bool lower_add_half(Lowering& lowering) { return lower_of_halves<1>(lowering, "add"); }
bool lower_fused_halves(Lowering& lowering) { return lower_of_halves<2>(lowering, "fma"); }

/// The predicate says which: true the minimum.
bool lower_extremum_of_three(Lowering& lowering) {
    const Row p = lowering.predicate(87);
    const bool least = p == lowering.rows().true_predicate();
    if ((!least && p != lowering.rows().false_predicate()) || lowering.source_count() != 3) return false;
    const Row a = lowering.source(0), b = lowering.source(1), c = lowering.source(2),
              between = lowering.rows().scratch(1);
    const Execute execute = find_executor(least ? "min.f32+" : "max.f32+")->execute;
    const u32 flags = (lowering.modifier("FTZ") != 0 ? u32{flag_ftz} : 0) |
                      (lowering.modifier("NAN") != 0 ? u32{flag_nan} : 0);
    DecodedOp& first = lowering.add(execute);
    first.rows[0] = between;
    first.rows[1] = a;
    first.rows[2] = b;
    first.flags = flags;
    DecodedOp& second = lowering.add_silent(execute);
    second.rows[0] = lowering.result();
    second.rows[1] = between;
    second.rows[2] = c;
    second.flags = flags;
    return true;
}

/// To a uniform register, as REDUX; on floating point, too.
bool lower_warp_extremum(Lowering& lowering) {
    const std::string_view name = lowering.modifier_name("credux"),
                           type = lowering.modifier_name("credux_type");
    const bool least = name.starts_with("MIN"), magnitude = name.ends_with("ABS"), floats = type == "F32";
    const bool nan = lowering.modifier("NAN") != 0;
    if (!floats && (magnitude || nan || (!type.empty() && type != "S32"))) return false;
    const bool with_sign = type == "S32";
    u32 flags =
        least ? (with_sign ? reduce_min_signed : reduce_min) : (with_sign ? reduce_max_signed : reduce_max);
    if (magnitude) flags |= reduce_magnitude;
    if (nan) flags |= reduce_nan;
    reduce_to_uniform(lowering, floats ? reduce_float : reduce, flags);
    return true;
}

constexpr Meaning blackwell_table[] = {
    {FADD2, lower_add_pair},     {FMUL2, lower_multiply_pair},        {FMUL2_IMMEDIATE, lower_multiply_pair},
    {FFMA2, lower_fused_pair},   {FFMA2_IMMEDIATE, lower_fused_pair}, {FHADD, lower_add_half},
    {FHFMA, lower_fused_halves}, {FMNMX3, lower_extremum_of_three},   {CREDUX, lower_warp_extremum},
};

}  // namespace

Meanings blackwell_meanings() { return blackwell_table; }

}  // namespace warplens::simt
