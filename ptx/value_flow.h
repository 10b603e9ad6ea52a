// What an instruction reads and writes, as analyses of values see it: registers, addresses and names, with
// vectors, pairs and lists taken apart.
#pragma once

#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace warplens::ptx {

struct ValueFlow {
    std::vector<std::uint32_t> written;            // registers
    std::vector<std::uint32_t> read;               // registers, those of addresses and the guard left out
    std::vector<std::uint32_t> address_registers;  // bases of addresses, and coordinates of textures
    std::vector<const Address*> addresses;
    std::vector<std::string_view> special;  // special registers read, without the percent sign
    std::vector<std::string_view> symbols;  // names whose address is a value
};

ValueFlow value_flow(const Instruction& instruction);

}  // namespace warplens::ptx
