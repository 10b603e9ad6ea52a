#include "instrumentation/rewrite/read_only.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "ptx/opcodes.h"
#include "ptx/value_flow.h"

namespace warplens::instrumentation {

namespace {

/// Where the pointers in a register may come from: parameters of the kernel by name, "" for anything else. A
/// register without any holds a number.
using Origins = std::set<std::string>;

class PointerOrigins {
  public:
    explicit PointerOrigins(const Draft& draft) : entry_(draft.functions.front().index) {
        const std::size_t registers = draft.body_of(draft.functions.front()).registers.size();
        origins_.resize(registers);
        for (bool changed = true; changed;) {
            changed = false;
            for (SiteId site = 0; site < draft.numbered.origins.size(); ++site)
                if (draft.numbered.origins[site].function == entry_)
                    changed |= follow(draft.instruction(site));
        }
    }

    /// Of the address that the instruction accesses memory at.
    Origins of_access(const ptx::Instruction& instruction) const {
        const ptx::ValueFlow flow = ptx::value_flow(instruction);
        Origins origins;
        for (const std::uint32_t reg : flow.address_registers)
            origins.insert(origins_[reg].begin(), origins_[reg].end());
        if (origins.empty()) origins.insert("");
        return origins;
    }

  private:
    bool follow(const ptx::Instruction& instruction) {
        const ptx::ValueFlow flow = ptx::value_flow(instruction);
        Origins origins;
        const bool wide = ptx::size_of(instruction.type()) >= 8;
        if (instruction.opcode == "ld" && instruction.has("param")) {
            if (wide) origins.insert(parameter(flow));
        } else if (ptx::site_kind(instruction) == SiteKind::lanewise) {
            for (const std::uint32_t reg : flow.read)
                origins.insert(origins_[reg].begin(), origins_[reg].end());
            if (!flow.symbols.empty()) origins.insert("");
        } else if (wide) {
            origins.insert("");  // of memory, of another lane, or a result of a call
        }
        bool changed = false;
        for (const std::uint32_t reg : flow.written)
            for (const std::string& origin : origins) changed |= origins_[reg].insert(origin).second;
        return changed;
    }

    static std::string parameter(const ptx::ValueFlow& flow) {
        for (const ptx::Address* address : flow.addresses)
            if (const auto* symbol = std::get_if<ptx::Symbol>(&address->base))
                return symbol->name + "+" + std::to_string(symbol->offset + address->offset);
        return "";
    }

    std::uint32_t entry_;
    std::vector<Origins> origins_;  // by register
};

bool may_be_global(Space space) { return space == Space::global || space == Space::none; }

bool is_weak(const ptx::Instruction& instruction) {
    constexpr std::string_view strong[] = {"volatile", "relaxed", "acquire", "mmio"};
    return std::ranges::none_of(strong, [&](std::string_view word) { return instruction.has(word); });
}

}  // namespace

std::vector<bool> read_only_loads(const Draft& draft) {
    const auto& sites = draft.numbered.program.sites;
    std::vector<bool> found(sites.size(), false);
    const PointerOrigins pointers(draft);
    Origins written;
    const bool calls = draft.functions.size() > 1;
    for (SiteId site = 0; site < sites.size(); ++site) {
        if (sites[site].kind != SiteKind::memory) continue;
        const ptx::Instruction& instruction = draft.instruction(site);
        if (instruction.opcode == "ld" || calls || !may_be_global(ptx::space_of(instruction))) continue;
        const Origins origins = pointers.of_access(instruction);
        written.insert(origins.begin(), origins.end());
    }
    for (SiteId site = 0; site < sites.size(); ++site) {
        const ptx::Instruction& instruction = draft.instruction(site);
        if (instruction.opcode != "ld" || !instruction.has("global")) continue;
        found[site] = instruction.has("nc");
        if (found[site] || calls || !is_weak(instruction) || written.contains("")) continue;
        const Origins origins = pointers.of_access(instruction);
        found[site] = !origins.contains("") && std::ranges::none_of(origins, [&](const std::string& origin) {
            return written.contains(origin);
        });
    }
    return found;
}

}  // namespace warplens::instrumentation
