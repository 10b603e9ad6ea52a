#include "ptx/value_flow.h"

#include "ptx/opcodes.h"

namespace warplens::ptx {

namespace {

class Collector {
  public:
    explicit Collector(ValueFlow& flow) : flow_(flow) {}

    void result(const Operand& operand) {
        if (const auto* reg = std::get_if<RegisterOperand>(&operand.value))
            flow_.written.push_back(reg->index);
        each_element(operand, [&](const Operand& element) { result(element); });
    }

    void source(const Operand& operand) {
        if (const auto* reg = std::get_if<RegisterOperand>(&operand.value)) {
            flow_.read.push_back(reg->index);
        } else if (const auto* special = std::get_if<SpecialRegister>(&operand.value)) {
            flow_.special.push_back(special->name);
        } else if (const auto* symbol = std::get_if<Symbol>(&operand.value)) {
            flow_.symbols.push_back(symbol->name);
        } else if (const auto* address = std::get_if<Address>(&operand.value)) {
            flow_.addresses.push_back(address);
            if (const auto* base = std::get_if<RegisterOperand>(&address->base))
                flow_.address_registers.push_back(base->index);
        } else if (const auto* list = std::get_if<List>(&operand.value); list && list->bracket == '[') {
            ValueFlow inside;
            for (const Operand& element : list->elements) Collector(inside).source(element);
            flow_.address_registers.insert(flow_.address_registers.end(), inside.read.begin(),
                                           inside.read.end());
        } else {
            each_element(operand, [&](const Operand& element) { source(element); });
        }
    }

  private:
    template <class Visit>
    static void each_element(const Operand& operand, const Visit& visit) {
        const std::vector<Operand>* elements = nullptr;
        if (const auto* vector = std::get_if<Vector>(&operand.value)) elements = &vector->elements;
        if (const auto* pair = std::get_if<Pair>(&operand.value)) elements = &pair->elements;
        if (const auto* list = std::get_if<List>(&operand.value)) elements = &list->elements;
        if (elements == nullptr) return;
        for (const Operand& element : *elements) visit(element);
    }

    ValueFlow& flow_;
};

}  // namespace

ValueFlow value_flow(const Instruction& instruction) {
    ValueFlow flow;
    Collector collector(flow);
    const std::size_t results = result_count(instruction);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const Operand& operand = instruction.operands[i];
        if (i < results) collector.result(operand);
        else collector.source(operand);
    }
    return flow;
}

}  // namespace warplens::ptx
