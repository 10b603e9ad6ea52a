// Line tables: which source line, and which line of the PTX, an instruction comes from. Read from .debug_line
// and .nv_debug_line_sass, both DWARF 2 line number programs ("DWARF Debugging Information Format", Line
// Number Information), with NVIDIA's two opcodes for inlining.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/elf.h"

namespace warplens::sass {

struct LineRow {
    std::uint64_t offset = 0;      // of the first instruction, in bytes from the function's begin
    std::uint32_t file = 0;        // index into LineTables::files
    std::uint32_t line = 0;        // 1-based; 0: unknown
    std::uint32_t inlined_at = 0;  // 1-based index of the caller's row in the same vector; 0: not inlined

    bool operator==(const LineRow&) const = default;
};

struct LineTables {
    std::vector<std::string> files;
    std::map<std::string, std::vector<LineRow>, std::less<>> source, ptx;  // by function
};

/// A damaged table gives the rows before the damage.
LineTables read_line_tables(const ElfFile& elf);

/// The row that covers `offset`; null when none does.
const LineRow* find_line(const std::vector<LineRow>& rows, std::uint64_t offset);

}  // namespace warplens::sass
