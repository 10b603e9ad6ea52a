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
        {Callee::launch_buffer, {8, 12, 12, 4}, 8},  // kernel, grid, block, dynamic shared bytes
        {Callee::launch, {8, 8}, 4},                 // buffer, stream
        {Callee::last_error, {}, 4},
        {Callee::peek_error, {}, 4},
        {Callee::create_stream, {8, 4}, 4},  // where to put it, flags
        {Callee::destroy_stream, {8}, 4},
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
        if (words == 2) in_register = (in_register + 1) / 2 * 2;
        function.arguments.push_back(rows.general(in_register));
        call.arguments.push_back({at, 0, bytes});
        in_register += words;
        at += (bytes + 7) / 8 * 8;
    }
    function.result = rows.general(first_argument);
    if (signature.result != 0) call.results.push_back({0, at, signature.result});
    kernel.param_bytes = std::max(kernel.param_bytes, at + 8);
    kernel.uses_heap |= call.callee == Callee::allocate || call.callee == Callee::release;
    kernel.launches |= is_of_device_runtime(call.callee);
    kernel.calls.push_back(std::move(call));
    return function;
}

}  // namespace

std::optional<u64> provide_function(std::string_view name, MachineRows& rows, DecodedKernel& kernel) {
    const auto callee = provided_function(name);
    const Signature* signature = callee ? signature_of(*callee) : nullptr;
    if (!signature) return std::nullopt;
    kernel.machine->return_address = rows.general(return_address);
    return kernel.machine->provided.emplace_back(function_with(*signature, rows, kernel)).address;
}

std::string provide_functions(const sass::Cubin& cubin, const std::vector<sass::Instruction>& instructions,
                              MachineRows& rows, DecodedKernel& kernel) {
    std::string others;
    std::vector<std::byte>& bank = kernel.machine->images[address_bank];
    for (const sass::CubinExternal& external : cubin.bank_externals) {
        if (!reads_address(instructions, address_bank, external.offset)) continue;
        const auto address = provide_function(external.name, rows, kernel);
        if (!address) others += (others.empty() ? "" : ", ") + external.name;
        else if (external.offset + sizeof *address <= bank.size())
            std::memcpy(bank.data() + external.offset, &*address, sizeof *address);
    }
    return others;
}

}  // namespace warplens::simt
