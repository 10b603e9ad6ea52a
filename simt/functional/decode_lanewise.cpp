// Lane-wise instructions: the table of executors knows them by their key.
#include <algorithm>

#include "simt/functional/decoder.h"
#include "simt/functional/executor_table.h"
#include "simt/functional/lanewise_flags.h"

namespace warplens::simt {

namespace {

/// Opcode, modifiers in alphabetical order, types. Rounding to nearest is what an instruction does anyway.
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
    if (modifier == "rz") return static_cast<u32>(Rounding::toward_zero) << flag_rounding_shift;
    if (modifier == "rm") return static_cast<u32>(Rounding::down) << flag_rounding_shift;
    if (modifier == "rp") return static_cast<u32>(Rounding::up) << flag_rounding_shift;
    return 0;
}

bool decode_lanewise(Decoder& decoder) {
    const ptx::Instruction& instruction = decoder.instruction();
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
