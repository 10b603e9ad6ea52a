// Each lane hashes addresses that it accesses, in execution order, in a register: in proof mode all of them,
// in full mode those that are not recorded. In loops it keeps those that follow from the launch, and hashes
// the last ones behind them.
#include <fmt/format.h>

#include "core/matrix_rows.h"
#include "instrumentation/rewrite/passes.h"

namespace warplens::instrumentation {

namespace {

// hash_step() of recording_plan.h: of 32 and of 64 bits.
constexpr std::uint32_t factor = 0x9E3779B1u;
static_assert(hash_step(1, 2) == factor + 2 && hash_step(0, std::uint64_t{1} << 32) == factor);

constexpr std::string_view step_narrow = R"(
{guard}mad.lo.u32 %warplens_hash, %warplens_hash, {factor}, {base};
)";
constexpr std::string_view step_half = R"(
.reg .b32 %low;
cvt.u32.u64 %low, {base};
{guard}mad.lo.u32 %warplens_hash, %warplens_hash, {factor}, %low;
)";
constexpr std::string_view step_wide = R"(
.reg .b32 %low, %high;
mov.b64 {{%low, %high}}, {base};
add.u32 %high, %high, %warplens_hash;
{guard}mad.lo.u32 %warplens_hash, %high, {factor}, %low;
)";

std::string step(const AddressPlan& address, std::string_view base, std::string_view guard) {
    const std::string_view text = !address.wide ? step_narrow : address.hashes_half ? step_half : step_wide;
    return fmt::format(fmt::runtime(text), fmt::arg("base", base), fmt::arg("guard", guard),
                       fmt::arg("factor", factor));
}

const ptx::Address* address_of(const ptx::Instruction& instruction, std::uint32_t which) {
    for (const ptx::Operand& operand : instruction.operands)
        if (const auto* address = std::get_if<ptx::Address>(&operand.value))
            if (which-- == 0) return address;
    return nullptr;
}

/// The register in which a lane keeps the address for AddressPlan::hashed_in.
std::string kept(std::size_t address) { return fmt::format("%warplens_kept{}", address); }

std::string bits_of(const AddressPlan& address) { return address.wide ? "b64" : "b32"; }

/// Before any other code at the same place, as the host does it.
void hash_kept_addresses(Draft& draft) {
    FunctionDraft& entry = draft.functions.front();
    for (std::size_t i = 0; i < draft.plan.addresses.size(); ++i) {
        const AddressPlan& address = draft.plan.addresses[i];
        if (!address.hashed || address.hashed_in == no_index) continue;
        draft.share(entry, kept(i), address.wide ? ptx::Type::b64 : ptx::Type::b32);
        draft.put(entry, {}, fmt::format("mov.{} {}, 0;\n", bits_of(address), kept(i)));
        draft.put(entry, draft.begin_of(address.hashed_in), step(address, kept(i), ""));
    }
}

}  // namespace

Status hash_addresses(Draft& draft) {
    if (!draft.hashes_addresses()) return {};
    for (FunctionDraft& function : draft.functions) draft.share(function, "%warplens_hash", ptx::Type::b32);
    draft.put(draft.functions.front(), {}, "mov.u32 %warplens_hash, 0;\n");
    hash_kept_addresses(draft);
    for (std::size_t i = 0; i < draft.plan.addresses.size(); ++i) {
        const AddressPlan& address = draft.plan.addresses[i];
        if (!address.hashed) continue;
        const ptx::Instruction& instruction = draft.instruction(address.site);
        const ptx::Address* operand = address_of(instruction, address.which);
        const auto* base = operand ? std::get_if<ptx::RegisterOperand>(&operand->base) : nullptr;
        if (base == nullptr) continue;
        std::string text;
        std::string guard =
            instruction.has_guard
                ? fmt::format("@{}%own{} ", instruction.guard.negated ? "!" : "", instruction.guard.predicate)
                : std::string();
        const LaneMask lanes = lanes_with_rows(draft.numbered.program.sites[address.site].opcode);
        if (lanes != LaneMask::all()) {  // such an instruction is executed by whole warps, without a guard
            text = fmt::format(
                ".reg .pred %row; .reg .b32 %lane;\nmov.u32 %lane, %laneid;\nsetp.lt.u32 %row, %lane, {};\n",
                lanes.count());
            guard = "@%row ";
        }
        const std::string own = fmt::format("%own{}", base->index);
        if (address.hashed_in != no_index)
            text += fmt::format("{}mov.{} {}, {};\n", guard, bits_of(address), kept(i), own);
        else text += step(address, own, guard);
        draft.put(draft.function_of(address.site), draft.before(address.site), text);
    }
    return draft.status();
}

}  // namespace warplens::instrumentation
