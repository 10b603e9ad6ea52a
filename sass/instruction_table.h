// The instruction table: one row per machine instruction, Volta to Blackwell, from
// sass/instructions/*.def. A row gives the opcode's bits, the generations that have it, the pipe, its
// modifiers and operands (sass/row_language.h) and a short description.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "sass/encoding.h"
#include "sass/row_language.h"

namespace warplens::sass {

/// The execution unit to which an instruction is issued. `uniform` instructions run once per warp and are
/// guarded by uniform predicates.
enum class Pipe : std::uint8_t {
    fma,
    alu,
    fp16,
    fp64,
    special,
    tensor,
    load_store,
    texture,
    uniform,
    control
};

enum class InstructionId : std::uint16_t {
#define SASS(id, ...) id,
#include "sass/instructions/all.def"
#undef SASS
};

struct Row {
    InstructionId id{};
    std::string_view id_name;
    std::uint16_t opcode = 0;  // bits 0 to 8
    std::string_view forms;    // values of bits 9 to 11 that exist: "1,4,5"; "1?81": only when bit 81 is set
    std::uint16_t first_sm = 0, last_sm = 0;  // compute capability times ten
    std::string_view mnemonic;                // with the modifiers that it always has: "LOP3.LUT"
    Pipe pipe = Pipe::control;
    std::string_view modifiers_text, operands_text, meaning;

    std::vector<Condition> conditions;
    std::vector<ModifierSpec> modifiers;
    std::array<std::vector<OperandSpec>, 8> operands;  // by form
};

std::span<const Row> rows();

/// The row for an encoding on that target; null when there is none.
const Row* find_row(const Encoding& encoding, int sm);

/// The errors in the table's text, if any; for a test.
Status check_table();

std::string_view to_string(Pipe pipe);

}  // namespace warplens::sass
