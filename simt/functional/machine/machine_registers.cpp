#include "simt/functional/machine/machine_registers.h"

#include <algorithm>

#include "sass/control_flow.h"
#include "sass/decoder.h"
#include "sass/instruction_table.h"
#include "simt/functional/machine/machine_calls.h"

namespace warplens::simt {

namespace {

using sass::OperandKind;

constexpr u32 longest_vector = 16;  // registers that one operand may name: A of a DMMA.16x8x16

}  // namespace

bool calls_addresses(const sass::MachineProgram& machine) {
    return std::ranges::any_of(machine.instructions, sass::calls_address);
}

u32 uniform_registers_named(const sass::MachineProgram& machine) {
    u32 most = 0;
    const auto count = [&](u32 index) {
        if (index < sass::uniform_zero(machine.sm)) most = std::max(most, index);
    };
    for (const sass::Instruction& instruction : machine.instructions)
        for (const sass::Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::uniform_register || operand.kind == OperandKind::constant)
                count(operand.index);
            count(operand.uniform);
        }
    return most + longest_vector;
}

NamedRegisters registers_named(const sass::MachineProgram& machine, u32 allocated) {
    NamedRegisters named;
    u32 most = calls_addresses(machine) ? registers_of_calls : 0;
    for (const sass::Instruction& instruction : machine.instructions)
        for (const sass::Operand& operand : instruction.operands) {
            if ((operand.kind == OperandKind::general_register || operand.kind == OperandKind::address ||
                 operand.kind == OperandKind::constant) &&
                operand.index < sass::register_zero)
                most = std::max<u32>(most, operand.index);
            if (operand.kind == OperandKind::convergence_barrier)
                named.barriers = std::max<u32>(named.barriers, operand.index + 1u);
        }
    named.general = most + longest_vector;
    named.allocated = allocated == 0 ? named.general : std::max(allocated, most + 1);
    named.uniform = uniform_registers_named(machine);
    return named;
}

}  // namespace warplens::simt
