// Layout: ELF-64, little endian ("Tool Interface Standard ELF" and the ELF-64 object file format). NVIDIA's
// part is not published; it was checked to give what `ptxas -v` prints: section .nv.info is a run of records
// {u8 format, u8 attribute, u16 size or value}, followed by `size` bytes of payload when the format is 4.
#include "instrumentation/compile/cubin_reader.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace warplens::instrumentation {

namespace {

constexpr std::uint8_t format_with_payload = 4;
constexpr std::uint8_t attribute_registers = 0x2f;  // payload: u32 symbol index, u32 registers
constexpr std::uint8_t attribute_stack = 0x11;      // payload: u32 symbol index, u32 bytes
constexpr std::uint8_t symbol_is_kernel = 0x10;     // in st_other
constexpr std::uint8_t symbol_is_function = 2;      // STT_FUNC
constexpr std::string_view shared_section = ".nv.shared.";
constexpr std::string_view reserved_section = ".nv.shared.reserved.0";

struct Section {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint64_t offset = 0, size = 0;
    std::uint32_t link = 0;
    std::string_view data;  // empty when the file holds none
};

struct Symbol {
    std::string_view name;
    std::uint8_t info = 0, other = 0;
};

class Elf {
  public:
    explicit Elf(std::string_view bytes) : bytes_(bytes) {}

    /// Little-endian number at `offset`; nothing beyond the end.
    template <class Number>
    std::optional<Number> at(std::uint64_t offset) const {
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Number)) return std::nullopt;
        Number number;
        std::memcpy(&number, bytes_.data() + offset, sizeof(Number));
        return number;
    }

    std::string_view range(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size() || bytes_.size() - offset < size) return {};
        return bytes_.substr(offset, size);
    }

    static std::string_view text(std::string_view table, std::uint64_t offset) {
        if (offset >= table.size()) return {};
        const std::string_view rest = table.substr(offset);
        const std::size_t end = rest.find('\0');
        return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
    }

    Result<std::vector<Section>> sections() const {
        if (bytes_.substr(0, 6) != std::string_view("\x7f"
                                                    "ELF\x02\x01",
                                                    6)) {
            return fail("the cubin is no 64-bit little-endian ELF file");
        }
        const auto table = at<std::uint64_t>(0x28);
        const auto entry_size = at<std::uint16_t>(0x3a), count = at<std::uint16_t>(0x3c),
                   names_index = at<std::uint16_t>(0x3e);
        if (!table || !entry_size || !count || !names_index) return fail("the cubin ends within its header");
        if (*entry_size < 64) return fail("the cubin's section headers are too short");
        std::vector<Section> sections;
        std::vector<std::uint32_t> name_offsets;
        for (std::uint64_t i = 0; i < *count; ++i) {
            const std::string_view header = range(*table + i * *entry_size, 64);
            if (*table > bytes_.size() || header.size() != 64)
                return fail("the cubin's section table is cut off");
            const Elf fields(header);
            Section section;
            name_offsets.push_back(*fields.at<std::uint32_t>(0));
            section.type = *fields.at<std::uint32_t>(4);
            section.offset = *fields.at<std::uint64_t>(0x18);
            section.size = *fields.at<std::uint64_t>(0x20);
            section.link = *fields.at<std::uint32_t>(0x28);
            constexpr std::uint32_t no_bits = 8;  // SHT_NOBITS
            if (section.type != no_bits) section.data = range(section.offset, section.size);
            sections.push_back(section);
        }
        if (*names_index >= sections.size()) return fail("the cubin's section names are missing");
        for (std::size_t i = 0; i < sections.size(); ++i) {
            sections[i].name = text(sections[*names_index].data, name_offsets[i]);
        }
        return sections;
    }

  private:
    std::string_view bytes_;
};

std::vector<Symbol> symbols_of(const std::vector<Section>& sections) {
    constexpr std::uint32_t symbol_table = 2;  // SHT_SYMTAB
    constexpr std::uint64_t entry_size = 24;
    std::vector<Symbol> symbols;
    for (const Section& section : sections) {
        if (section.type != symbol_table || section.link >= sections.size()) continue;
        const Elf data(section.data);
        for (std::uint64_t at = 0; at + entry_size <= section.data.size(); at += entry_size) {
            symbols.push_back({Elf::text(sections[section.link].data, *data.at<std::uint32_t>(at)),
                               *data.at<std::uint8_t>(at + 4), *data.at<std::uint8_t>(at + 5)});
        }
        break;
    }
    return symbols;
}

/// Calls visit(attribute, symbol index, value) for every record that gives a function a number.
template <class Visit>
void for_each_record(std::string_view info, Visit&& visit) {
    const Elf data(info);
    std::uint64_t at = 0;
    while (at + 4 <= info.size()) {
        const std::uint8_t format = *data.at<std::uint8_t>(at), attribute = *data.at<std::uint8_t>(at + 1);
        const std::uint16_t size = *data.at<std::uint16_t>(at + 2);
        at += 4;
        if (format != format_with_payload) continue;
        const auto symbol = data.at<std::uint32_t>(at), value = data.at<std::uint32_t>(at + 4);
        if (size >= 8 && symbol && value) visit(attribute, *symbol, *value);
        at += size;
    }
}

}  // namespace

Result<std::map<std::string, EntryResources>> read_cubin(std::string_view cubin) {
    const auto sections = Elf(cubin).sections();
    if (!sections) return tl::unexpected(sections.error());
    const std::vector<Symbol> symbols = symbols_of(*sections);
    // From compute capability 9.0 on the system keeps some shared memory of every block, and the sections of
    // the kernels include it.
    constexpr std::uint64_t reserved_bytes = 1024;
    bool reserves = false;
    for (const Section& section : *sections) reserves = reserves || section.name == reserved_section;

    std::map<std::string, EntryResources> entries;
    const auto is_kernel = [&](std::uint32_t index) {
        return index < symbols.size() && (symbols[index].info & 0xf) == symbol_is_function &&
               (symbols[index].other & symbol_is_kernel) && !symbols[index].name.empty();
    };
    for (const Section& section : *sections) {
        if (section.name != ".nv.info") continue;
        for_each_record(section.data, [&](std::uint8_t attribute, std::uint32_t symbol, std::uint32_t value) {
            if (!is_kernel(symbol)) return;
            EntryResources& entry = entries[std::string(symbols[symbol].name)];
            if (attribute == attribute_registers) entry.registers_per_thread = value;
            if (attribute == attribute_stack) entry.stack_bytes = value;
        });
    }
    for (const Section& section : *sections) {
        if (section.name.substr(0, shared_section.size()) != shared_section) continue;
        const auto entry = entries.find(std::string(section.name.substr(shared_section.size())));
        if (entry == entries.end()) continue;
        const std::uint64_t reserved = reserves ? reserved_bytes : 0;
        if (section.size > (1u << 20)) return fail("the cubin's shared memory section is damaged");
        entry->second.shared_static_bytes =
            static_cast<std::uint32_t>(section.size > reserved ? section.size - reserved : 0);
    }
    if (entries.empty()) return fail("the cubin holds no kernel");
    return entries;
}

}  // namespace warplens::instrumentation
