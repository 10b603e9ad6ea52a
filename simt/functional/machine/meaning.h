// What machine instructions compute: one row per instruction of sass/instructions, in tables by family. A row
// says how the instruction becomes operations of the engine. An instruction without a row is not executed.
#pragma once

#include <span>

#include "sass/instruction_table.h"

namespace warplens::simt {

class Lowering;

struct Meaning {
    sass::InstructionId id{};
    /// False: this form of it is not executed.
    bool (*lower)(Lowering&) = nullptr;
};

using Meanings = std::span<const Meaning>;
Meanings integer_meanings();
Meanings bit_meanings();
Meanings float_meanings();
Meanings conversion_meanings();
Meanings memory_meanings();
Meanings atomic_meanings();
Meanings copy_meanings();
Meanings move_meanings();
Meanings warp_meanings();
Meanings convergence_meanings();
Meanings tensor_meanings();
Meanings product_meanings();
Meanings texture_meanings();
Meanings special_meanings();
Meanings mbarrier_meanings();
Meanings half_meanings();
Meanings packed_meanings();
Meanings query_meanings();
Meanings packing_meanings();
Meanings blackwell_meanings();

/// nullptr when there is none.
const Meaning* find_meaning(sass::InstructionId id);

}  // namespace warplens::simt
