// Section .nv.constant4 holds addresses, each named by a relocation of type 2 (R_CUDA_64); .nv.global and
// .nv.global.init hold the variables in global memory, .nv.constant3 those in constant memory.
#include "sass/cubin_variables.h"

#include <map>
#include <optional>

namespace warplens::sass {

namespace {

constexpr std::uint32_t address_of_64_bits = 2;
constexpr std::uint64_t most_variable_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t most_bank_bytes = 1u << 16;

class VariableReader {
  public:
    VariableReader(const ElfFile& elf, Cubin& cubin) : elf_(elf), cubin_(cubin) {}

    /// Nothing if one of the section's addresses is not a variable's.
    std::optional<std::vector<CubinAddress>> addresses_in(std::size_t section, std::uint64_t from,
                                                          std::uint64_t bytes) {
        std::vector<CubinAddress> addresses;
        for (const ElfRelocation& each : relocations_of(elf_, section)) {
            if (each.offset < from || each.offset - from >= bytes) continue;
            const auto variable = variable_of(each.symbol);
            if (!variable || each.type != address_of_64_bits || bytes - (each.offset - from) < 8)
                return std::nullopt;
            addresses.push_back({each.offset - from, *variable, each.addend});
        }
        return addresses;
    }

  private:
    std::optional<std::uint32_t> variable_of(std::uint32_t symbol_index) {
        if (const auto known = by_symbol_.find(symbol_index); known != by_symbol_.end()) return known->second;
        if (symbol_index >= elf_.symbols.size()) return std::nullopt;
        const ElfSymbol& symbol = elf_.symbols[symbol_index];
        if (symbol.section >= elf_.sections.size() || symbol.name.empty()) return std::nullopt;
        const ElfSection& section = elf_.sections[symbol.section];
        const bool constant = section.name == ".nv.constant3";
        if (!constant && section.name != ".nv.global" && section.name != ".nv.global.init")
            return std::nullopt;
        if (symbol.size > most_variable_bytes || symbol.value > section.size ||
            section.size - symbol.value < symbol.size)
            return std::nullopt;
        const auto index = static_cast<std::uint32_t>(cubin_.variables.size());
        by_symbol_.emplace(symbol_index, index);
        CubinVariable variable;
        variable.name = symbol.name;
        variable.constant = constant;
        variable.offset = symbol.value;
        variable.bytes = symbol.size;
        if (symbol.value < section.data.size())
            variable.image = section.data.substr(symbol.value, symbol.size);
        cubin_.variables.push_back(std::move(variable));
        // After it is in the list: it may hold its own address.
        auto addresses = addresses_in(symbol.section, symbol.value, symbol.size);
        if (!addresses) return std::nullopt;
        cubin_.variables[index].addresses = std::move(*addresses);
        return index;
    }

    const ElfFile& elf_;
    Cubin& cubin_;
    std::map<std::uint32_t, std::uint32_t> by_symbol_;
};

}  // namespace

void read_variables(const ElfFile& elf, Cubin& cubin) {
    VariableReader reader(elf, cubin);
    for (std::size_t i = 0; i < elf.sections.size(); ++i) {
        const ElfSection& section = elf.sections[i];
        if (section.name != ".nv.constant4" || section.size > most_bank_bytes) continue;
        auto addresses = reader.addresses_in(i, 0, section.size);
        if (!addresses) return;
        cubin.address_bank = section.data;
        cubin.bank_addresses = std::move(*addresses);
        return;
    }
}

}  // namespace warplens::sass
