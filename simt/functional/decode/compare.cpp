// setp and set: one comparison, whose outcome is combined with a predicate and stored as one or two
// predicates or as a value.
#include "simt/functional/decode/compare_flags.h"
#include "simt/functional/decode/decoder.h"
#include "simt/functional/execute/executor_table.h"

namespace warplens::simt {

namespace {

u32 combination(const ptx::Instruction& instruction) {
    if (instruction.has("and")) return combine_and;
    if (instruction.has("or")) return combine_or;
    return instruction.has("xor") ? u32{combine_xor} : 0;
}

std::string comparison_key(const ptx::Instruction& instruction, ptx::Type type) {
    std::string key;
    for (const std::string& modifier : instruction.modifiers)
        if (modifier != "and" && modifier != "or" && modifier != "xor" && modifier != "ftz") key = modifier;
    if (instruction.has("ftz")) key += ".ftz";
    return key.append(".").append(ptx::to_string(type));
}

u32 result_flag(ptx::Type type) {
    switch (type) {
        case ptx::Type::u32:
        case ptx::Type::s32:
        case ptx::Type::b32:
            return result_u32;
        case ptx::Type::f32:
            return result_f32;
        case ptx::Type::f16:
            return result_f16;
        case ptx::Type::bf16:
            return result_bf16;
        case ptx::Type::f16x2:
            return result_f16x2;
        case ptx::Type::bf16x2:
            return result_bf16x2;
        case ptx::Type::u16:
            return result_u16;
        default:
            return 0;
    }
}

}  // namespace

bool decode_compare(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const bool is_set = instruction.opcode == "set";
    if (instruction.opcode != "setp" && !is_set) return false;
    if (instruction.types.size() != (is_set ? 2u : 1u)) return false;
    const ptx::Type type = instruction.types.back();
    const bool halves = type == ptx::Type::f16x2 || type == ptx::Type::bf16x2;
    std::string key = comparison_key(instruction, type);
    const ExecutorRow* executor = find_executor(key);
    const std::size_t count = instruction.operands.size();
    if (!executor || count < 3 || count > 4) return false;

    u32 flags = combination(instruction);
    if ((count == 4) != (flags != 0)) return false;
    std::optional<Row> result, second;
    if (is_set) {
        u32 kind = result_flag(instruction.type(0));
        if (kind == 0) return false;
        flags |= kind;
        result = decoder.destination(instruction.operands[0], Shape::word);
    } else if (auto* pair = std::get_if<ptx::Pair>(&instruction.operands[0].value)) {
        flags |= halves ? second_is_upper_half : second_result;
        result = decoder.destination(pair->elements[0], Shape::predicate);
        second = decoder.destination(pair->elements[1], Shape::predicate);
        if (!second) return false;
    } else {
        result = decoder.destination(instruction.operands[0], Shape::predicate);
    }
    auto a = decoder.source(instruction.operands[1], static_cast<Shape>(executor->operands[0]));
    auto b = decoder.source(instruction.operands[2], static_cast<Shape>(executor->operands[1]));
    std::optional<Row> c;
    if (count == 4) {
        c = decoder.source(instruction.operands[3], Shape::predicate);
        if (!c) return false;
    }
    if (!result || !a || !b) return false;
    DecodedOp& op = decoder.add(executor->execute);
    op.flags = flags;
    op.rows[0] = *result;
    op.rows[1] = second.value_or(*result);
    op.rows[2] = *a;
    op.rows[3] = *b;
    op.rows[4] = c.value_or(0);
    return true;
}

}  // namespace warplens::simt
