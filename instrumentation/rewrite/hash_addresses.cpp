// Each lane hashes addresses that it accesses, in execution order, in a register: in proof mode all of them,
// in full mode those that are not recorded.
#include <fmt/format.h>

#include "core/matrix_rows.h"
#include "instrumentation/rewrite/passes.h"

namespace warplens::instrumentation {

namespace {

// hash_step() of recording_plan.h.
constexpr std::uint32_t first_factor = 0x9E3779B1u, second_factor = 0x85EBCA77u;
static_assert(hash_step(1, 0) == first_factor * second_factor);

const ptx::Address* address_of(const ptx::Instruction& instruction, std::uint32_t which) {
    for (const ptx::Operand& operand : instruction.operands)
        if (const auto* address = std::get_if<ptx::Address>(&operand.value))
            if (which-- == 0) return address;
    return nullptr;
}

}  // namespace

Status hash_addresses(Draft& draft) {
    if (!draft.hashes_addresses()) return {};
    for (FunctionDraft& function : draft.functions) draft.share(function, "%warplens_hash", ptx::Type::b32);
    draft.put(draft.functions.front(), {}, "mov.u32 %warplens_hash, %laneid;\n");
    for (const AddressPlan& address : draft.plan.addresses) {
        if (!address.hashed) continue;
        const ptx::Instruction& instruction = draft.instruction(address.site);
        const ptx::Address* operand = address_of(instruction, address.which);
        const auto* base = operand ? std::get_if<ptx::RegisterOperand>(&operand->base) : nullptr;
        if (base == nullptr) continue;
        std::string guard =
            instruction.has_guard
                ? fmt::format("@{}%own{} ", instruction.guard.negated ? "!" : "", instruction.guard.predicate)
                : std::string();
        std::string text = ".reg .b32 %low, %high;\n";
        const LaneMask lanes = lanes_with_rows(draft.numbered.program.sites[address.site].opcode);
        if (lanes != LaneMask::all()) {  // such an instruction is executed by whole warps, without a guard
            text += fmt::format(
                ".reg .pred %row; .reg .b32 %lane;\nmov.u32 %lane, %laneid;\nsetp.lt.u32 %row, %lane, {};\n",
                lanes.count());
            guard = "@%row ";
        }
        if (address.wide)
            text += fmt::format(
                ".reg .b64 %address;\nadd.s64 %address, %own{}, {};\nmov.b64 {{%low, %high}}, %address;\n",
                base->index, address.offset);
        else
            text += fmt::format("add.s32 %low, %own{}, {};\nmov.u32 %high, 0;\n", base->index,
                                static_cast<std::int32_t>(address.offset));
        text += fmt::format(
            "{0}mad.lo.u32 %warplens_hash, %warplens_hash, {1}, %low;\n"
            "{0}mad.lo.u32 %warplens_hash, %warplens_hash, {2}, %high;\n",
            guard, first_factor, second_factor);
        draft.put(draft.function_of(address.site), draft.before(address.site), text);
    }
    return draft.status();
}

}  // namespace warplens::instrumentation
