#include "simt/functional/machine/machine_link.h"

#include <algorithm>

#include "sass/decoder.h"
#include "simt/functional/block/constant_banks.h"
#include "simt/functional/machine/machine_calls.h"

namespace warplens::simt {

namespace {

using sass::CodeAddress;
using sass::OperandKind;

sass::Operand* operand_of(sass::Instruction& instruction, OperandKind kind) {
    const auto found = std::ranges::find(instruction.operands, kind, &sass::Operand::kind);
    return found == instruction.operands.end() ? nullptr : &*found;
}

/// Of a kernel of this file, or of a function that CUDA provides; nothing: of another file.
std::optional<u64> address_of_function(const CodeAddress& place, const sass::Cubin& cubin, MachineRows& rows,
                                       DecodedKernel& kernel) {
    const auto own = std::ranges::find(cubin.functions, place.name, &sass::CubinFunction::name);
    if (own == cubin.functions.end()) return provide_function(place.name, rows, kernel);
    if (!own->kernel) return std::nullopt;
    return function_address(static_cast<u32>(own - cubin.functions.begin()));
}

bool put(const CodeAddress& place, const sass::Cubin& cubin, MachineRows& rows,
         sass::Instruction& instruction, DecodedKernel& kernel) {
    using Part = CodeAddress::Part;
    if (place.part == Part::bank_offset) {
        sass::Operand* const operand = operand_of(instruction, OperandKind::constant);
        if (!operand || operand->bank != 3 || place.of != CodeAddress::Of::variable) return false;
        operand->value += static_cast<std::int64_t>(place.value);
        return true;
    }
    sass::Operand* const operand = operand_of(instruction, OperandKind::immediate);
    if (!operand || place.part == Part::not_known) return false;
    const bool high = place.part == Part::high;
    if (place.of == CodeAddress::Of::variable) {
        if (place.part == Part::callee) return false;
        operand->kind = OperandKind::constant;
        operand->bank = address_bank;
        operand->value = static_cast<std::int64_t>(place.value + (high ? 4 : 0));
        return true;
    }
    std::optional<u64> address;
    if (place.of == CodeAddress::Of::own_code) address = place.value;
    if (place.of == CodeAddress::Of::function) address = address_of_function(place, cubin, rows, kernel);
    if (!address) return false;
    operand->value = static_cast<std::int64_t>(place.part == Part::callee ? *address
                                               : high                     ? *address >> 32
                                                                          : *address & 0xffffffffu);
    return true;
}

}  // namespace

std::vector<LaunchableKernel> launchable_kernels(const sass::Cubin& cubin) {
    std::vector<LaunchableKernel> kernels;
    for (u32 i = 0; i < cubin.functions.size(); ++i) {
        const sass::CubinFunction& function = cubin.functions[i];
        if (!function.kernel) continue;
        LaunchableKernel& kernel = kernels.emplace_back();
        kernel.name = function.name;
        kernel.address = function_address(i);
        for (const sass::CubinParameter& parameter : function.parameters)
            kernel.parameter_bytes = std::max(kernel.parameter_bytes, parameter.offset + parameter.bytes);
        if (function.largest_block) kernel.most_threads = function.largest_block->count();
        if (function.exact_block) kernel.exactly_threads = function.exact_block->count();
        kernel.in_clusters = function.cluster.has_value();
    }
    return kernels;
}

Status link_code(const sass::Cubin& cubin, const sass::CubinFunction& function, MachineRows& rows,
                 std::vector<sass::Instruction>& instructions, DecodedKernel& kernel) {
    for (const CodeAddress& place : function.addresses) {
        const u64 at = place.offset / sass::instruction_bytes;
        if (at < instructions.size() && put(place, cubin, rows, instructions[at], kernel)) continue;
        return fail(
            "{} is not linked: its code at {:#x} needs {}", function.name, place.offset,
            place.name.empty() ? "an address that the file does not name" : "the address of " + place.name);
    }
    return {};
}

}  // namespace warplens::simt
