// Section .nv.constant4 holds addresses, each named by a relocation of type 2 (R_CUDA_64), initialised
// variables hold those of type 4 (R_CUDA_G64, generic addresses); .nv.global and .nv.global.init hold the
// variables in global memory, .nv.constant3 those in constant memory. Functions that CUDA provides, such as
// vprintf, are symbols of no section.
#include "sass/cubin_variables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sass/decoder.h"

namespace warplens::sass {

namespace {

constexpr std::uint32_t address_of_64_bits = 2, generic_address_of_64_bits = 4;
// In code: R_CUDA_ABS32_LO_32, ABS32_HI_32, FUNC_DESC32_LO_32, FUNC_DESC32_HI_32, CONST_FIELD19; the callee
// of a CALL.ABS from sm_90 on, and before.
constexpr std::uint32_t code_low = 0x38, code_high = 0x39, code_function_low = 0x3e,
                        code_function_high = 0x3f, code_bank_offset = 0x42, code_callee = 0x4b,
                        code_callee_75 = 0x3a;
constexpr std::uint64_t most_variable_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t most_bank_bytes = 1u << 16;
constexpr std::uint64_t address_bytes = 8;
constexpr std::uint16_t no_section = 0;           // SHN_UNDEF
constexpr std::uint8_t symbol_is_a_function = 2;  // STT_FUNC

class VariableReader {
  public:
    VariableReader(const ElfFile& elf, Cubin& cubin)
        : elf_(elf), cubin_(cubin), relocations_(relocations_by_section(elf)) {
        for (const ElfSection& section : elf.sections) room_ += section.data.size();
    }

    /// Nothing if one of the section's addresses is not a variable's or, where `externals` lists them, that
    /// of a function in another module. The variables are listed; what they hold is for
    /// read_addresses_of_variables.
    std::optional<std::vector<CubinAddress>> addresses_in(std::size_t section, std::uint64_t from,
                                                          std::uint64_t bytes,
                                                          std::vector<CubinExternal>* externals = nullptr) {
        std::vector<CubinAddress> addresses;
        const auto found = relocations_.find(static_cast<std::uint32_t>(section));
        if (found == relocations_.end()) return addresses;
        auto each = std::lower_bound(
            found->second.begin(), found->second.end(), from,
            [](const ElfRelocation& relocation, std::uint64_t offset) { return relocation.offset < offset; });
        for (; each != found->second.end() && each->offset - from < bytes; ++each) {
            if ((each->type != address_of_64_bits && each->type != generic_address_of_64_bits) ||
                bytes - (each->offset - from) < address_bytes || !take(address_bytes))
                return std::nullopt;
            if (const auto external = externals ? external_function(*each) : std::nullopt) {
                externals->push_back({each->offset - from, *external});
                continue;
            }
            const auto variable = variable_of(each->symbol);
            if (!variable) return std::nullopt;
            addresses.push_back({each->offset - from, *variable, each->addend});
        }
        return addresses;
    }

    /// The addresses that the listed variables hold, also of those that are listed on the way; not by
    /// recursion, since a file may chain any number of variables. False if one is not a variable's.
    bool read_addresses_of_variables() {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const Place place = places_[i];  // the list grows
            auto addresses = addresses_in(place.section, place.offset, cubin_.variables[i].bytes);
            if (!addresses) return false;
            cubin_.variables[i].addresses = std::move(*addresses);
        }
        return true;
    }

    /// The places of a function's code that the linker fills in. Variables' addresses get a place at the end
    /// of constant bank 4.
    std::vector<CodeAddress> code_addresses_in(std::size_t section, std::string_view function,
                                               bool bank_is_known) {
        std::vector<CodeAddress> addresses;
        const auto found = relocations_.find(static_cast<std::uint32_t>(section));
        if (found == relocations_.end()) return addresses;
        for (const ElfRelocation& relocation : found->second) {
            CodeAddress& address = addresses.emplace_back();
            if (!take(sizeof(CodeAddress))) break;
            address.offset = relocation.offset / instruction_bytes * instruction_bytes;
            address.part = part_of(relocation.type);
            if (relocation.symbol >= elf_.symbols.size()) continue;
            const ElfSymbol& symbol = elf_.symbols[relocation.symbol];
            if (!take(symbol.name.size())) break;
            address.name = symbol.name;
            const std::int64_t addend = relocation.is_in_place ? 0 : relocation.addend;
            address.value = symbol.value + static_cast<std::uint64_t>(addend);
            if ((symbol.info & 0xf) == symbol_is_a_function) {
                address.of = symbol.name == function ? CodeAddress::Of::own_code : CodeAddress::Of::function;
            } else if (const auto variable = bank_is_known ? variable_of(relocation.symbol) : std::nullopt) {
                place_variable(address, *variable, addend);
            }
        }
        return addresses;
    }

  private:
    static CodeAddress::Part part_of(std::uint32_t type) {
        switch (type) {
            case code_low:
            case code_function_low:
                return CodeAddress::Part::low;
            case code_high:
            case code_function_high:
                return CodeAddress::Part::high;
            case code_callee:
            case code_callee_75:
                return CodeAddress::Part::callee;
            case code_bank_offset:
                return CodeAddress::Part::bank_offset;
            default:
                return CodeAddress::Part::not_known;
        }
    }

    void place_variable(CodeAddress& address, std::uint32_t variable, std::int64_t addend) {
        if (address.part == CodeAddress::Part::bank_offset) {
            if (cubin_.variables[variable].constant) address.of = CodeAddress::Of::variable;
            return;
        }
        const std::uint64_t at = (cubin_.address_bank.size() + 7) / 8 * 8;
        const auto [place, is_new] = in_bank_.try_emplace({variable, addend}, at);
        if (is_new) {
            if (at + address_bytes > most_bank_bytes || !take(address_bytes)) return;
            cubin_.address_bank.resize(at + address_bytes);
            cubin_.bank_addresses.push_back({at, variable, addend});
        }
        address.of = CodeAddress::Of::variable;
        address.value = place->second;
    }

    struct Place {
        std::size_t section = 0;   // index into ElfFile::sections
        std::uint64_t offset = 0;  // bytes from the section's beginning
    };

    /// Variables that overlap could hold more bytes and addresses than the file; a real file's do not.
    bool take(std::uint64_t bytes) {
        if (bytes > room_) return false;
        room_ -= bytes;
        return true;
    }

    std::optional<std::string> external_function(const ElfRelocation& relocation) {
        if (relocation.symbol >= elf_.symbols.size() || relocation.addend != 0) return std::nullopt;
        const ElfSymbol& symbol = elf_.symbols[relocation.symbol];
        if (symbol.section != no_section || (symbol.info & 0xf) != symbol_is_a_function ||
            symbol.name.empty() || !take(symbol.name.size()))
            return std::nullopt;
        return std::string(symbol.name);
    }

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
        CubinVariable variable;
        variable.name = symbol.name;
        variable.constant = constant;
        variable.offset = symbol.value;
        variable.bytes = symbol.size;
        if (symbol.value < section.data.size()) {
            if (!take(symbol.size)) return std::nullopt;
            variable.image = section.data.substr(symbol.value, symbol.size);
        }
        const auto index = static_cast<std::uint32_t>(cubin_.variables.size());
        by_symbol_.emplace(symbol_index, index);
        cubin_.variables.push_back(std::move(variable));
        places_.push_back({symbol.section, symbol.value});
        return index;
    }

    const ElfFile& elf_;
    Cubin& cubin_;
    std::map<std::uint32_t, std::vector<ElfRelocation>> relocations_;  // by section, in order
    std::map<std::uint32_t, std::uint32_t> by_symbol_;
    std::vector<Place> places_;                                                // of cubin_.variables
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint64_t> in_bank_;  // by variable and addend
    std::uint64_t room_ = 0;  // bytes of the file's sections that are not taken yet
};

constexpr std::string_view code_prefix = ".text.";

void read_code_addresses(const ElfFile& elf, VariableReader& reader, bool bank_is_known, Cubin& cubin) {
    std::map<std::string_view, std::size_t> sections;
    for (std::size_t i = 0; i < elf.sections.size(); ++i)
        if (elf.sections[i].name.starts_with(code_prefix))
            sections.emplace(elf.sections[i].name.substr(code_prefix.size()), i);
    for (CubinFunction& function : cubin.functions)
        if (const auto found = sections.find(function.name); found != sections.end())
            function.addresses = reader.code_addresses_in(found->second, function.name, bank_is_known);
}

}  // namespace

void read_variables(const ElfFile& elf, Cubin& cubin) {
    VariableReader reader(elf, cubin);
    std::optional<std::vector<CubinAddress>> in_bank, in_constants;
    std::vector<CubinExternal> externals;
    std::string_view bank;
    bool has_bank = false;
    for (std::size_t i = 0; i < elf.sections.size(); ++i) {
        const ElfSection& section = elf.sections[i];
        if (section.size > most_bank_bytes) continue;
        if (section.name == ".nv.constant3") in_constants = reader.addresses_in(i, 0, section.size);
        if (section.name != ".nv.constant4" || has_bank) continue;
        has_bank = true;
        in_bank = reader.addresses_in(i, 0, section.size, &externals);
        bank = section.data;
    }
    if (in_bank) {
        cubin.address_bank = bank;
        cubin.bank_addresses = std::move(*in_bank);
        cubin.bank_externals = std::move(externals);
    }
    read_code_addresses(elf, reader, in_bank || !has_bank, cubin);
    const bool known = reader.read_addresses_of_variables();
    if (in_constants && (known || in_constants->empty())) cubin.constant_addresses = std::move(*in_constants);
    else cubin.user_constants.clear();
    if (known) return;
    cubin.address_bank.clear();
    cubin.bank_addresses.clear();
    cubin.bank_externals.clear();
}

}  // namespace warplens::sass
