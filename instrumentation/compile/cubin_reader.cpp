// NVIDIA's part of the layout is not published; it was checked to give what `ptxas -v` prints: section
// .nv.info is a run of records {u8 format, u8 attribute, u16 size or value}, followed by `size` bytes of
// payload when the format is 4.
#include "instrumentation/compile/cubin_reader.h"

#include <cstdint>

#include "core/elf.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint8_t format_with_payload = 4;
constexpr std::uint8_t attribute_registers = 0x2f;  // payload: u32 symbol index, u32 registers
constexpr std::uint8_t attribute_stack = 0x11;      // payload: u32 symbol index, u32 bytes
constexpr std::uint8_t symbol_is_kernel = 0x10;     // in st_other
constexpr std::uint8_t symbol_is_function = 2;      // STT_FUNC
constexpr std::string_view shared_section = ".nv.shared.";
constexpr std::string_view reserved_section = ".nv.shared.reserved.0";

/// Calls visit(attribute, symbol index, value) for every record that gives a function a number.
template <class Visit>
void for_each_record(std::string_view info, Visit&& visit) {
    std::uint64_t at = 0;
    while (at + 4 <= info.size()) {
        const std::uint8_t format = *number_at<std::uint8_t>(info, at),
                           attribute = *number_at<std::uint8_t>(info, at + 1);
        const std::uint16_t size = *number_at<std::uint16_t>(info, at + 2);
        at += 4;
        if (format != format_with_payload) continue;
        const auto symbol = number_at<std::uint32_t>(info, at),
                   value = number_at<std::uint32_t>(info, at + 4);
        if (size >= 8 && symbol && value) visit(attribute, *symbol, *value);
        at += size;
    }
}

}  // namespace

Result<std::map<std::string, EntryResources>> read_cubin(std::string_view cubin) {
    WARPLENS_TRY(const auto elf, read_elf(cubin, "cubin"));
    const auto& sections = elf.sections;
    const auto& symbols = elf.symbols;
    // From compute capability 9.0 on the system keeps some shared memory of every block, and the sections of
    // the kernels include it.
    constexpr std::uint64_t reserved_bytes = 1024;
    bool reserves = false;
    for (const ElfSection& section : sections) reserves = reserves || section.name == reserved_section;

    std::map<std::string, EntryResources> entries;
    const auto is_kernel = [&](std::uint32_t index) {
        return index < symbols.size() && (symbols[index].info & 0xf) == symbol_is_function &&
               (symbols[index].other & symbol_is_kernel) && !symbols[index].name.empty();
    };
    for (const ElfSection& section : sections) {
        if (section.name != ".nv.info") continue;
        for_each_record(section.data, [&](std::uint8_t attribute, std::uint32_t symbol, std::uint32_t value) {
            if (!is_kernel(symbol)) return;
            EntryResources& entry = entries[std::string(symbols[symbol].name)];
            if (attribute == attribute_registers) entry.registers_per_thread = value;
            if (attribute == attribute_stack) entry.stack_bytes = value;
        });
    }
    for (const ElfSection& section : sections) {
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
