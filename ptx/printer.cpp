#include "ptx/printer.h"

#include <fmt/format.h>

#include <string_view>

namespace warplens::ptx {

namespace {

/// std::visit with one lambda an alternative.
template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

class Printer {
  public:
    std::string text;

    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        text += fmt::format(format, std::forward<Args>(args)...);
    }

    void put_offset(std::int64_t offset) {
        if (offset != 0) put("+{}", offset);  // [%rd1+-4]: ptxas does not take [%rd1-4]
    }

    void put_immediate(const Immediate& value) {
        switch (value.kind) {
            case Immediate::Kind::integer:
                return put("{}", static_cast<std::int64_t>(value.bits));
            case Immediate::Kind::f32_bits:
                return put("0f{:08X}", value.bits);
            case Immediate::Kind::f64_bits:
                return put("0d{:016X}", value.bits);
        }
    }

    void put_symbol(const Symbol& symbol) {
        if (symbol.mask != 0) put("0x{:X}(", symbol.mask);
        text += symbol.is_generic ? "generic(" : "";
        text += symbol.name;
        text += symbol.is_generic ? ")" : "";
        put_offset(symbol.offset);
        if (symbol.mask != 0) text += ")";
    }

    void put_elements(const Function& function, const std::vector<Operand>& elements,
                      std::string_view separator) {
        bool first = true;
        for (const Operand& element : elements) {
            if (!first) text += separator;
            first = false;
            put_operand(function, element);
        }
    }

    void put_operand(const Function& function, const Operand& operand) {
        if (operand.negated) text += is_predicate(function, operand) ? '!' : '-';
        std::visit(Overloaded{
                       [&](const RegisterOperand& value) { text += function.registers.at(value.index).name; },
                       [&](const Immediate& value) { put_immediate(value); },
                       [&](const SpecialRegister& value) {
                           if (value.name != "WARP_SZ") text += '%';
                           text += value.name;
                       },
                       [&](const Symbol& value) { put_symbol(value); },
                       [&](const Label& value) { text += value.name; },
                       [&](const Address& value) { put_address(function, value); },
                       [&](const Vector& value) {
                           text += '{';
                           put_elements(function, value.elements, ", ");
                           text += '}';
                       },
                       [&](const Pair& value) { put_elements(function, value.elements, "|"); },
                       [&](const List& value) {
                           text += value.bracket;
                           put_elements(function, value.elements, ", ");
                           text += value.bracket == '(' ? ')' : ']';
                       },
                       [&](const Sink&) { text += '_'; },
                   },
                   operand.value);
        if (operand.part.unit == 0) return;
        text += '.';
        text += operand.part.unit;
        for (std::uint8_t i = 0; i < operand.part.count; ++i) put("{}", operand.part.numbers[i]);
    }

    static bool is_predicate(const Function& function, const Operand& operand) {
        const auto* name = std::get_if<RegisterOperand>(&operand.value);
        return name == nullptr || function.registers.at(name->index).type == Type::pred;
    }

    void put_address(const Function& function, const Address& address) {
        text += '[';
        std::visit(Overloaded{
                       [&](const RegisterOperand& base) { text += function.registers.at(base.index).name; },
                       [&](const Symbol& base) { put_symbol(base); },
                       [&](const Immediate& base) { put_immediate(base); },
                   },
                   address.base);
        put_offset(address.offset);
        text += ']';
    }

    void put_instruction(const Function& function, const Instruction& instruction) {
        if (instruction.has_guard)
            put("@{}{} ", instruction.guard.negated ? "!" : "",
                function.registers.at(instruction.guard.predicate).name);
        text += instruction.spelling;
        if (!instruction.operands.empty() || !instruction.unread_operands.empty()) text += ' ';
        if (instruction.unread_operands.empty()) put_elements(function, instruction.operands, ", ");
        else text += instruction.unread_operands;
        text += ';';
    }

    // ---- declarations -----------------------------------------------------------------------------------

    void put_variable(const VariableDeclaration& variable) {
        if (!variable.linkage.empty()) put(".{} ", variable.linkage);
        put(".{}", variable.space == Space::constant ? "const" : warplens::to_string(variable.space));
        if (!variable.attribute.empty()) put(" .attribute({})", variable.attribute);
        if (variable.alignment != 0) put(" .align {}", variable.alignment);
        if (variable.vector_width > 1) put(" .v{}", variable.vector_width);
        put(" .{}", to_string(variable.type));
        if (variable.is_pointer) {
            text += " .ptr";
            if (!variable.pointer_space.empty()) put(" .{}", variable.pointer_space);
            if (variable.pointer_alignment != 0) put(" .align {}", variable.pointer_alignment);
        }
        put(" {}", variable.name);
        for (const std::uint64_t extent : variable.extents) extent == 0 ? put("[]") : put("[{}]", extent);
        put_initial_values(variable);
    }

    void put_initial_values(const VariableDeclaration& variable) {
        if (variable.initial.empty()) return;
        const bool braces = !variable.extents.empty() || variable.vector_width > 1;
        text += braces ? " = {" : " = ";
        bool first = true;
        for (const InitialValue& value : variable.initial) {
            if (!first) text += ", ";
            first = false;
            if (const auto* immediate = std::get_if<Immediate>(&value)) put_immediate(*immediate);
            else put_symbol(std::get<Symbol>(value));
        }
        if (braces) text += '}';
    }

    void put_parameters(const std::vector<VariableDeclaration>& parameters, std::string_view separator) {
        bool first = true;
        for (const VariableDeclaration& parameter : parameters) {
            if (!first) text += separator;
            first = false;
            put_variable(parameter);
        }
    }

    void put_registers(const std::vector<Register>& registers);
    void put_function(const Function& function);
    void put_body(const Function& function);
    void put_module(const Module& module);
};

/// "%r" and 12 for "%r12"; a number with leading zeros is part of the name.
struct NumberedRegister {
    std::string_view prefix;
    std::uint64_t number = 0;
    bool is_numbered = false;
};

NumberedRegister split_register(std::string_view name) {
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    while (digits + 1 < name.size() && name[digits] == '0') ++digits;
    if (digits == 0 || digits == name.size() || name.size() - digits > 9) return {name};
    NumberedRegister split{name.substr(0, digits), 0, true};
    for (const char c : name.substr(digits))
        split.number = split.number * 10 + static_cast<unsigned>(c - '0');
    return split;
}

/// `%r0, %r1, %r2` of one type become `%r<3>`; all others are declared one by one.
void Printer::put_registers(const std::vector<Register>& registers) {
    for (std::size_t i = 0; i < registers.size();) {
        const NumberedRegister head = split_register(registers[i].name);
        std::size_t count = 1;
        while (head.is_numbered && head.number == 0 && i + count < registers.size()) {
            const NumberedRegister next = split_register(registers[i + count].name);
            if (!next.is_numbered || next.prefix != head.prefix || next.number != count ||
                registers[i + count].type != registers[i].type)
                break;
            ++count;
        }
        if (head.is_numbered && head.number == 0)
            put("\t.reg .{} {}<{}>;\n", to_string(registers[i].type), head.prefix, count);
        else put("\t.reg .{} {};\n", to_string(registers[i].type), registers[i].name);
        i += count;
    }
}

void Printer::put_body(const Function& function) {
    SourceLocation current;
    for (const Statement& statement : function.body) {
        std::visit(Overloaded{
                       [&](const Instruction& instruction) {
                           const SourceLocation& location = instruction.location;
                           if (location.file != 0 && location != current) {
                               put("\t{}\n", to_string(location));
                               current = location;
                           }
                           text += '\t';
                           put_instruction(function, instruction);
                           text += '\n';
                       },
                       [&](const LabelStatement& label) { put("{}:\n", label.name); },
                       [&](const VariableDeclaration& variable) {
                           text += '\t';
                           put_variable(variable);
                           text += ";\n";
                       },
                       [&](const ScopeMark& mark) { text += mark.opens ? "\t{\n" : "\t}\n"; },
                       [&](const Directive& directive) {
                           put("\t{}\n", directive.text);
                           if (directive.text.compare(0, 5, ".loc ") == 0) current = {};
                       },
                   },
                   statement);
    }
}

void Printer::put_function(const Function& function) {
    if (!function.linkage.empty()) put(".{} ", function.linkage);
    text += function.is_entry ? ".entry " : ".func ";
    if (!function.results.empty()) {
        text += '(';
        put_parameters(function.results, ", ");
        text += ") ";
    }
    put("{}(", function.name);
    if (!function.parameters.empty()) {
        text += "\n\t";
        put_parameters(function.parameters, ",\n\t");
        text += '\n';
    }
    text += ")\n";
    for (const std::string& directive : function.performance_directives) put("{}\n", directive);
    if (function.is_declaration) {
        text += ";\n\n";
        return;
    }
    text += "{\n";
    put_registers(function.registers);
    put_body(function);
    text += "}\n\n";
}

void Printer::put_module(const Module& module) {
    put(".version {}\n", module.version);
    for (std::size_t i = 0; i < module.targets.size(); ++i)
        put("{}{}", i == 0 ? ".target " : ", ", module.targets[i]);
    put("{}.address_size {}\n\n", module.targets.empty() ? "" : "\n", module.address_size);

    auto variable = module.variables.begin();
    const auto put_variables_before = [&](std::size_t functions) {
        for (; variable != module.variables.end() && variable->functions_before <= functions; ++variable) {
            put_variable(*variable);
            text += ";\n";
        }
    };
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
        put_variables_before(i);
        put_function(module.functions[i]);
    }
    put_variables_before(~std::size_t{0});
    for (const FileEntry& file : module.files) put(".file {} \"{}\"\n", file.number, file.name);
    for (const Directive& directive : module.directives) put("{}\n", directive.text);
}

}  // namespace

std::string print(const Module& module) {
    Printer printer;
    printer.put_module(module);
    return std::move(printer.text);
}

std::string print(const Function& function, const Instruction& instruction) {
    Printer printer;
    printer.put_instruction(function, instruction);
    return std::move(printer.text);
}

std::string to_string(const SourceLocation& location) {
    std::string text = fmt::format(".loc {} {} {}", location.file, location.line, location.column);
    if (!location.function_name.empty()) text += ", function_name " + location.function_name;
    if (location.inlined_file != 0)
        text += fmt::format(", inlined_at {} {} {}", location.inlined_file, location.inlined_line,
                            location.inlined_column);
    return text;
}

}  // namespace warplens::ptx
