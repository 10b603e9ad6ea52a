// Lane-wise instructions: the table of executors has them by key.
#include <algorithm>

#include "simt/functional/decode/compare_flags.h"
#include "simt/functional/decode/decoder.h"
#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/convert.h"
#include "simt/functional/execute/executor_table.h"

namespace warplens::simt {

namespace {

/// Opcode, modifiers in alphabetical order, types. Rounding to nearest is the default and is left out.
std::string key_of(const ptx::Instruction& instruction, bool without_flags) {
    std::vector<std::string_view> modifiers;
    for (const std::string& modifier : instruction.modifiers) {
        if (modifier == "rn" || modifier == "noftz" || modifier == "uni") continue;
        if (without_flags && lanewise_flag(modifier) != 0) continue;
        modifiers.push_back(modifier);
    }
    std::sort(modifiers.begin(), modifiers.end());
    std::string key = instruction.opcode;
    for (std::string_view modifier : modifiers) key.append(".").append(modifier);
    for (ptx::Type type : instruction.types) key.append(".").append(ptx::to_string(type));
    if (without_flags) key += "+";
    return key;
}

}  // namespace

u32 lanewise_flag(std::string_view modifier) {
    if (modifier == "ftz") return flag_ftz;
    if (modifier == "sat") return flag_sat;
    if (modifier == "relu") return flag_relu;
    if (modifier == "NaN") return flag_nan;
    if (modifier == "xorsign") return flag_xorsign;
    if (modifier == "abs") return flag_abs;
    if (modifier == "rz") return static_cast<u32>(Rounding::toward_zero) << flag_rounding_shift;
    if (modifier == "rm") return static_cast<u32>(Rounding::down) << flag_rounding_shift;
    if (modifier == "rp") return static_cast<u32>(Rounding::up) << flag_rounding_shift;
    return 0;
}

namespace {

/// min.f32 d, a, b, c: the two-operand executor, applied twice.
bool decode_three_operand_extremum(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const auto& operands = instruction.operands;
    const bool is_extremum = instruction.opcode == "min" || instruction.opcode == "max";
    if (!is_extremum || operands.size() != 4 || instruction.type() != ptx::Type::f32 ||
        instruction.types.size() != 1 || instruction.has("xorsign"))
        return false;
    const ExecutorRow* executor = find_executor(instruction.opcode + ".f32+");
    const auto d = decoder.destination(operands[0], Shape::f32);
    const auto a = decoder.source(operands[1], Shape::f32), b = decoder.source(operands[2], Shape::f32),
               c = decoder.source(operands[3], Shape::f32);
    if (!executor || !d || !a || !b || !c) return false;
    u32 flags = 0;
    for (const std::string& modifier : instruction.modifiers) flags |= lanewise_flag(modifier);
    const Row between = decoder.temporary(Shape::f32);
    const Row rows[2][3] = {{between, *a, *b}, {*d, between, *c}};
    for (const auto& one : rows) {
        DecodedOp& op = decoder.add(executor->execute);
        op.flags = flags;
        std::copy(std::begin(one), std::end(one), op.rows);
    }
    return true;
}

/// lop3.and.b32 d|p, a, b, c, table, q: p is whether d is not 0, combined with q.
bool decode_truth_table_with_predicate(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const auto& operands = instruction.operands;
    const bool both = instruction.has("and");
    if (instruction.opcode != "lop3" || operands.size() != 6 || both == instruction.has("or")) return false;
    const auto* results = std::get_if<ptx::Pair>(&operands[0].value);
    if (!results) return false;
    const auto d = decoder.destination(results->elements[0], Shape::word);
    const auto p = decoder.destination(results->elements[1], Shape::predicate);
    const auto q = decoder.source(operands[5], Shape::predicate);
    Row sources[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
        const auto row = decoder.source(operands[1 + i], Shape::word);
        if (!row) return false;
        sources[i] = *row;
    }
    if (!d || !p || !q) return false;
    // Uses a temporary: d may be one of the sources, and the sink row holds unrelated values.
    const Row value = decoder.temporary(Shape::word);
    DecodedOp& table = decoder.add(find_executor("lop3.b32")->execute);
    table.rows[0] = value;
    std::copy(std::begin(sources), std::end(sources), table.rows + 1);
    DecodedOp& test = decoder.add(find_executor("ne.b32")->execute);
    test.flags = both ? combine_and : combine_or;
    const Row rows[] = {*p, *p, value, decoder.constant(Shape::word, 0), *q};
    std::copy(std::begin(rows), std::end(rows), test.rows);
    DecodedOp& copy = decoder.add(find_executor("mov.b32")->execute);
    copy.rows[0] = *d;
    copy.rows[1] = value;
    return true;
}

/// add, sub and fma of halves into f32: the halves are widened, which is exact, then the f32 form executes.
bool decode_mixed_arithmetic(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    const std::string& opcode = instruction.opcode;
    const std::size_t halves = opcode == "fma" ? 2 : opcode == "add" || opcode == "sub" ? 1 : 0;
    if (halves == 0 || instruction.types.size() != 2 || instruction.type() != ptx::Type::f32 ||
        instruction.operands.size() != halves + 2)
        return false;
    const ptx::Type half = instruction.type(1);
    if (half != ptx::Type::f16 && half != ptx::Type::bf16) return false;
    ptx::Instruction plain = instruction;
    plain.types.pop_back();
    u32 flags = 0;
    const ExecutorRow* executor = find_executor(key_of(plain, false));
    if (!executor) {
        executor = find_executor(key_of(plain, true));
        for (const std::string& modifier : instruction.modifiers) flags |= lanewise_flag(modifier);
    }
    ConvertFlags widen;
    widen.to = ptx::Type::f32;
    widen.from = half;
    const auto d = decoder.destination(instruction.operands[0], Shape::f32);
    const auto c = decoder.source(instruction.operands.back(), Shape::f32);
    if (!executor || !d || !c) return false;
    std::vector<Row> rows{*d};
    for (std::size_t i = 1; i <= halves; ++i) {
        const auto from =
            decoder.source(instruction.operands[i], half == ptx::Type::f16 ? Shape::f16 : Shape::bf16);
        if (!from) return false;
        rows.push_back(decoder.temporary(Shape::f32));
        DecodedOp& op = decoder.add(convert);
        op.flags = pack(widen);
        op.rows[0] = rows.back();
        op.rows[1] = *from;
    }
    rows.push_back(*c);
    DecodedOp& op = decoder.add(executor->execute);
    op.flags = flags;
    std::copy(rows.begin(), rows.end(), op.rows);
    return true;
}

}  // namespace

bool decode_lanewise(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
    if (decode_truth_table_with_predicate(decoder) || decode_three_operand_extremum(decoder) ||
        decode_mixed_arithmetic(decoder))
        return true;
    const ExecutorRow* executor = find_executor(key_of(instruction, false));
    u32 flags = 0;
    if (!executor) {
        executor = find_executor(key_of(instruction, true));
        for (const std::string& modifier : instruction.modifiers) flags |= lanewise_flag(modifier);
    }
    if (!executor) return false;
    std::string_view shapes = executor->operands;
    if (instruction.operands.size() != shapes.size()) return false;
    std::vector<Row> rows;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Shape shape = static_cast<Shape>(shapes[i]);
        auto row = i == 0 ? decoder.destination(instruction.operands[i], shape)
                          : decoder.source(instruction.operands[i], shape);
        if (!row) return false;
        rows.push_back(*row);
    }
    DecodedOp& op = decoder.add(executor->execute);
    op.flags = flags;
    std::copy(rows.begin(), rows.end(), op.rows);
    return true;
}

}  // namespace warplens::simt
