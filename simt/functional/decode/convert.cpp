// cvt: common forms have executors of their own, the others share one that reads types and modes from its
// flags.
#include <algorithm>

#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/convert.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/execute/narrow_float.h"

namespace warplens::simt {

namespace {

bool is_signed(ptx::Type type) { return ptx::class_of(type) == ptx::TypeClass::signed_integer; }

std::optional<Rounding> rounding_named(const ptx::Instruction& instruction, bool integral) {
    struct Row {
        std::string_view plain, integral;
        Rounding rounding;
    };
    constexpr Row rows[] = {{"rn", "rni", Rounding::nearest_even},
                            {"rz", "rzi", Rounding::toward_zero},
                            {"rm", "rmi", Rounding::down},
                            {"rp", "rpi", Rounding::up},
                            {"rna", "", Rounding::nearest_away}};
    for (const Row& row : rows)
        if (instruction.has(integral ? row.integral : row.plain)) return row.rounding;
    return std::nullopt;
}

bool is_convertible(ptx::Type type) {
    switch (type) {
        case ptx::Type::none:
        case ptx::Type::pred:
        case ptx::Type::b8:
        case ptx::Type::b16:
        case ptx::Type::b32:  // for cvt.pack
        case ptx::Type::b64:
        case ptx::Type::b128:
        case ptx::Type::u16x2:
        case ptx::Type::s16x2:
        case ptx::Type::texref:
        case ptx::Type::samplerref:
        case ptx::Type::surfref:
            return false;
        default:
            return true;
    }
}

bool is_half_pair(ptx::Type type) { return type == ptx::Type::f16x2 || type == ptx::Type::bf16x2; }

/// How many registers a conversion to an x2 type reads; 0: PTX has no such conversion.
std::size_t sources_of_pair(ptx::Type to, ptx::Type from) {
    if (from == ptx::Type::f32) return 2;
    if (narrow_format(to)) return from == ptx::Type::f16x2 ? 1 : 0;
    return to == ptx::Type::f16x2 && narrow_format(from) ? 1 : 0;
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: two clamped integers in the low bits of d, those of c above them.
bool decode_pack_integers(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    PackFlags flags;
    constexpr std::pair<const char*, PackFlags> narrow[] = {{"u2", {2, false, false}},
                                                            {"s2", {2, true, false}},
                                                            {"u4", {4, false, false}},
                                                            {"s4", {4, true, false}}};
    for (const auto& [word, width] : narrow)
        if (instruction.has(word)) flags = width;
    std::size_t types = 0;
    if (flags.bits == 0 && !instruction.types.empty()) {
        const ptx::Type to = instruction.types[types++];
        if (ptx::size_of(to) > 2) return false;
        flags = {static_cast<u8>(8 * ptx::size_of(to)), is_signed(to), false};
    }
    if (instruction.type(types++) != ptx::Type::s32) return false;
    flags.has_upper = instruction.type(types) == ptx::Type::b32;
    const std::size_t count = flags.has_upper ? 4 : 3;
    if (instruction.operands.size() != count || !instruction.has("sat") ||
        flags.has_upper == (flags.bits == 16))
        return false;
    Row rows[4] = {};
    for (std::size_t i = 0; i < count; ++i) {
        const auto row = i == 0 ? decoder.destination(instruction.operands[i], Shape::word)
                                : decoder.source(instruction.operands[i], Shape::word);
        if (!row) return false;
        rows[i] = *row;
    }
    DecodedOp& op = decoder.add(pack_integers);
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = pack(flags);
    return true;
}

}  // namespace

bool decode_convert(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.opcode != "cvt") return false;
    if (instruction.has("pack")) return decode_pack_integers(decoder);
    if (instruction.types.size() != 2) return false;
    const ptx::Type to = instruction.type(0), from = instruction.type(1);
    const bool packed = is_half_pair(to) || narrow_format(to);
    if (!is_convertible(to) || !is_convertible(from) || from == ptx::Type::tf32) return false;
    if (!packed && (is_half_pair(from) || narrow_format(from))) return false;
    const std::size_t sources = packed ? sources_of_pair(to, from) : 1;
    if (sources == 0 || instruction.operands.size() != 1 + sources) return false;

    auto d = decoder.destination(instruction.operands[0], shape_of(to), is_signed(to));
    auto a = decoder.source(instruction.operands[1], shape_of(from));
    std::optional<Row> b = 0;
    if (sources == 2) b = decoder.source(instruction.operands[2], shape_of(from));
    if (!d || !a || !b) return false;

    const auto integral = rounding_named(instruction, true);
    ConvertFlags flags;
    flags.to = to;
    flags.from = from;
    flags.integral = integral.has_value();
    flags.rounding = integral.value_or(rounding_named(instruction, false).value_or(Rounding::nearest_even));
    flags.ftz = instruction.has("ftz");
    flags.saturate = instruction.has("sat");
    flags.relu = instruction.has("relu");
    flags.finite = instruction.has("satfinite");
    const bool narrow = narrow_format(to) || narrow_format(from);
    const ExecutorRow* loop = narrow ? nullptr : conversion_loop(flags);
    DecodedOp& op = decoder.add(loop ? loop->execute : packed ? convert_packed : convert);
    op.rows[0] = *d;
    op.rows[1] = *a;
    op.rows[2] = *b;
    if (!loop) op.flags = pack(flags);
    return true;
}

}  // namespace warplens::simt
