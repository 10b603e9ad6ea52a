// Instruction: one decoded machine instruction as typed fields: guard, opcode, modifiers, operands and the
// control fields that the assembler sets for the scheduler. It is what the printer prints and what an engine
// executes; it holds no text. decode() in sass/decoder.h makes it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sass/encoding.h"

namespace warplens::sass {

struct Row;           // sass/instruction_table.h
struct OperandSpec;   // sass/row_language.h
struct ModifierSpec;  // sass/row_language.h

enum class OperandKind : std::uint8_t {
    general_register,     // index; 255 is RZ
    uniform_register,     // index; the generation's last one is URZ
    predicate,            // index; 7 is PT
    uniform_predicate,    // index; 7 is UPT
    immediate,            // value
    constant,             // c[bank][register + value], or cx[uniform][value]
    address,              // [register + uniform + value]
    target,               // value: byte offset in the function
    special_register,     // index
    convergence_barrier,  // index: B0 to B15
    scoreboard,           // index: SB0 to SB7
    scoreboards,          // value: mask
    keyword,              // value: one of the names of its kind
};

/// How the value of an immediate, and the content of a register or a constant, is read.
enum class NumberType : std::uint8_t { bits, integer, float32, float64, half2, bfloat2 };

inline constexpr std::uint16_t register_zero = 255;   // RZ
inline constexpr std::uint16_t predicate_true = 7;    // PT and UPT
inline constexpr std::uint16_t no_register = 0xffff;  // an address without that part

struct Operand {
    OperandKind kind = OperandKind::immediate;
    NumberType number = NumberType::bits;
    bool destination = false;
    bool negated = false;  // arithmetically; for a predicate logically
    bool absolute = false;
    bool inverted = false;       // bitwise
    bool reuse = false;          // the register cache keeps the value
    bool wide_register = false;  // address: the register is a pair, 64 bits
    bool descriptor = false;     // address: the uniform register holds a memory descriptor
    bool descriptor_shown =
        false;                 // the disassembler prints it, desc[UR]; before Hopper only when bit 101 is set
    std::uint8_t scale = 1;    // address: the register counts as many bytes
    std::uint8_t swizzle = 0;  // which halves of the register; names by the operand's row
    std::uint8_t bank = 0;     // constant
    std::uint16_t index = no_register;    // register, predicate, barrier; an address' or constant's register
    std::uint16_t uniform = no_register;  // an address' or constant's uniform register
    std::int64_t value = 0;               // immediate, offset, target, mask
    const OperandSpec* spec = nullptr;    // the column of the row that it was decoded by

    bool operator==(const Operand&) const = default;
};

struct Modifier {
    const ModifierSpec* spec = nullptr;
    std::uint8_t value = 0;

    bool operator==(const Modifier&) const = default;
};

/// The assembler's directions to the scheduler, bits 105 to 125.
struct Control {
    std::uint8_t stall = 0;             // cycles until the warp may issue again
    bool yield = false;                 // the scheduler may prefer another warp
    std::uint8_t write_scoreboard = 7;  // counts down when the result is written; 7 is none
    std::uint8_t read_scoreboard = 7;   // counts down when the sources were read; 7 is none
    std::uint8_t wait_mask = 0;         // scoreboards that must be zero before issue
    std::uint8_t reuse = 0;             // one bit per source register slot

    bool operator==(const Control&) const = default;
};

struct Instruction {
    Encoding encoding;
    const Row* row = nullptr;  // null: not in the table
    std::uint8_t guard = predicate_true;
    bool guard_negated = false;
    bool guard_uniform = false;
    Control control;
    std::vector<Modifier> modifiers;
    std::vector<Operand> operands;

    bool known() const { return row != nullptr; }
    /// The value of the modifier of that name: 1 for a flag that is set ("SAT"), the number of an enumeration
    /// ("round"); 0 when the instruction has none.
    unsigned modifier(std::string_view name) const;

    bool operator==(const Instruction&) const = default;
};

Control control_of(const Encoding& encoding);

}  // namespace warplens::sass
