#include "sass/printer.h"

#include <fmt/format.h>

#include <bit>

#include "sass/decoder.h"
#include "sass/instruction_table.h"
#include "sass/number_text.h"

namespace warplens::sass {

namespace {

std::string general(std::uint16_t index) { return index == register_zero ? "RZ" : fmt::format("R{}", index); }

std::string uniform(std::uint16_t index, int sm) {
    return index == uniform_zero(sm) ? "URZ" : fmt::format("UR{}", index);
}

std::string predicate(std::uint16_t index, bool negated, bool uniform_file) {
    const std::string_view file = uniform_file ? "UP" : "P", sign = negated ? "!" : "";
    return index == predicate_true ? fmt::format("{}{}T", sign, file)
                                   : fmt::format("{}{}{}", sign, file, index);
}

std::string immediate(const Operand& operand) {
    const auto bits = static_cast<std::uint32_t>(operand.value);
    switch (operand.number) {
        case NumberType::float32:
            return float32_text(bits);
        case NumberType::float64:
            return float64_text(bits);
        case NumberType::half2:
            return half2_text(bits);
        case NumberType::bfloat2:
            return bfloat2_text(bits);
        case NumberType::integer:
            return hexadecimal(operand.value);
        case NumberType::bits:
            break;
    }
    return fmt::format("{:#x}", static_cast<std::uint64_t>(operand.value));
}

std::string constant(const Operand& operand, int sm) {
    std::string place;
    if (operand.index != no_register) {
        const bool is_uniform = operand.spec->address.uniform >= 0;
        const bool zero = operand.index == (is_uniform ? uniform_zero(sm) : register_zero);
        if (!zero || operand.value == 0)
            place = is_uniform ? uniform(operand.index, sm) : general(operand.index);
    }
    if (place.empty() || operand.value != 0) place += (place.empty() ? "" : "+") + hexadecimal(operand.value);
    const std::string_view gap = operand.spec->spaced ? " " : "";
    if (operand.uniform != no_register)
        return fmt::format("cx[{}]{}[{}]", uniform(operand.uniform, sm), gap, place);
    return fmt::format("c[{:#x}]{}[{}]", operand.bank, gap, place);
}

std::string address(const Operand& operand, int sm) {
    const AddressFields& fields = operand.spec->address;
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "+") + part; };
    const bool has_uniform = operand.uniform != no_register;
    const bool zero = operand.index == register_zero;
    const bool bare = has_uniform || operand.value != 0;  // something else stands in the brackets
    if (operand.index != no_register &&
        (!zero || !bare || fields.keep_zero || operand.descriptor || operand.scale > 1)) {
        std::string part = general(operand.index);
        if (operand.wide_register) part += ".64";
        else if (has_uniform && fields.wide >= 0) part += ".U32";
        if (operand.scale > 1) part += fmt::format(".X{}", operand.scale);
        add(part);
    }
    if (has_uniform && !operand.descriptor &&
        !(fields.hide_uniform_zero && operand.uniform == uniform_zero(sm)))
        add(uniform(operand.uniform, sm));
    if (operand.value != 0 || text.empty()) add(hexadecimal(operand.value));
    if (operand.descriptor_shown) return fmt::format("desc[{}][{}]", uniform(operand.uniform, sm), text);
    return fmt::format("[{}]", text);
}

std::string scoreboard_list(std::int64_t mask) {
    std::string list;
    for (int i = 5; i >= 0; --i)
        if (mask >> i & 1) list += (list.empty() ? "" : ",") + std::to_string(i);
    return "{" + list + "}";
}

std::string core(const Operand& operand, int sm) {
    switch (operand.kind) {
        case OperandKind::general_register:
            return general(operand.index);
        case OperandKind::uniform_register:
            return operand.spec->as_descriptor ? fmt::format("desc[{}]", uniform(operand.index, sm))
                                               : uniform(operand.index, sm);
        case OperandKind::predicate:
            return predicate(operand.index, operand.negated, false);
        case OperandKind::uniform_predicate:
            return predicate(operand.index, operand.negated, true);
        case OperandKind::immediate:
            return immediate(operand);
        case OperandKind::constant:
            return constant(operand, sm);
        case OperandKind::address:
            return address(operand, sm);
        case OperandKind::target:
            return hexadecimal(operand.value);
        case OperandKind::special_register:
            return special_register_text(operand.index);
        case OperandKind::convergence_barrier:
            return fmt::format("B{}", operand.index);
        case OperandKind::scoreboard:
            return fmt::format("SB{}", operand.index);
        case OperandKind::scoreboards:
            return scoreboard_list(operand.value);
        case OperandKind::keyword:
            break;
    }
    return operand.spec->names
               ? std::string(operand.spec->names->values[static_cast<std::size_t>(operand.value)])
               : std::string(operand.spec->prefix);
}

std::string operand_text(const Operand& operand, int sm) {
    std::string text = core(operand, sm);
    if (operand.absolute) text = "|" + text + "|";
    const bool is_predicate =
        operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
    if (operand.inverted) text = "~" + text;
    if (operand.negated && !is_predicate) text = "-" + text;
    if (operand.reuse) text += ".reuse";
    if (operand.spec->swizzle) {
        const std::string_view name = operand.spec->swizzle->values[operand.swizzle];
        if (name != "-") text += fmt::format(".{}", name);
    }
    if (!operand.spec->suffix.empty()) text += fmt::format(".{}", operand.spec->suffix);
    return text;
}

/// The assembler's names for multiplications that move, add or shift: the operands are those of IMAD.
std::string_view imad_name(const Instruction& instruction) {
    if (instruction.modifier("X") != 0 || instruction.operands.size() != 4) return "";
    const Operand &a = instruction.operands[1], &b = instruction.operands[2], &c = instruction.operands[3];
    const auto zero = [](const Operand& operand) {
        return operand.kind == OperandKind::general_register && operand.index == register_zero;
    };
    if (zero(a) && zero(b)) return c.kind == OperandKind::uniform_register ? "" : ".MOV";
    if (b.kind != OperandKind::immediate) return "";
    const auto bits = static_cast<std::uint32_t>(b.value);
    if (bits == 1) return ".IADD";
    return zero(c) && std::has_single_bit(bits) && bits != 0x10000 ? ".SHL" : "";
}

}  // namespace

std::string print_opcode(const Instruction& instruction) {
    if (!instruction.known()) return "???";
    std::string text(instruction.row->mnemonic);
    if (instruction.row->id == InstructionId::IMAD) text += imad_name(instruction);
    for (const Modifier& modifier : instruction.modifiers) {
        const ModifierSpec& spec = *modifier.spec;
        if (spec.kind) {
            const std::string_view name = spec.kind->values[modifier.value];
            if (name != "-") text += fmt::format(".{}", name);
        } else if ((modifier.value != 0) != spec.printed_when_clear) {
            text += fmt::format(".{}", spec.name);
        }
    }
    return text;
}

std::string print(const Instruction& instruction, int sm) {
    if (!instruction.known()) {
        return fmt::format("??? /* {:#018x} {:#018x} */", instruction.encoding.low,
                           instruction.encoding.high);
    }
    std::string text;
    if (instruction.guard != predicate_true || instruction.guard_negated) {
        text = "@" + predicate(instruction.guard, instruction.guard_negated, instruction.guard_uniform) + " ";
    }
    text += print_opcode(instruction);
    bool first = true;
    for (const Operand& operand : instruction.operands) {
        text += first || operand.spec->follows_blank ? " " : ", ";
        text += operand_text(operand, sm);
        first = false;
    }
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

}  // namespace warplens::sass
