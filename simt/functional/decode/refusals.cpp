#include "simt/functional/decode/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "ptx/opcodes.h"

namespace warplens::simt {

namespace {

/// The most specific matching row applies: opcode, and a modifier that the form must have (none: any form).
struct Refusal {
    std::string_view opcode, modifier, reason;
};

constexpr std::string_view disputed =
    "saturated, scaled, with a minimum or maximum or into an upper part, an H100 gives other results than "
    "the PTX ISA states";

constexpr Refusal refusals[] = {
    {"multimem", "", "it accesses the memory of several GPUs"},
    {"wgmma", "", "the products of a group of four warps on the tensor cores are not executed"},
    {"tcgen05", "", "the tensor memory of compute capability 10 is not executed"},
    {"mma", "", "matrix products of this shape and type are not executed"},
    {"wmma", "", "matrix products of this shape and type are not executed"},
    {"tensormap", "", "tensor maps, which the driver encodes, are not read"},
    {"cp", "tensor", "tensor maps, which the driver encodes, are not read"},
    {"cp", "", "this form of asynchronous copy is not executed"},
    {"clusterlaunchcontrol", "", "blocks that have not begun cannot be cancelled"},
    {"tex", "",
     "this form reads a texture in a way that is not executed: several samples or levels, offsets, "
     "depths or a sampler of its own"},
    {"tld4", "", "gathers from cubes, offsets and depths are not executed"},
    {"txq", "", "the engine does not keep this texture property"},
    {"suq", "", "the engine does not keep this surface property"},
    {"sust", "p", "formatted stores are not executed"},
    {"alloca", "", "the stack of a thread has a fixed size here"},
    {"stacksave", "", "the stack of a thread has a fixed size here"},
    {"stackrestore", "", "the stack of a thread has a fixed size here"},
    {"vadd", "", disputed},
    {"vsub", "", disputed},
    {"vabsdiff", "", disputed},
    {"vmin", "", disputed},
    {"vmax", "", disputed},
    {"vshl", "", disputed},
    {"vshr", "", disputed},
    {"vmad", "", disputed},
    {"vset", "", disputed},
    {"call", "",
     "only functions of the same file, printf, assert, malloc and free can be called, and of the device "
     "run-time launches, cudaGetLastError, cudaPeekAtLastError and the functions that create and destroy a "
     "stream"},
};

std::string special_registers_of(const ptx::Instruction& instruction) {
    for (const ptx::Operand& operand : instruction.operands)
        if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value)) return special->name;
    return {};
}

/// [texture, sampler, coordinates]: independent texture mode, which CUDA does not use.
bool names_a_sampler(const ptx::Instruction& instruction) {
    return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
        const auto* list = std::get_if<ptx::List>(&operand.value);
        return list != nullptr && list->bracket == '[' && list->elements.size() == 3;
    });
}

}  // namespace

std::string refused_form(const ptx::Instruction& instruction) {
    if ((instruction.opcode == "tex" || instruction.opcode == "tld4") && names_a_sampler(instruction))
        return instruction.spelling + " with a separate sampler";
    if (instruction.opcode == "mov")
        for (const ptx::Operand& operand : instruction.operands)
            if (auto* special = std::get_if<ptx::SpecialRegister>(&operand.value))
                return fmt::format("{} of %{}", instruction.spelling, special->name);
    if (instruction.opcode != "call") return instruction.spelling;
    for (const ptx::Operand& operand : instruction.operands)
        if (auto* symbol = std::get_if<ptx::Symbol>(&operand.value))
            return fmt::format("{} {}", instruction.spelling, symbol->name);
    return instruction.spelling + " through a register";
}

std::string why_refused(const ptx::Instruction& instruction) {
    const Refusal* best = nullptr;
    for (const Refusal& row : refusals)
        if (row.opcode == instruction.opcode && (row.modifier.empty() || instruction.has(row.modifier)) &&
            (best == nullptr || best->modifier.empty()))
            best = &row;
    if (best != nullptr) return std::string(best->reason);
    if (ptx::find_opcode(instruction.opcode) == nullptr)
        return fmt::format("{} is not a PTX instruction that the CPU engine knows", instruction.opcode);
    if (const auto unlisted = ptx::explain_unlisted(instruction))  // without the list of alternatives
        return unlisted->substr(0, unlisted->find(" is not one of")) + " is not known to the CPU engine";
    if (const std::string special = special_registers_of(instruction); !special.empty())
        return fmt::format("the special register %{} is not known to the CPU engine", special);
    return "this form of the instruction is not executed";
}

}  // namespace warplens::simt
