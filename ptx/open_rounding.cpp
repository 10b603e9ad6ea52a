#include "ptx/open_rounding.h"

#include <algorithm>

#include "ptx/opcodes.h"
#include "ptx/value_flow.h"

namespace warplens::ptx {

namespace {

bool may_be_merged(const Instruction& instruction) {
    return class_of(instruction.type()) == TypeClass::floating &&
           std::ranges::none_of(std::array{"rn", "rz", "rm", "rp"},
                                [&](const char* rounding) { return instruction.has(rounding); });
}

bool is_approximation(const Instruction& instruction) {
    return class_of(instruction.type()) == TypeClass::floating &&
           (instruction.has("approx") || instruction.has("full"));
}

/// Registers that hold a product which may be merged, also with another sign.
std::vector<bool> products(const Function& function) {
    std::vector<bool> found(function.registers.size());
    for (const auto& statement : function.body) {
        const auto* instruction = std::get_if<Instruction>(&statement);
        if (!instruction || !may_be_merged(*instruction)) continue;
        const ValueFlow flow = value_flow(*instruction);
        const bool copies = instruction->opcode == "neg" &&
                            std::ranges::any_of(flow.read, [&](auto index) { return found[index]; });
        if (instruction->opcode != "mul" && !copies) continue;
        for (const std::uint32_t index : flow.written) found[index] = true;
    }
    return found;
}

}  // namespace

std::vector<std::size_t> open_roundings(const Function& function) {
    const std::vector<bool> product = products(function);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < function.body.size(); ++i) {
        const auto* instruction = std::get_if<Instruction>(&function.body[i]);
        if (!instruction) continue;
        const bool sums = instruction->opcode == "add" || instruction->opcode == "sub";
        const auto holds_product = [&](std::uint32_t index) { return product[index]; };
        if (is_approximation(*instruction) ||
            (sums && may_be_merged(*instruction) &&
             std::ranges::any_of(value_flow(*instruction).read, holds_product)))
            open.push_back(i);
    }
    return open;
}

}  // namespace warplens::ptx
