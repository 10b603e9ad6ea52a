// The opcode table: one row a base opcode (ptx/opcodes.def), with what sites of it are and which modifiers
// and types the PTX ISA gives it. It lists what an instruction may look like; what the CPU engine executes of
// it is the engine's own affair, see simt/functional/decode/refusals.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/program.h"
#include "ptx/module.h"

namespace warplens::ptx {

enum class OpcodeClass : std::uint8_t {
    control,
    barrier,
    warp,
    memory,
    atomic,
    async_copy,
    tensor,
    texture,
    move,
    compare,
    arithmetic,
    carry,
    bitwise,
    special_math,
    simd_in_word
};

struct OpcodeRow {
    std::string_view name;
    OpcodeClass opcode_class;
    SiteKind kind;               // of most forms; site_kind() knows the exceptions
    int results;                 // leading operands that are written
    std::string_view modifiers;  // words in any order, separated by blanks
    std::string_view types;      // likewise; empty: the opcode takes none
    std::string_view section;    // title in the PTX ISA
};

std::string_view to_string(OpcodeClass opcode_class);
std::span<const OpcodeRow> opcodes();
const OpcodeRow* find_opcode(std::string_view name);

/// Leading operands that this form writes: its row's, but for forms that only store (wmma.store) or wait
/// (bar.sync).
std::size_t result_count(const Instruction& instruction);

/// What makes the instruction differ from its row — "unknown opcode …", "modifier .x is not one of …" —
/// or nothing.
std::optional<std::string> explain_unlisted(const Instruction& instruction);

/// The kind of site that this form is: bar.warp.sync and bar.sync differ, as do cp.async and its waits.
SiteKind site_kind(const Instruction& instruction);

/// Whether a basic block ends after the instruction (see number_sites in ptx/program.h).
bool ends_basic_block(const Instruction& instruction);

/// Space of the access: the named one, none for generic or no access. `const` and `param::entry` count as
/// constant and param; cp.async reads global.
Space space_of(const Instruction& instruction);
Operation operation_of(const Instruction& instruction);
/// Bytes that one lane moves: vector width times the size of the type, cp.async's size operand, one row of
/// ldmatrix, one contiguous piece of a wmma fragment. 0 when the instruction does not access memory.
std::uint32_t bytes_per_lane(const Instruction& instruction);

}  // namespace warplens::ptx
