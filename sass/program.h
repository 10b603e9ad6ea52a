// Numbers the machine instructions of a kernel: CubinFunction -> core Program whose sites are machine
// instructions, with their offsets, their lines in the source and in the PTX.
#pragma once

#include <string_view>
#include <vector>

#include "core/program.h"
#include "core/result.h"
#include "sass/control_flow.h"
#include "sass/cubin.h"

namespace warplens::sass {

struct MachineProgram {
    Program program;
    int sm = 0;
    std::vector<Instruction> instructions;  // one per site; site i is at byte offset i * instruction_bytes
    std::vector<MachineBlock> blocks;       // one per basic block of the program
};

/// "param_0" and so on, with sizes and no types: "b32", and "b8" with its size for a structure.
std::vector<Parameter> parameters_of(const CubinFunction& function);

/// `entry` is a function of the cubin, by its mangled name. A site's source line is its outermost one, as it
/// stands in the kernel's own file; SourceFile::text stays empty.
Result<MachineProgram> number_machine_sites(const Cubin& cubin, std::string_view entry);

/// The instructions that the table does not have.
std::vector<SiteId> unknown_sites(const MachineProgram& program);

}  // namespace warplens::sass
