// Cubin: the machine code of a compiled module, function by function, with the resources of its kernels and
// the source lines of the code. It reads and lists; it loads nothing onto a GPU. A damaged file is an error,
// never a crash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch.h"
#include "core/result.h"
#include "sass/code_address.h"
#include "sass/line_table.h"

namespace warplens::sass {

struct CubinParameter {
    std::uint32_t ordinal = 0;
    std::uint32_t offset = 0;  // bytes from the first parameter's place in constant bank 0
    std::uint32_t bytes = 0;
};

/// A jump to an address in a register, with the places it can go to, as the assembler lists them. Offsets are
/// bytes from the function's beginning.
struct IndirectBranch {
    std::uint64_t offset = 0;
    std::vector<std::uint64_t> targets;
};

struct CubinFunction {
    std::string name;     // mangled
    bool kernel = false;  // else a function that kernels call
    std::string code;     // 16 bytes per instruction
    std::uint32_t registers_per_thread = 0;
    std::uint32_t stack_bytes = 0;
    std::uint32_t shared_static_bytes = 0;
    std::optional<Dim3> largest_block;  // of __launch_bounds__; nothing: not declared
    std::optional<Dim3> exact_block;    // of __block_size__
    std::optional<Dim3> cluster;        // of __cluster_dims__
    std::uint32_t parameter_base = 0;   // byte offset of the parameters in constant bank 0
    std::vector<CubinParameter> parameters;
    std::vector<IndirectBranch> indirect_branches;
    std::string constants;              // constant bank 2: the compiler's constants
    std::vector<LineRow> source_lines;  // by rising offset; empty without -lineinfo
    std::vector<LineRow> ptx_lines;
    std::vector<CodeAddress> addresses;  // by rising offset
};

/// 8 bytes that get a variable's address when the module is loaded.
struct CubinAddress {
    std::uint64_t offset = 0;    // where the 8 bytes are
    std::uint32_t variable = 0;  // index into Cubin::variables
    std::int64_t addend = 0;
};

/// A variable of the module whose address the code or another variable holds.
struct CubinVariable {
    std::string name;
    bool constant = false;     // in bank 3, else in global memory
    std::uint64_t offset = 0;  // constant: in bank 3
    std::uint64_t bytes = 0;
    std::string image;  // what it is initialised with; the rest is zero
    std::vector<CubinAddress> addresses;
};

/// 8 bytes that get the address of a function which is in another module.
struct CubinExternal {
    std::uint64_t offset = 0;
    std::string name;
};

struct Cubin {
    int sm = 0;                      // compute capability times ten
    std::vector<std::string> files;  // as given to the compiler; LineRow::file is an index into them
    std::string user_constants;      // constant bank 3: the __constant__ variables; empty, too, when it holds
    std::vector<CubinAddress> constant_addresses;  // other addresses than these
    std::vector<CubinVariable> variables;
    std::string address_bank;                   // constant bank 4; empty when it holds other things than
    std::vector<CubinAddress> bank_addresses;   // these addresses
    std::vector<CubinExternal> bank_externals;  // and these, by rising offset
    std::vector<CubinFunction> functions;       // in the file's order

    const CubinFunction* find(std::string_view name) const;
};

Result<Cubin> read_cubin(std::string_view bytes);

}  // namespace warplens::sass
