// Conversions between number types: the engine's own, which is exact in every mode.
#include <algorithm>

#include "simt/functional/execute/convert.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/machine/packing.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;
using ptx::Type;

Type type_named(std::string_view name) {
    if (name == "U8") return Type::u8;
    if (name == "S8") return Type::s8;
    if (name == "U16") return Type::u16;
    if (name == "S16") return Type::s16;
    if (name == "U32") return Type::u32;
    if (name == "S32") return Type::s32;
    if (name == "U64") return Type::u64;
    if (name == "S64") return Type::s64;
    if (name == "F16") return Type::f16;
    if (name == "BF16") return Type::bf16;
    if (name == "F64") return Type::f64;
    return Type::none;
}

Rounding integer_rounding(const Lowering& lowering) {
    const std::string_view mode = lowering.modifier_name("integer_round");
    return mode == "FLOOR"   ? Rounding::down
           : mode == "CEIL"  ? Rounding::up
           : mode == "TRUNC" ? Rounding::toward_zero
                             : Rounding::nearest_even;
}

/// rows: result, source; flags: those of convert_value.
template <int to_words, int from_words>
void convert_registers(Warp& warp, const DecodedOp& op, u32 mask) {
    const ConvertFlags flags = unpack_convert(op.flags);
    for_each_lane({mask}, [&](int lane) {
        u64 bits = read_lane<from_words>(warp, op.rows[1], lane);
        if (ptx::class_of(flags.from) == ptx::TypeClass::signed_integer && ptx::size_of(flags.from) < 8) {
            const u32 unused = 64 - 8 * ptx::size_of(flags.from);
            bits = static_cast<u64>(static_cast<s64>(bits << unused) >> unused);
        } else if (ptx::size_of(flags.from) < 4) {
            bits &= (u64{1} << 8 * ptx::size_of(flags.from)) - 1;
        }
        write_lane<to_words>(warp, op.rows[0], lane, convert_value(flags, bits));
    });
}

bool lower_conversion(Lowering& lowering, ConvertFlags flags) {
    if (flags.to == Type::none || flags.from == Type::none || lowering.source_count() != 1) return false;
    const bool wide_to = ptx::size_of(flags.to) == 8, wide_from = ptx::size_of(flags.from) == 8;
    Row source = lowering.source(0, wide_from ? 2 : 1);
    if (const std::string_view part = lowering.part_name(0); part.starts_with('B')) {
        // Counted in numbers of the source's type: I2F.U16 of B1 reads the upper half.
        const u32 below = 8 * ptx::size_of(flags.from) * static_cast<u32>(part[1] - '0');
        if (below >= 32) return false;
        const Row chosen = lowering.rows().scratch(1);
        lowering.prepare("shr.u32", {chosen, source, lowering.rows().constant(below)});
        source = chosen;
    }
    if (const ExecutorRow* loop = wide_to || wide_from ? nullptr : conversion_loop(flags)) {
        DecodedOp& op = lowering.add(loop->execute);
        op.rows[0] = lowering.result();
        op.rows[1] = source;
        return true;
    }
    DecodedOp& op = lowering.add(wide_to ? (wide_from ? convert_registers<2, 2> : convert_registers<2, 1>)
                                         : (wide_from ? convert_registers<1, 2> : convert_registers<1, 1>));
    op.rows[0] = lowering.result();
    op.rows[1] = source;
    op.flags = pack(flags);
    return true;
}

bool lower_from_integer(Lowering& lowering) {
    std::string_view from = lowering.modifier_name("from_integer"), to = lowering.modifier_name("to_float");
    if (lowering.id() == I2FP || lowering.id() == UI2FP) from = lowering.modifier_name("from_integer_named");
    if (lowering.id() == I2F_64) to = lowering.modifier_name("to_float_wide");
    return lower_conversion(lowering, {.to = to.empty() ? Type::f32 : type_named(to),
                                       .from = from.empty() ? Type::s32 : type_named(from),
                                       .rounding = float_rounding(lowering)});
}

bool lower_to_integer(Lowering& lowering) {
    const std::string_view from = lowering.modifier_name("from_float"),
                           to = lowering.modifier_name("to_integer");
    return lower_conversion(lowering, {.to = to.empty() ? Type::s32 : type_named(to),
                                       .from = from.empty() ? Type::f32 : type_named(from),
                                       .rounding = integer_rounding(lowering),
                                       .integral = true,
                                       .ftz = lowering.modifier("FTZ") != 0});
}

bool lower_between_floats(Lowering& lowering) {
    const std::string_view types = lowering.modifier_name("f2f_types");
    const std::size_t dot = types.find('.');
    if (dot == std::string_view::npos) return false;
    const auto type = [](std::string_view name) { return name == "F32" ? Type::f32 : type_named(name); };
    return lower_conversion(lowering, {.to = type(types.substr(0, dot)),
                                       .from = type(types.substr(dot + 1)),
                                       .rounding = float_rounding(lowering),
                                       .ftz = lowering.modifier("FTZ") != 0});
}

bool lower_round(Lowering& lowering) {
    const std::string_view name = lowering.modifier_name("frnd_type");
    const Type type = name.empty() ? Type::f32 : type_named(name);
    return lower_conversion(lowering, {.to = type,
                                       .from = type,
                                       .rounding = integer_rounding(lowering),
                                       .integral = true,
                                       .ftz = lowering.modifier("FTZ") != 0});
}

constexpr Meaning conversion_table[] = {
    {I2F, lower_from_integer},      {I2F_64, lower_from_integer}, {I2FP, lower_from_integer},
    {F2I, lower_to_integer},        {F2I_64, lower_to_integer},   {F2F, lower_between_floats},
    {F2F_64, lower_between_floats}, {FRND, lower_round},          {FRND_64, lower_round},
    {UI2F, lower_from_integer},     {UI2FP, lower_from_integer},  {UF2I, lower_to_integer},
};

}  // namespace

Meanings conversion_meanings() { return conversion_table; }

}  // namespace warplens::simt
