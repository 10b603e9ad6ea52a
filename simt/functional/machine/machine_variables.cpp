#include "simt/functional/machine/machine_variables.h"

#include <algorithm>
#include <map>

#include "sass/row_language.h"
#include "simt/functional/block/constant_banks.h"

namespace warplens::simt {

namespace {

constexpr u32 constant_bank = 3;

/// At most: an operand may be a pair of words, which then is aligned, and a load says how much it reads.
u64 bytes_read(const sass::Instruction& instruction, u64 at) {
    for (const sass::Modifier& modifier : instruction.modifiers) {
        if (!modifier.spec->kind || !modifier.spec->name.starts_with("constant_access")) continue;
        const std::string_view width = modifier.spec->kind->values[modifier.value];
        return width == "128" ? 16 : width == "64" ? 8 : 4;
    }
    return at % 8 == 0 ? 8 : 4;
}

class VariableList {
  public:
    VariableList(const sass::Cubin& cubin, DecodedKernel& kernel) : cubin_(cubin), kernel_(kernel) {}

    AddressInitialiser place(const sass::CubinAddress& address) {
        const AddressInitialiser placed = initialiser(address);
        // Not by recursion: a module may chain any number of variables.
        while (!waiting_.empty()) {
            const u32 variable = waiting_.back(), at = places_.at(variable);
            waiting_.pop_back();
            for (const sass::CubinAddress& held : cubin_.variables[variable].addresses) {
                const AddressInitialiser initial = initialiser(held);  // may move the variables
                kernel_.variables[at].addresses.push_back(initial);
            }
        }
        return placed;
    }

  private:
    AddressInitialiser initialiser(const sass::CubinAddress& address) {
        return {.at = address.offset, .variable = add(address.variable), .offset = address.addend};
    }

    /// A new one is listed; the addresses that it holds wait.
    u32 add(u32 variable) {
        const auto [known, is_new] =
            places_.try_emplace(variable, static_cast<u32>(kernel_.variables.size()));
        const u32 at = known->second;
        if (!is_new) return at;
        const sass::CubinVariable& from = cubin_.variables[variable];
        ModuleVariable& to = kernel_.variables.emplace_back();
        to.name = from.name;
        to.space = from.constant ? Space::constant : Space::global;
        to.offset = from.offset;
        to.image = bytes_of(from.image);
        to.image.resize(from.bytes);
        if (from.constant)
            kernel_.constant_bytes = std::max<u64>(kernel_.constant_bytes, from.offset + from.bytes);
        waiting_.push_back(variable);
        return at;
    }

    const sass::Cubin& cubin_;
    DecodedKernel& kernel_;
    std::map<u32, u32> places_;  // index in the cubin to index in the kernel
    std::vector<u32> waiting_;   // indices in the cubin of listed variables whose addresses are not read yet
};

}  // namespace

bool reads_address(const std::vector<sass::Instruction>& instructions, u32 bank, u64 offset) {
    for (const sass::Instruction& instruction : instructions)
        for (const sass::Operand& operand : instruction.operands) {
            if (operand.kind != sass::OperandKind::constant || operand.bank != bank) continue;
            const auto at = static_cast<u64>(operand.value);
            const bool indexed = operand.index != sass::no_register && operand.index != sass::register_zero;
            if (indexed || (at + bytes_read(instruction, at) > offset && at < offset + 8)) return true;
        }
    return false;
}

std::vector<std::byte> bytes_of(const std::string& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

void add_variables(const sass::Cubin& cubin, const std::vector<sass::Instruction>& instructions,
                   DecodedKernel& kernel) {
    kernel.machine->images[address_bank] = bytes_of(cubin.address_bank);
    VariableList variables(cubin, kernel);
    for (const sass::CubinAddress& address : cubin.bank_addresses)
        if (reads_address(instructions, address_bank, address.offset))
            kernel.machine->addresses.push_back(variables.place(address));
    const bool by_pointer = reads_address(instructions, 0, place_of_constant_window(cubin.sm));
    for (const sass::CubinAddress& address : cubin.constant_addresses)
        if (by_pointer || reads_address(instructions, constant_bank, address.offset))
            kernel.machine->constant_addresses.push_back(variables.place(address));
}

}  // namespace warplens::simt
