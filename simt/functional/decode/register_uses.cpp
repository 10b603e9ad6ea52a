#include "simt/functional/decode/decoder.h"

namespace warplens::simt {

std::vector<RegisterUse> register_uses(const ptx::Function& function) {
    std::vector<RegisterUse> uses(function.registers.size());
    for (const ptx::Statement& statement : function.body) {
        auto* instruction = std::get_if<ptx::Instruction>(&statement);
        if (!instruction) continue;
        if (instruction->has_guard) ++uses[instruction->guard.predicate].mentions;
        for (std::size_t i = 0; i < instruction->operands.size(); ++i) {
            for_each_register(instruction->operands[i], [&](u32 index) {
                ++uses[index].mentions;
                uses[index].definitions += i == 0;
            });
        }
        if (instruction->opcode != "mov" || instruction->has_guard || instruction->operands.size() != 2)
            continue;
        auto* target = std::get_if<ptx::RegisterOperand>(&instruction->operands[0].value);
        auto* value = std::get_if<ptx::Immediate>(&instruction->operands[1].value);
        if (target && value) uses[target->index].constant = static_cast<u32>(value->bits);
    }
    return uses;
}

bool Decoder::is_read(const ptx::Operand& result) const {
    auto* reg = std::get_if<ptx::RegisterOperand>(&result.value);
    return reg && scope_->uses[reg->index].mentions > 1;
}

void Decoder::require_convergence(const ptx::Operand& members) {
    if (auto value = immediate(members)) convergence |= *value;
    if (auto* reg = std::get_if<ptx::RegisterOperand>(&members.value)) {
        const RegisterUse& use = scope_->uses[reg->index];
        if (use.definitions == 1 && use.constant) convergence |= *use.constant;
    }
}

}  // namespace warplens::simt
