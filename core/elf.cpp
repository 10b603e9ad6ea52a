#include "core/elf.h"

#include <algorithm>

namespace warplens {

namespace {

// SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_REL
constexpr std::uint32_t symbol_table = 2, relocations = 4, no_bits = 8, relocations_without_addend = 9;
constexpr std::uint64_t header_bytes = 64, symbol_bytes = 24, relocation_bytes = 24;

std::string_view range(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size() || bytes.size() - offset < size) return {};
    return bytes.substr(offset, size);
}

std::string_view text_at(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) return {};
    const std::string_view rest = table.substr(offset);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

std::vector<ElfSymbol> symbols_of(const std::vector<ElfSection>& sections) {
    std::vector<ElfSymbol> symbols;
    for (const ElfSection& section : sections) {
        if (section.type != symbol_table || section.link >= sections.size()) continue;
        const std::string_view data = section.data;
        for (std::uint64_t at = 0; at + symbol_bytes <= data.size(); at += symbol_bytes) {
            ElfSymbol symbol;
            symbol.name = text_at(sections[section.link].data, *number_at<std::uint32_t>(data, at));
            symbol.info = *number_at<std::uint8_t>(data, at + 4);
            symbol.other = *number_at<std::uint8_t>(data, at + 5);
            symbol.section = *number_at<std::uint16_t>(data, at + 6);
            symbol.value = *number_at<std::uint64_t>(data, at + 8);
            symbol.size = *number_at<std::uint64_t>(data, at + 16);
            symbols.push_back(symbol);
        }
        break;
    }
    return symbols;
}

}  // namespace

std::map<std::uint32_t, std::vector<ElfRelocation>> relocations_by_section(const ElfFile& elf) {
    std::map<std::uint32_t, std::vector<ElfRelocation>> found;
    for (const ElfSection& table : elf.sections) {
        const bool own_addend = table.type == relocations;
        if (!own_addend && table.type != relocations_without_addend) continue;
        const std::string_view place =
            table.info < elf.sections.size() ? elf.sections[table.info].data : std::string_view();
        const std::uint64_t bytes = own_addend ? relocation_bytes : relocation_bytes - 8;
        std::vector<ElfRelocation>& list = found[table.info];
        for (std::uint64_t at = 0; at + bytes <= table.data.size(); at += bytes) {
            const std::uint64_t offset = *number_at<std::uint64_t>(table.data, at),
                                info = *number_at<std::uint64_t>(table.data, at + 8);
            const auto addend = own_addend ? number_at<std::int64_t>(table.data, at + 16)
                                           : number_at<std::int64_t>(place, offset);
            list.push_back({offset, static_cast<std::uint32_t>(info >> 32), static_cast<std::uint32_t>(info),
                            addend.value_or(0), !own_addend});
        }
    }
    for (auto& [section, list] : found)
        std::stable_sort(list.begin(), list.end(),
                         [](const ElfRelocation& a, const ElfRelocation& b) { return a.offset < b.offset; });
    return found;
}

/// Real sections share some bytes, as names do; a hostile file's could each be the whole file.
constexpr std::uint64_t most_overlap = 4;

Result<ElfFile> read_elf(std::string_view bytes, std::string_view what) {
    if (bytes.substr(0, 6) != std::string_view("\x7f"
                                               "ELF\x02\x01",
                                               6)) {
        return fail("the {} is not a 64-bit little-endian ELF file", what);
    }
    const auto table = number_at<std::uint64_t>(bytes, 0x28);
    const auto entry_size = number_at<std::uint16_t>(bytes, 0x3a),
               count = number_at<std::uint16_t>(bytes, 0x3c),
               names_index = number_at<std::uint16_t>(bytes, 0x3e);
    if (!table || !entry_size || !count || !names_index)
        return fail("the {} has {} bytes and ends within its header of {}", what, bytes.size(), header_bytes);
    if (*entry_size < header_bytes)
        return fail("the {}'s section headers have {} bytes each (at byte 0x3a); {} is the least", what,
                    *entry_size, header_bytes);
    ElfFile file;
    file.flags = *number_at<std::uint32_t>(bytes, 0x30);
    file.abi_version = *number_at<std::uint8_t>(bytes, 8);
    std::vector<std::uint32_t> name_offsets;
    std::uint64_t section_bytes = 0;  // each is at most the file's size, and there are at most 65535
    for (std::uint64_t i = 0; i < *count; ++i) {
        const std::string_view header = range(bytes, *table + i * *entry_size, header_bytes);
        if (*table > bytes.size() || header.size() != header_bytes)
            return fail(
                "the {}'s section table, {} entries of {} bytes at byte {}, is cut off: the file has {} "
                "bytes",
                what, *count, *entry_size, *table, bytes.size());
        ElfSection section;
        name_offsets.push_back(*number_at<std::uint32_t>(header, 0));
        section.type = *number_at<std::uint32_t>(header, 4);
        section.offset = *number_at<std::uint64_t>(header, 0x18);
        section.size = *number_at<std::uint64_t>(header, 0x20);
        section.link = *number_at<std::uint32_t>(header, 0x28);
        section.info = *number_at<std::uint32_t>(header, 0x2c);
        if (section.type != no_bits) section.data = range(bytes, section.offset, section.size);
        section_bytes += section.data.size();
        file.sections.push_back(section);
    }
    if (section_bytes / most_overlap > bytes.size())
        return fail("the {}'s sections overlap: they have {} bytes, the file has {}", what, section_bytes,
                    bytes.size());
    if (*names_index >= file.sections.size())
        return fail("the {}'s section names are missing: they are section {} of {} (at byte 0x3e)", what,
                    *names_index, file.sections.size());
    for (std::size_t i = 0; i < file.sections.size(); ++i)
        file.sections[i].name = text_at(file.sections[*names_index].data, name_offsets[i]);
    file.symbols = symbols_of(file.sections);
    return file;
}

}  // namespace warplens
