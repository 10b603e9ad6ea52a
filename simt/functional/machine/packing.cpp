// F2FP, I2IP and F2IP: numbers packed into a register, and out of it. What they put above the packed numbers
// is executed only as ptxas asks for it, because nothing else says what it is.
#include "simt/functional/machine/packing.h"

#include <algorithm>

#include "simt/functional/execute/convert.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;
using ptx::Type;

ConvertFlags flags_of_pack(const Lowering& lowering, Type to, Type from) {
    return {.to = to,
            .from = from,
            .rounding = float_rounding(lowering),
            .relu = lowering.modifier("RELU") != 0,
            .finite = lowering.modifier("SATFINITE") != 0};
}

DecodedOp& add_conversion(Lowering& lowering, Execute execute, Row a, Row b, ConvertFlags flags) {
    DecodedOp& op = lowering.add(execute);
    op.rows[0] = lowering.result();
    op.rows[1] = a;
    op.rows[2] = b;
    op.flags = pack(flags);
    return op;
}

/// Two f32, the first one above the second.
bool add_pack(Lowering& lowering, Type to) {
    const Row a = lowering.source(0), b = lowering.source(1);
    add_conversion(lowering, convert_packed, a, b, flags_of_pack(lowering, to, Type::f32));
    return true;
}

bool is_zero(Lowering& lowering, std::size_t index) {
    return lowering.source_count() > index && lowering.plain(index) == lowering.rows().zero();
}

/// rows: result, low halves of one register, and of another above them.
void join_halves(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        row<u32>(warp, op.rows[0])[lane] =
            (row<const u32>(warp, op.rows[1])[lane] & 0xffffu) | row<const u32>(warp, op.rows[2])[lane] << 16;
    });
}

/// Two f32 as bytes in the lower half, and the lower half of c above them: how ptxas packs four.
bool lower_pack_bytes(Lowering& lowering, Type to) {
    if (lowering.modifier("SATFINITE") == 0 || lowering.source_count() != 3) return false;
    if (is_zero(lowering, 2)) return add_pack(lowering, to);
    if (to == Type::e2m1x2) return false;  // fills one byte: where c goes is not known
    const Row a = lowering.source(0), b = lowering.source(1), c = lowering.plain(2);
    const Row bytes = lowering.rows().scratch(1), result = lowering.result();
    add_conversion(lowering, convert_packed, a, b, flags_of_pack(lowering, to, Type::f32)).rows[0] = bytes;
    DecodedOp& op = lowering.add_silent(join_halves);
    op.rows[0] = result;
    op.rows[1] = bytes;
    op.rows[2] = c;
    return true;
}

Type narrow_named(std::string_view name) {
    return name == "E4M3"   ? Type::e4m3x2
           : name == "E5M2" ? Type::e5m2x2
           : name == "E3M2" ? Type::e3m2x2
           : name == "E2M3" ? Type::e2m3x2
           : name == "E2M1" ? Type::e2m1x2
                            : Type::none;
}
Type half_named(std::string_view name) {
    return name == "F16" ? Type::f16 : name == "BF16" ? Type::bf16 : Type::none;
}

/// Two numbers of the lower half, or of the part of the register that the operand names, as halves.
bool lower_unpack(Lowering& lowering, Type from, std::string_view to) {
    if (from == Type::none || to != "F16" || lowering.source_count() != 1) return false;
    const std::string_view part = lowering.part_name(0);
    const u32 below = part.empty()            ? 0
                      : part == "H1"          ? 16
                      : part.starts_with('B') ? 8 * static_cast<u32>(part[1] - '0')
                                              : 32;
    if (below >= 32) return false;
    Row numbers = lowering.plain(0);
    if (below != 0) {
        const Row moved = lowering.rows().scratch(1);
        lowering.prepare("shr.u32", {moved, numbers, lowering.rows().constant(below)});
        numbers = moved;
    }
    add_conversion(lowering, convert_packed, numbers, numbers, flags_of_pack(lowering, Type::f16x2, from));
    return true;
}

bool lower_pack(Lowering& lowering) {
    const bool ampere = lowering.id() == F2FP_80;  // of single precision alone
    const bool to_narrow = lowering.id() == F2FP_TO_NARROW,
               from_narrow = lowering.id() == F2FP_FROM_SIX || lowering.id() == F2FP_FROM_FOUR;
    std::string_view to = lowering.modifier_name(ampere      ? "f2fp_type_80"
                                                 : to_narrow ? "f2fp_narrow_type"
                                                             : "f2fp_type");
    if (ampere && to.empty()) to = "F16";
    const std::string_view from = ampere ? "F32"
                                         : lowering.modifier_name(from_narrow ? "f2fp_narrow_source"
                                                                              : "f2fp_source"),
                           mode = lowering.modifier_name("f2fp_mode");
    const Type half = half_named(to), bytes = narrow_named(to);
    if (mode == "UNPACK_B") return lower_unpack(lowering, narrow_named(from), to);
    if (mode == "UNPACK_B_MERGE_C") {
        if (from != "F16" || to_narrow || bytes == Type::none || !is_zero(lowering, 1) ||
            !lowering.part_name(0).empty())
            return false;
        const Row b = lowering.plain(0);
        add_conversion(lowering, convert_packed, b, b, flags_of_pack(lowering, bytes, Type::f16x2));
        return true;
    }
    if (from != "F32") return false;
    if (mode == "PACK_AB")
        return half != Type::none && add_pack(lowering, half == Type::f16 ? Type::f16x2 : Type::bf16x2);
    if (mode == "PACK_AB_MERGE_C") return bytes != Type::none && lower_pack_bytes(lowering, bytes);
    if (mode == "MERGE_C" && half != Type::none && is_zero(lowering, 1)) {
        const Row b = lowering.source(0);
        add_conversion(lowering, convert, b, b, flags_of_pack(lowering, half, Type::f32));
        return true;
    }
    if (mode == "PACK_B" && to == "TF32" && lowering.source_count() == 1) {
        const Row b = lowering.source(0);
        add_conversion(lowering, convert, b, b, flags_of_pack(lowering, Type::tf32, Type::f32));
        return true;
    }
    return false;
}

/// cvt.pack: the part of c that stays begins where the packed integers end.
bool lower_pack_integers(Lowering& lowering) {
    const std::string_view type = lowering.modifier_name("i2ip_type"), part = lowering.part_name(2);
    const bool saturates = lowering.id() == I2IP_72 || lowering.modifier_name("i2ip_saturate") == "SAT";
    const u8 bits = type.ends_with("16") ? 16 : type.ends_with('8') ? 8 : type.ends_with('4') ? 4 : 2;
    const std::string_view expected = bits == 4 ? "24" : bits == 2 ? "28" : "";
    if (!saturates || lowering.source_count() != 3 || part != expected ||
        (bits == 16 && !is_zero(lowering, 2)))
        return false;
    const Row rows[] = {lowering.result(), lowering.source(0), lowering.source(1), lowering.plain(2)};
    DecodedOp& op = lowering.add(pack_integers);
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = pack(PackFlags{bits, type.starts_with('S'), bits != 16});
    return true;
}

/// One number as a byte, zeros above it.
bool lower_byte_of_float(Lowering& lowering) {
    const std::string_view type = lowering.modifier_name("f2ip_type");
    if (type != "U8.F32" || lowering.modifier("NTZ") == 0 || lowering.modifier("RELU") != 0 ||
        lowering.source_count() != 3 || !is_zero(lowering, 0) || !is_zero(lowering, 2))
        return false;
    const Row b = lowering.source(1);
    add_conversion(lowering, convert, b, b,
                   {.to = Type::u8,
                    .from = Type::f32,
                    .rounding = lowering.modifier_name("f2ip_round") == "TRUNC" ? Rounding::toward_zero
                                                                                : Rounding::nearest_even,
                    .integral = true});
    return true;
}

constexpr Meaning packing_table[] = {
    {F2FP, lower_pack},
    {F2FP_80, lower_pack},
    {F2FP_TO_NARROW, lower_pack},
    {F2FP_FROM_SIX, lower_pack},
    {F2FP_FROM_FOUR, lower_pack},
    {I2IP, lower_pack_integers},
    {I2IP_72, lower_pack_integers},
    {F2IP, lower_byte_of_float},
};

}  // namespace

Rounding float_rounding(const Lowering& lowering) {
    const std::string_view mode = lowering.modifier_name("round");
    return mode == "RM"   ? Rounding::down
           : mode == "RP" ? Rounding::up
           : mode == "RZ" ? Rounding::toward_zero
                          : Rounding::nearest_even;
}

Meanings packing_meanings() { return packing_table; }

}  // namespace warplens::simt
