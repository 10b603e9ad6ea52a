// CodeAddress: an address that the linker writes into an instruction. Only code that is not linked (nvcc -dc,
// or code that launches kernels) has such places, and 0 there.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::sass {

struct CodeAddress {
    enum class Part : std::uint8_t {
        low,          // the lower 32 bits, in an immediate
        high,         // the upper 32 bits
        callee,       // of a call
        bank_offset,  // of a variable in constant bank 3, added to the operand's
        not_known,
    };
    enum class Of : std::uint8_t {
        own_code,  // `value`: byte offset in this function
        function,  // `name`: of this file, or one that CUDA provides
        variable,  // `value`: byte offset in constant bank 4, which has the address; of bank_offset in bank 3
        not_known,
    };
    std::uint64_t offset = 0;  // of the instruction, from the function's beginning
    Part part = Part::not_known;
    Of of = Of::not_known;
    std::uint64_t value = 0;
    std::string name;  // of the symbol
};

}  // namespace warplens::sass
