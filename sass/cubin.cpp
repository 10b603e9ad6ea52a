// NVIDIA's part of the ELF file is not documented. It was compared with the output of nvdisasm and `ptxas
// -v`: section .text.NAME is a function's code, .nv.info and .nv.info.NAME are runs of records {u8 format, u8
// attribute, u16 size or value}, followed by `size` bytes of payload when the format is 4.
#include "sass/cubin.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/elf.h"
#include "sass/cubin_variables.h"
#include "sass/decoder.h"

namespace warplens::sass {

namespace {

constexpr std::uint8_t format_with_payload = 4;
constexpr std::uint8_t attribute_largest_block = 0x05;   // u32 x, y, z
constexpr std::uint8_t attribute_exact_block = 0x10;     // the same
constexpr std::uint8_t attribute_cluster = 0x3d;         // the same
constexpr std::uint8_t attribute_parameter_bank = 0x0a;  // u32 symbol, u16 offset, u16 bytes
constexpr std::uint8_t attribute_stack = 0x11;           // u32 symbol, u32 bytes
constexpr std::uint8_t attribute_parameter = 0x17;       // u32, u16 ordinal, u16 offset, u32 bytes << 18
// Runs of u32 offset, u32, u32 count, and so many u32 offsets:
constexpr std::uint8_t attribute_indirect_targets = 0x34;
constexpr std::uint8_t attribute_registers = 0x2f;  // u32 symbol, u32 registers
constexpr std::uint8_t symbol_is_kernel = 0x10;     // in st_other
constexpr std::uint8_t symbol_is_function = 2;      // STT_FUNC
constexpr std::uint8_t abi_with_wide_flags = 8;
constexpr std::string_view text_prefix = ".text.", info_prefix = ".nv.info.", shared_prefix = ".nv.shared.",
                           constants_prefix = ".nv.constant2.", user_constants = ".nv.constant3";
constexpr std::uint64_t most_shared_bytes = 1u << 20, reserved_shared_bytes = 1024;

template <class Visit>
void for_each_record(std::string_view info, Visit&& visit) {
    std::uint64_t at = 0;
    while (at + 4 <= info.size()) {
        const auto format = *number_at<std::uint8_t>(info, at),
                   attribute = *number_at<std::uint8_t>(info, at + 1);
        const auto size = *number_at<std::uint16_t>(info, at + 2);
        at += 4;
        if (format != format_with_payload) continue;
        if (at + size > info.size()) return;
        visit(attribute, info.substr(at, size));
        at += size;
    }
}

void read_indirect_branches(std::string_view payload, CubinFunction& function) {
    std::uint64_t at = 0;
    const auto word = [&] { return number_at<std::uint32_t>(payload, std::exchange(at, at + 4)); };
    while (at + 12 <= payload.size()) {
        IndirectBranch branch;
        branch.offset = *word();
        at += 4;
        for (std::uint32_t left = *word(); left > 0 && at + 4 <= payload.size(); --left)
            branch.targets.push_back(*word());
        function.indirect_branches.push_back(std::move(branch));
    }
}

std::optional<Dim3> extent_in(std::string_view payload) {
    const auto x = number_at<std::uint32_t>(payload, 0), y = number_at<std::uint32_t>(payload, 4),
               z = number_at<std::uint32_t>(payload, 8);
    return x && y && z && *x > 0 && *y > 0 && *z > 0 ? std::optional<Dim3>({*x, *y, *z}) : std::nullopt;
}

void read_function_info(std::string_view info, CubinFunction& function) {
    for_each_record(info, [&](std::uint8_t attribute, std::string_view payload) {
        if (attribute == attribute_indirect_targets) read_indirect_branches(payload, function);
        if (attribute == attribute_largest_block) function.largest_block = extent_in(payload);
        if (attribute == attribute_exact_block) function.exact_block = extent_in(payload);
        if (attribute == attribute_cluster) function.cluster = extent_in(payload);
        if (attribute == attribute_parameter_bank && payload.size() >= 8)
            function.parameter_base = *number_at<std::uint16_t>(payload, 4);
        if (attribute != attribute_parameter || payload.size() < 12) return;
        CubinParameter parameter;
        parameter.ordinal = *number_at<std::uint16_t>(payload, 4);
        parameter.offset = *number_at<std::uint16_t>(payload, 6);
        parameter.bytes = *number_at<std::uint32_t>(payload, 8) >> 18;
        function.parameters.push_back(parameter);
    });
    std::sort(function.parameters.begin(), function.parameters.end(),
              [](const CubinParameter& a, const CubinParameter& b) { return a.ordinal < b.ordinal; });
}

/// Compute capability times ten, from the file's flags; the newer layout keeps it in the second byte.
int target_of(const ElfFile& elf) {
    return static_cast<int>(elf.abi_version >= abi_with_wide_flags ? elf.flags >> 8 & 0xff
                                                                   : elf.flags & 0xff);
}

void read_resources(const ElfFile& elf, std::map<std::string_view, CubinFunction*>& by_name) {
    bool reserves = false;
    for (const ElfSection& section : elf.sections) reserves |= section.name == ".nv.shared.reserved.0";
    const auto function_of = [&](std::string_view name) -> CubinFunction* {
        const auto found = by_name.find(name);
        return found == by_name.end() ? nullptr : found->second;
    };
    for (const ElfSection& section : elf.sections) {
        if (section.name == ".nv.info") {
            for_each_record(section.data, [&](std::uint8_t attribute, std::string_view payload) {
                const auto symbol = number_at<std::uint32_t>(payload, 0),
                           value = number_at<std::uint32_t>(payload, 4);
                if (!symbol || !value || *symbol >= elf.symbols.size()) return;
                CubinFunction* function = function_of(elf.symbols[*symbol].name);
                if (function && attribute == attribute_registers) function->registers_per_thread = *value;
                if (function && attribute == attribute_stack) function->stack_bytes = *value;
            });
        } else if (section.name.starts_with(info_prefix)) {
            if (CubinFunction* function = function_of(section.name.substr(info_prefix.size())))
                read_function_info(section.data, *function);
        } else if (section.name.starts_with(constants_prefix)) {
            if (CubinFunction* function = function_of(section.name.substr(constants_prefix.size())))
                function->constants = section.data;
        } else if (section.name.starts_with(shared_prefix) && section.size <= most_shared_bytes) {
            CubinFunction* function = function_of(section.name.substr(shared_prefix.size()));
            const std::uint64_t reserved = reserves ? reserved_shared_bytes : 0;
            if (function && section.size > reserved)
                function->shared_static_bytes = static_cast<std::uint32_t>(section.size - reserved);
        }
    }
}

}  // namespace

const CubinFunction* Cubin::find(std::string_view name) const {
    for (const CubinFunction& function : functions)
        if (function.name == name) return &function;
    return nullptr;
}

Result<Cubin> read_cubin(std::string_view bytes) {
    WARPLENS_TRY(const auto elf, read_elf(bytes, "cubin"));
    Cubin cubin;
    cubin.sm = target_of(elf);
    if (!is_known_target(cubin.sm))
        return fail("the cubin is for sm_{}, whose machine code is not known; sm_70 to sm_121 is", cubin.sm);
    std::map<std::size_t, std::size_t> by_section;  // a function's section to its place in the list
    for (std::size_t i = 0; i < elf.sections.size(); ++i) {
        const ElfSection& section = elf.sections[i];
        if (!section.name.starts_with(text_prefix)) continue;
        if (section.data.size() != section.size)
            return fail("the code of {} at byte {} ends before its {} bytes", section.name, section.offset,
                        section.size);
        if (section.size % instruction_bytes != 0)
            return fail("the code of {} at byte {} has {} bytes, which is not a multiple of {}", section.name,
                        section.offset, section.size, instruction_bytes);
        CubinFunction function;
        function.name = section.name.substr(text_prefix.size());
        function.code = section.data;
        by_section[i] = cubin.functions.size();
        cubin.functions.push_back(std::move(function));
    }
    if (cubin.functions.empty())
        return fail("the cubin holds no machine code: none of its {} sections is named {}KERNEL",
                    elf.sections.size(), text_prefix);
    for (const ElfSymbol& symbol : elf.symbols) {
        const auto found = by_section.find(symbol.section);
        if (found == by_section.end() || (symbol.info & 0xf) != symbol_is_function) continue;
        CubinFunction& function = cubin.functions[found->second];
        if (symbol.name == function.name) function.kernel = (symbol.other & symbol_is_kernel) != 0;
    }
    std::map<std::string_view, CubinFunction*> by_name;
    for (CubinFunction& function : cubin.functions) by_name[function.name] = &function;
    read_resources(elf, by_name);

    for (const ElfSection& section : elf.sections)
        if (section.name == user_constants) cubin.user_constants = section.data;
    read_variables(elf, cubin);

    LineTables lines = read_line_tables(elf);
    cubin.files = std::move(lines.files);
    for (CubinFunction& function : cubin.functions) {
        if (const auto found = lines.source.find(function.name); found != lines.source.end())
            function.source_lines = std::move(found->second);
        if (const auto found = lines.ptx.find(function.name); found != lines.ptx.end())
            function.ptx_lines = std::move(found->second);
    }
    return cubin;
}

}  // namespace warplens::sass
