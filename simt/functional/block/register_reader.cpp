#include "simt/functional/block/register_reader.h"

#include <algorithm>

namespace warplens::simt {

const RegisterReader::Facts& RegisterReader::facts(SiteId site) {
    auto [at, is_new] = sites_.try_emplace(site);
    if (is_new) {
        Facts& facts = at->second;
        const ptx::SiteOrigin& origin = kernel_.origins[site];
        const auto& statement = module_.functions[origin.function].body[origin.statement];
        facts.instruction = &std::get<ptx::Instruction>(statement);
        facts.flow = ptx::value_flow(*facts.instruction);
        facts.function = origin.function;
        facts.exchanges = kernel_.numbered.sites[site].kind == SiteKind::warp_wide;
        const auto& operands = facts.instruction->operands;
        if (operands.size() > 1)
            if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operands[1].value))
                facts.given = reg->index;
    }
    return at->second;
}

const DecodedFunction& RegisterReader::function_of(u32 index) const {
    return *std::ranges::find(kernel_.functions, module_.functions[index].name, &DecodedFunction::name);
}

u32 RegisterReader::executed(Warp& warp, SiteId site) {
    const Facts& of = facts(site);
    if (!of.instruction->has_guard) return warp.active;
    const auto& registers = function_of(of.function).registers;
    const auto guard = std::ranges::find(registers, of.instruction->guard.predicate, &RegisterSlot::index);
    const u32 holds = guard == registers.end() ? 0 : predicate(warp, guard->row);
    return warp.active & (of.instruction->guard.negated ? ~holds : holds);
}

std::array<u64, warp_size> RegisterReader::bits_of(Warp& warp, u32 function, u32 index) const {
    const auto& registers = function_of(function).registers;
    const auto slot = std::ranges::find(registers, index, &RegisterSlot::index);
    if (index == no_index || slot == registers.end()) return {};
    return bits(warp, *slot);
}

std::array<u64, warp_size> RegisterReader::bits(Warp& warp, const RegisterSlot& slot) {
    std::array<u64, warp_size> bits;
    for (std::size_t lane = 0; lane < bits.size(); ++lane)
        bits[lane] = slot.bytes == 0   ? predicate(warp, slot.row) >> lane & 1u
                     : slot.bytes == 4 ? row<const u32>(warp, slot.row)[lane]
                                       : row<const u64>(warp, slot.row)[lane];
    return bits;
}

}  // namespace warplens::simt
