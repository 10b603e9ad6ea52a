#include "ptx/register_types.h"

#include <algorithm>

#include "ptx/opcodes.h"
#include "ptx/value_flow.h"

namespace warplens::ptx {

namespace {

Type wide(Type type) {
    switch (type) {
        case Type::s16:
            return Type::s32;
        case Type::u16:
            return Type::u32;
        case Type::s32:
            return Type::s64;
        case Type::u32:
            return Type::u64;
        default:
            return type;
    }
}

bool says_kind(Type type) {
    const TypeClass kind = class_of(type);
    return kind == TypeClass::unsigned_integer || kind == TypeClass::signed_integer ||
           kind == TypeClass::floating || kind == TypeClass::predicate;
}

bool copies(const Instruction& instruction) {
    return instruction.opcode == "mov" || instruction.opcode == "selp" || instruction.opcode == "shfl";
}

const RegisterOperand* first_register(const Operand& operand) {
    if (const auto* reg = std::get_if<RegisterOperand>(&operand.value)) return reg;
    if (const auto* pair = std::get_if<Pair>(&operand.value))
        return std::get_if<RegisterOperand>(&pair->elements.front().value);
    return nullptr;
}

/// What was seen of one register's uses.
struct Uses {
    Type floating = Type::none, integer = Type::none;
    bool address = false;

    bool add(Type type) {
        if (!says_kind(type)) return false;
        Type& known = class_of(type) == TypeClass::floating ? floating : integer;
        const bool is_signed = class_of(type) == TypeClass::signed_integer;
        const bool fresh = known == Type::none || (is_signed && class_of(known) != TypeClass::signed_integer);
        if (known != Type::none && size_of(known) != size_of(type)) return false;
        if (fresh) known = type;
        return fresh;
    }
    bool add(const Uses& other) {
        const bool is_new = add(other.floating);
        return add(other.integer) || is_new;
    }
    Type settled(Type declared) const {
        if (address && size_of(declared) == 8) return declared;
        const bool both = floating != Type::none && integer != Type::none;
        const Type type = both ? Type::none : floating != Type::none ? floating : integer;
        return type == Type::none || size_of(type) > size_of(declared) ? declared : type;
    }
};

class Typing {
  public:
    explicit Typing(const Function& function) : function_(function), uses_(function.registers.size()) {}

    std::vector<Type> settle() {
        for (const Statement& statement : function_.body)
            if (const auto* instruction = std::get_if<Instruction>(&statement)) note(*instruction);
        for (bool changed = true; changed;) {
            changed = false;
            for (const Statement& statement : function_.body)
                if (const auto* instruction = std::get_if<Instruction>(&statement))
                    changed |= copies(*instruction) && pass_on(*instruction);
        }
        std::vector<Type> types;
        for (std::size_t i = 0; i < uses_.size(); ++i) {
            const Type declared = function_.registers[i].type;
            types.push_back(says_kind(declared) ? declared : uses_[i].settled(declared));
        }
        return types;
    }

  private:
    void note(const Instruction& instruction) {
        const ValueFlow flow = value_flow(instruction);
        for (const std::uint32_t index : flow.address_registers) uses_[index].address = true;
        if (instruction.opcode == "cvta")
            for (const auto* registers : {&flow.written, &flow.read})
                for (const std::uint32_t index : *registers) uses_[index].address = true;
        for (std::size_t i = 0; i < instruction.operands.size(); ++i)
            note(instruction.operands[i], operand_type(instruction, i));
    }
    void note(const Operand& operand, Type type) {
        if (const auto* reg = std::get_if<RegisterOperand>(&operand.value)) uses_[reg->index].add(type);
        if (const auto* vector = std::get_if<Vector>(&operand.value))
            for (const Operand& element : vector->elements) note(element, type);
    }
    bool pass_on(const Instruction& instruction) {
        bool changed = false;
        const std::size_t sources = instruction.opcode == "selp" ? 2 : 1;
        if (instruction.operands.size() < 1 + sources) return false;
        const auto* to = first_register(instruction.operands[0]);
        for (std::size_t i = 1; to != nullptr && i <= sources; ++i)
            if (const auto* from = std::get_if<RegisterOperand>(&instruction.operands[i].value)) {
                changed |= uses_[to->index].add(uses_[from->index]);
                changed |= uses_[from->index].add(uses_[to->index]);
            }
        return changed;
    }

    const Function& function_;
    std::vector<Uses> uses_;
};

}  // namespace

Type operand_type(const Instruction& instruction, std::size_t operand) {
    const std::string& opcode = instruction.opcode;
    const bool result = operand < result_count(instruction);
    if (instruction.types.empty()) return Type::none;
    const Type first = instruction.types.front(), last = instruction.types.back();
    if (opcode == "cvt" || opcode == "set") return result ? first : last;
    if (opcode == "setp" || opcode == "isspacep") return result ? Type::pred : last;
    if (opcode == "popc" || opcode == "clz" || opcode == "bfind") return result ? Type::u32 : first;
    if (opcode == "shl" || opcode == "shr") return operand == 2 ? Type::u32 : first;
    if (opcode == "selp" && operand == 3) return Type::pred;
    if (opcode == "shfl") return operand < 2 ? first : Type::none;
    if (instruction.has("wide")) return result || operand == 3 ? wide(first) : first;
    return first;
}

std::vector<Type> register_types(const Function& function) { return Typing(function).settle(); }

}  // namespace warplens::ptx
