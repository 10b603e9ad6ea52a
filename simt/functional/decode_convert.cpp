// cvt: the plain ones have executors of their own, the others share one that reads types and modes from its
// flags.
#include <algorithm>

#include "simt/functional/decoder.h"
#include "simt/functional/exec_convert.h"
#include "simt/functional/executor_table.h"

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
        case ptx::Type::b32:
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

}  // namespace

bool decode_convert(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (instruction.opcode != "cvt" || instruction.types.size() != 2) return false;
    const ptx::Type to = instruction.type(0), from = instruction.type(1);
    const bool packed = to == ptx::Type::f16x2 || to == ptx::Type::bf16x2;
    if (!is_convertible(to) || !is_convertible(from) || instruction.has("satfinite") ||
        instruction.has("pack"))
        return false;
    if (from == ptx::Type::f16x2 || from == ptx::Type::bf16x2 || from == ptx::Type::tf32) return false;
    if (packed && from != ptx::Type::f32) return false;
    if (instruction.operands.size() != (packed ? 3u : 2u)) return false;

    auto d = decoder.destination(instruction.operands[0], shape_of(to), is_signed(to));
    auto a = decoder.source(instruction.operands[1], shape_of(from));
    std::optional<Row> b = 0;
    if (packed) b = decoder.source(instruction.operands[2], shape_of(from));
    if (!d || !a || !b) return false;

    std::string key = "cvt";
    auto integral = rounding_named(instruction, true);
    auto plain = rounding_named(instruction, false);
    const bool special = instruction.has("ftz") || instruction.has("sat") || instruction.has("relu") ||
                         (plain && *plain != Rounding::nearest_even);
    if (integral == Rounding::toward_zero) key += ".rzi";
    key += fmt::format(".{}.{}", ptx::to_string(to), ptx::to_string(from));
    const ExecutorRow* executor = find_executor(key);
    if (special || (integral && *integral != Rounding::toward_zero)) executor = nullptr;

    DecodedOp& op = decoder.add(executor ? executor->execute : packed ? convert_packed : convert);
    op.rows[0] = *d;
    op.rows[1] = *a;
    op.rows[2] = *b;
    if (executor) return true;
    ConvertFlags flags;
    flags.to = to;
    flags.from = from;
    flags.integral = integral.has_value();
    flags.rounding = integral ? *integral : plain.value_or(Rounding::nearest_even);
    flags.ftz = instruction.has("ftz");
    flags.saturate = instruction.has("sat");
    flags.relu = instruction.has("relu");
    op.flags = pack(flags);
    return true;
}

}  // namespace warplens::simt
