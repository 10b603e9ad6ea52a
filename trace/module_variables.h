// The module's variables in global memory for Launch::variables, so that addresses can be compared by name
// and offset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace warplens::trace {

/// `address_of(name)` returns the address of a variable, named as in the PTX; std::nullopt if it is not
/// known.
template <class AddressOf>
std::vector<Buffer> module_variables(const Program& program, const AddressOf& address_of) {
    std::vector<Buffer> found;
    for (const Variable& variable : program.variables) {
        if (variable.space != Space::global) continue;
        const std::optional<std::uint64_t> address = address_of(variable.name);
        if (address) found.push_back({variable.name, "", variable.element_bytes, *address, variable.bytes});
    }
    return found;
}

}  // namespace warplens::trace
