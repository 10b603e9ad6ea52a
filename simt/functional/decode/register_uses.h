// How a function's text uses its registers.
#pragma once

#include <optional>
#include <vector>

#include "ptx/module.h"

namespace warplens::simt {

/// How often the function's text names a register, and its value if its only definition is a mov of a number.
struct RegisterUse {
    std::uint32_t mentions = 0;
    std::uint32_t definitions = 0;  // lower bound: instructions that name it first
    std::optional<std::uint32_t> constant;
};
std::vector<RegisterUse> register_uses(const ptx::Function& function);

/// Calls visit(register index) for every register the operand names.
template <class Visit>
void for_each_register(const ptx::Operand& operand, Visit&& visit) {
    if (auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value)) visit(reg->index);
    if (auto* address = std::get_if<ptx::Address>(&operand.value))
        if (auto* base = std::get_if<ptx::RegisterOperand>(&address->base)) visit(base->index);
    auto all = [&](const std::vector<ptx::Operand>& elements) {
        for (const ptx::Operand& element : elements) for_each_register(element, visit);
    };
    if (auto* vector = std::get_if<ptx::Vector>(&operand.value)) all(vector->elements);
    if (auto* pair = std::get_if<ptx::Pair>(&operand.value)) all(pair->elements);
    if (auto* list = std::get_if<ptx::List>(&operand.value)) all(list->elements);
}

}  // namespace warplens::simt
