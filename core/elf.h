// The sections and symbols of a 64-bit little-endian ELF file, which is what a cubin is. It looks at headers
// only and trusts nothing: data outside the file is empty or an error, never a crash. Layout: "Tool
// Interface Standard ELF" and the ELF-64 object file format.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warplens {

/// Little-endian number at `offset`; nothing beyond the end.
template <class Number>
std::optional<Number> number_at(std::string_view bytes, std::uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(Number)) return std::nullopt;
    Number number;
    std::memcpy(&number, bytes.data() + offset, sizeof(Number));
    return number;
}

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint64_t offset = 0, size = 0;
    std::uint32_t link = 0, info = 0;
    std::string_view data;  // empty when the file holds none
};

struct ElfSymbol {
    std::string_view name;
    std::uint8_t info = 0, other = 0;
    std::uint16_t section = 0;  // index into ElfFile::sections, unless it is one of ELF's special numbers
    std::uint64_t value = 0, size = 0;
};

/// A place in a section that gets a symbol's address when the file is loaded.
struct ElfRelocation {
    std::uint64_t offset = 0;  // bytes from the section's beginning
    std::uint32_t symbol = 0;  // index into ElfFile::symbols; may be out of range
    std::uint32_t type = 0;
    std::int64_t addend = 0;   // of a 64-bit place
    bool is_in_place = false;  // SHT_REL: the addend is what the 64-bit place holds
};

/// Views into the bytes that read_elf was given.
struct ElfFile {
    std::uint32_t flags = 0;
    std::uint8_t abi_version = 0;
    std::vector<ElfSection> sections;
    std::vector<ElfSymbol> symbols;  // of the first symbol table
};

/// By the index of the section that they are of, in the order of their offsets. Those of SHT_REL have no
/// addend of their own: it is what the place holds.
std::map<std::uint32_t, std::vector<ElfRelocation>> relocations_by_section(const ElfFile& elf);

/// `what` stands for the file in messages: "cubin". Sections that together have more than four times the
/// file's bytes are an error, so that what is copied from all of them is bounded; a real file's may overlap.
Result<ElfFile> read_elf(std::string_view bytes, std::string_view what);

}  // namespace warplens
