// The columns of the instruction table as written in sass/instructions/*.def, parsed into typed fields once.
//
// Modifiers: `NAME@bit` is a flag, printed when the bit is set (`!NAME@bit`: when it is not); `kind@bit` is
// an enumeration of sass/modifiers.def; `76.1+80.1` are bits of one number, lowest first; a field is as wide
// as its kind needs. Operands, in printed order; `>` marks a destination:
//   R24 U32      general and uniform register at that bit     P81 V81     predicate and uniform predicate
//   P87!         predicate with its negation three bits up    I54.4 S40.24 unsigned, signed immediate
//   W B C        the operand of the 32-bit slot; second and third operand as the form of the encoding says
//   wu bu cu     the same with uniform registers              kind@61     keyword of an enumeration
//   K T32.32*1   constant c[][] of LDC; branch target (field, unit in bytes), relative to the next
//   instruction SR72 BAR24   special register, convergence barrier        [r24,u32,...] address, see
//   AddressFields
// Suffixes: /n /a /i negate, absolute, invert at the slot's own bits, or at a given bit (/n72); /f /d /h /b
// the number is float32, float64, half2, bfloat2; /s signed integer; /z<kind>@bit names of register halves;
// ^7 not printed when the field is 7; ?74 and ?!74 only there when the bit is set, or is not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "sass/instruction.h"

namespace warplens::sass {

struct ModifierKind {
    std::string_view name;
    unsigned bits = 0;
    std::vector<std::string_view> values;  // "-": printed as nothing; "?": not an instruction
};

const ModifierKind* find_modifier_kind(std::string_view name);

struct Condition {
    std::uint8_t bit = 0;
    bool wanted = true;
};

struct ModifierSpec {
    std::string_view name;               // of the flag or of the kind
    const ModifierKind* kind = nullptr;  // null: a flag
    bool printed_when_clear = false;
    BitField field;
    std::vector<Condition> conditions;
};

/// Where the parts of an address are: r register, u uniform register, x the bit that says that u is there
/// (always when missing), o 24-bit offset, O offset in place of u and o when x is clear, s scale, w the
/// register is 64 bits wide, d descriptor, D descriptor always.
struct AddressFields {
    std::int16_t general = -1, uniform = -1, has_uniform = -1, offset = -1, scale = -1, wide = -1,
                 descriptor = -1;
    std::uint8_t offset_bits = 24;
    bool wide_offset = false;        // without the uniform register the offset is 32 bits from its place on
    bool always_wide = false;        // R2.64 whatever the bits
    bool keep_zero = false;          // prints RZ even with other parts
    bool hide_uniform_zero = false;  // does not print URZ
};

struct OperandSpec {
    OperandKind kind = OperandKind::immediate;
    NumberType number = NumberType::bits;
    std::int16_t bfloat = -1;  // the bit that makes a half2 a bfloat2
    bool destination = false;
    bool sign = false;           // immediate: two's complement
    bool follows_blank = false;  // printed after a blank instead of a comma
    bool complemented = false;   // predicate: the field holds 7 minus its number
    bool as_descriptor = false;  // uniform register printed as desc[UR4]
    bool spaced = false;         // constant: "c[0x0] [0x4]", as half precision prints it
    BitField field;
    std::int16_t negate = -1, absolute = -1, invert = -1;  // bits; -1: none
    std::int16_t reuse = -1;
    const ModifierKind* names = nullptr;    // keyword
    const ModifierKind* swizzle = nullptr;  // and where it is:
    BitField swizzle_field;
    std::uint8_t unit = 1;  // target
    bool has_hidden = false;
    std::uint64_t hidden = 0;  // the field's value (with a predicate's negation on top) that is not printed
    AddressFields address;
    std::vector<Condition> conditions;
    std::string_view prefix, suffix;  // text around it
};

/// Whether all of them hold.
bool hold(const std::vector<Condition>& conditions, const Encoding& encoding);

/// "?74?!73"
Result<std::vector<Condition>> parse_conditions(std::string_view text);
Result<std::vector<ModifierSpec>> parse_modifiers(std::string_view text);
/// For the form in bits 9 to 11: it decides what W, B and C are.
Result<std::vector<OperandSpec>> parse_operands(std::string_view text, unsigned form);

}  // namespace warplens::sass
