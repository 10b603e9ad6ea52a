#include "simt/functional/machine/machine_calls.h"

#include <algorithm>
#include <cstring>

#include "simt/functional/decode/provided_functions.h"
#include "simt/functional/machine/machine_variables.h"

namespace warplens::simt {

namespace {

constexpr u32 first_argument = 4, return_address = 20;

struct Signature {
    Callee callee;
    std::vector<u32> arguments;  // bytes
    u32 result = 0;              // bytes
};

const Signature* signature_of(Callee callee) {
    static const Signature known[] = {
        {Callee::print, {8, 8}, 4},               // format, arguments
        {Callee::assertion, {8, 8, 4, 8, 8}, 0},  // condition, file, line, function, character size
        {Callee::allocate, {8}, 8},
        {Callee::release, {8}, 0},
    };
    for (const Signature& each : known)
        if (each.callee == callee) return &each;
    return nullptr;
}

ProvidedFunction function_with(const Signature& signature, MachineRows& rows, DecodedKernel& kernel) {
    ProvidedFunction function;
    function.call = static_cast<u32>(kernel.calls.size());
    function.address = function_address(function.call);
    CallSite call;
    call.callee = signature.callee;
    u32 in_register = first_argument, at = 0;
    for (const u32 bytes : signature.arguments) {
        const u32 words = bytes / 4;
        in_register = (in_register + words - 1) / words * words;
        function.arguments.push_back(rows.general(in_register));
        call.arguments.push_back({at, 0, bytes});
        in_register += words;
        at += 8;
    }
    function.result = rows.general(first_argument);
    if (signature.result != 0) call.results.push_back({0, at, signature.result});
    kernel.param_bytes = std::max(kernel.param_bytes, at + 8);
    kernel.uses_heap |= call.callee == Callee::allocate || call.callee == Callee::release;
    kernel.calls.push_back(std::move(call));
    return function;
}

}  // namespace

std::string provide_functions(const sass::Cubin& cubin, const std::vector<sass::Instruction>& instructions,
                              MachineRows& rows, DecodedKernel& kernel) {
    std::string others;
    MachineLayout& machine = *kernel.machine;
    machine.return_address = rows.general(return_address);
    std::vector<std::byte>& bank = machine.images[address_bank];
    for (const sass::CubinExternal& external : cubin.bank_externals) {
        if (!reads_address(instructions, address_bank, external.offset)) continue;
        const auto callee = provided_function(external.name);
        const Signature* signature = callee ? signature_of(*callee) : nullptr;
        if (!signature) {
            others += (others.empty() ? "" : ", ") + external.name;
            continue;
        }
        const ProvidedFunction function = function_with(*signature, rows, kernel);
        if (external.offset + sizeof function.address <= bank.size())
            std::memcpy(bank.data() + external.offset, &function.address, sizeof function.address);
        machine.provided.push_back(function);
    }
    return others;
}

}  // namespace warplens::simt
