#include "sass/uniform_use.h"

#include <string>

#include "sass/instruction_table.h"
#include "sass/printer.h"

namespace warplens::sass {

RegisterUse uniform_use(const Instruction& instruction, int sm) {
    RegisterUse use;
    if (!instruction.known()) return use;
    const std::string opcode = print_opcode(instruction) + ".";
    const auto has = [&](std::string_view word) { return opcode.find(word) != std::string::npos; };
    const std::uint16_t words = has(".128.") ? 4 : has(".64.") || has(".U64.") || has(".S64.") ? 2 : 1;
    const bool uniform = instruction.row->pipe == Pipe::uniform;
    std::size_t sources = 0;
    const auto add = [&](std::vector<RegisterSpan>& to, std::uint16_t index, std::uint16_t count) {
        if (index < uniform_zero(sm)) to.push_back({index, count});
    };
    for (const Operand& operand : instruction.operands) {
        if (!operand.destination && operand.kind != OperandKind::predicate &&
            operand.kind != OperandKind::uniform_predicate)
            ++sources;
        if (operand.kind == OperandKind::uniform_register && operand.destination)
            add(use.written, operand.index, has(".WIDE.") ? 2 : words);
        else if (operand.kind == OperandKind::uniform_register)
            add(use.read, operand.index, has(".WIDE.") && sources == 3 ? 2 : uniform ? words : 1);
        else if (operand.uniform != no_register)
            add(use.read, operand.uniform, operand.descriptor || has(".E.") ? 2 : 1);
    }
    return use;
}

}  // namespace warplens::sass
