// Module: parsed PTX as plain data. The parser builds it, the printer writes it back (parse(print(m)) == m),
// passes rewrite it, the CPU engine decodes it. Nothing here executes or checks meaning: an instruction with
// an unknown opcode is kept as written and listed by the engine (simt::Kernel::unsupported).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/memory_space.h"
#include "ptx/types.h"

namespace warplens::ptx {

/// The line of a statement in the PTX text, 1-based. Not part of a module's identity.
struct PtxLine {
    std::uint32_t value = 0;
    friend constexpr bool operator==(PtxLine, PtxLine) { return true; }
};

/// A `.loc` directive: the source position of the instructions that follow. `function` names the inlined
/// callee's label, if any.
struct SourceLocation {
    std::uint32_t file = 0;  // number in Module::files; 0: no position
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string function_name;       // label[+offset] of `function_name`, empty unless inlined
    std::uint32_t inlined_file = 0;  // `inlined_at` position; 0 unless inlined
    std::uint32_t inlined_line = 0;
    std::uint32_t inlined_column = 0;
    friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

// ---- operands -------------------------------------------------------------------------------------------

/// A register, by index into Function::registers. Special registers are SpecialRegister.
struct RegisterOperand {
    std::uint32_t index = 0;
    friend bool operator==(const RegisterOperand&, const RegisterOperand&) = default;
};

/// A literal. Integers are kept as 64 two's-complement bits; floats ("0f3F800000", "0d…", "1.5") as the bits
/// of the width they were written in, so that NaNs survive. Equality is of value, not of spelling.
struct Immediate {
    enum class Kind : std::uint8_t { integer, f32_bits, f64_bits };
    Kind kind = Kind::integer;
    std::uint64_t bits = 0;
    friend bool operator==(const Immediate&, const Immediate&) = default;
};

/// %tid.x, %laneid, %clock64, WARP_SZ …, spelled as in the text without the percent sign.
struct SpecialRegister {
    std::string name;
    friend bool operator==(const SpecialRegister&, const SpecialRegister&) = default;
};

/// A variable's, parameter's or function's name used as a value (its address) or as a callee.
struct Symbol {
    std::string name;
    std::int64_t offset = 0;  // name+16
    bool is_generic = false;  // generic(name) in an initialiser: the generic address, not the space's own
    std::uint64_t mask = 0;   // 0xFF00(name) in an initialiser: one byte of the address; 0: all of it
    friend bool operator==(const Symbol&, const Symbol&) = default;
};

struct Label {
    std::string name;
    friend bool operator==(const Label&, const Label&) = default;
};

/// [base+offset]: the base is a register, a symbol, or an absolute immediate address.
struct Address {
    std::variant<RegisterOperand, Symbol, Immediate> base;
    std::int64_t offset = 0;
    friend bool operator==(const Address&, const Address&) = default;
};

/// `_`: a result that is discarded.
struct Sink {
    friend bool operator==(const Sink&, const Sink&) = default;
};

struct Operand;

/// {a, b, c, d}
struct Vector {
    std::vector<Operand> elements;
    friend bool operator==(const Vector&, const Vector&);
};

/// p|q: two results of setp, shfl or match.
struct Pair {
    std::vector<Operand> elements;  // exactly two
    friend bool operator==(const Pair&, const Pair&);
};

/// [texture, {coordinates}] and other bracketed lists, and the parenthesised lists of call.
struct List {
    char bracket = '[';  // '[' or '('
    std::vector<Operand> elements;
    friend bool operator==(const List&, const List&);
};

/// Bytes or halves of a register that a video instruction takes: %r1.b0, %r1.h10 ("PTX ISA: Scalar Video
/// Instructions"). Numbers count from the lowest, in the order written, so the highest part comes first.
struct RegisterPart {
    char unit = 0;  // 'b' byte, 'h' half; 0: the whole register
    std::uint8_t count = 0;
    std::array<std::uint8_t, 4> numbers{};
    friend bool operator==(const RegisterPart&, const RegisterPart&) = default;
};

struct Operand {
    std::variant<RegisterOperand, Immediate, SpecialRegister, Symbol, Label, Address, Vector, Pair, List,
                 Sink>
        value;
    bool negated = false;    // !p as a source predicate, -%r1 as a source of vmad
    RegisterPart part = {};  // of a RegisterOperand
    friend bool operator==(const Operand&, const Operand&) = default;
};

// ---- statements -----------------------------------------------------------------------------------------

struct Guard {
    std::uint32_t predicate = 0;  // register index
    bool negated = false;
    friend bool operator==(const Guard&, const Guard&) = default;
};

/// One instruction. `modifiers` are the dotted words that are neither a type nor a vector width, in the order
/// written
/// ("sync", "down", "global", "lo", "rn", "L2::128B"); treat them as a set — see has().
struct Instruction {
    std::string opcode;  // the word before the first dot: "ld", "cp", "mad"
    std::vector<std::string> modifiers;
    std::vector<Type> types;  // in the order written; most instructions have one, cvt two
    int vector_width = 1;     // 2, 4, 8 for .v2, .v4, .v8
    std::string spelling;     // the opcode with all its dotted words exactly as written: "ld.global.v4.f32"
    bool has_guard = false;
    Guard guard;
    std::vector<Operand> operands;
    /// Of a form that is not in the opcode table and whose operands have a syntax of their own: their text;
    /// `operands` are then the registers, variables and functions that it names, one after the other.
    std::string unread_operands;
    SourceLocation location;
    PtxLine ptx_line;

    bool has(std::string_view modifier) const;
    Type type(std::size_t index = 0) const { return index < types.size() ? types[index] : Type::none; }
    friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// A label at its position.
struct LabelStatement {
    std::string name;
    PtxLine ptx_line;
    friend bool operator==(const LabelStatement&, const LabelStatement&) = default;
};

/// Initialiser elements are immediates or symbols' addresses.
using InitialValue = std::variant<Immediate, Symbol>;

/// .global, .const, .shared, .local or .param storage.
struct VariableDeclaration {
    std::string name;
    Space space = Space::none;
    Type type = Type::none;
    int vector_width = 1;
    std::uint32_t alignment = 0;         // bytes; 0: that of the type
    std::vector<std::uint64_t> extents;  // [] scalar; {0} for `name[]`
    std::vector<InitialValue> initial;   // flattened; fewer than the extent: the rest is zero
    std::string linkage;                 // "", "visible", "extern", "weak", "common"
    bool is_pointer = false;             // .param .u64 .ptr
    std::string pointer_space;           // of .ptr: "", "global", …
    std::uint32_t pointer_alignment = 0;
    std::string attribute;               // the content of .attribute(…): ".managed"
    std::uint32_t functions_before = 0;  // module scope: how many of Module::functions precede it
    PtxLine ptx_line;

    std::uint64_t element_count() const;  // 1 for a scalar, 0 for an open extent
    std::uint64_t bytes() const;
    friend bool operator==(const VariableDeclaration&, const VariableDeclaration&) = default;
};

/// Braces inside a body open a scope; names in it are made unique by the parser, so that statements are a
/// flat list. The marks stay, so that the printer writes the scope back.
struct ScopeMark {
    bool opens = true;
    friend bool operator==(const ScopeMark&, const ScopeMark&) = default;
};

/// A directive kept as written for the printer and of no meaning to execution: .pragma, .callprototype, and a
/// .loc that no instruction follows before the next one (a link in a chain of inlined calls).
struct Directive {
    std::string text;
    PtxLine ptx_line;
    friend bool operator==(const Directive&, const Directive&) = default;
};

using Statement = std::variant<Instruction, LabelStatement, VariableDeclaration, ScopeMark, Directive>;

struct Register {
    std::string name;  // with its percent sign; unique in the function
    Type type = Type::none;
    friend bool operator==(const Register&, const Register&) = default;
};

struct Function {
    std::string name;
    bool is_entry = false;
    bool is_declaration = false;               // no body: .extern .func
    std::string linkage;                       // "", "visible", "extern", "weak"
    std::vector<VariableDeclaration> results;  // .func (…) name
    std::vector<VariableDeclaration> parameters;
    std::vector<std::string> performance_directives;  // ".maxntid 256, 1, 1", as written
    std::vector<Register> registers;
    std::vector<Statement> body;
    PtxLine ptx_line;
    friend bool operator==(const Function&, const Function&) = default;
};

struct FileEntry {
    std::uint32_t number = 0;
    std::string name;
    friend bool operator==(const FileEntry&, const FileEntry&) = default;
};

struct Module {
    std::string version;               // "9.0"
    std::vector<std::string> targets;  // {"sm_90"}
    int address_size = 64;
    std::vector<FileEntry> files;
    std::vector<VariableDeclaration> variables;  // module scope, in text order
    std::vector<Function> functions;             // in text order, declarations included
    std::vector<Directive> directives;           // module-scope text kept as written: .section, .alias …
    friend bool operator==(const Module&, const Module&) = default;

    const Function* find_function(std::string_view name) const;
    std::vector<const Function*> entries() const;
};

}  // namespace warplens::ptx
