// InstructionDiff: two builds of a kernel compared instruction by instruction. Instructions are aligned by
// their form — opcode and kinds of operands — since the assembler numbers registers, and places branches,
// again in each build. Read app/scene/line_diff.h for the alignment.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"

namespace warplens::app {

struct InstructionPair {
    enum class Kind : std::uint8_t { same, operands, removed, added };  // operands: they differ
    Kind kind = Kind::same;
    SiteId before = no_index, after = no_index;  // no_index: not there

    friend bool operator==(const InstructionPair&, const InstructionPair&) = default;
};

struct InstructionDiff {
    std::vector<InstructionPair> pairs;  // in order; removed ones before the added ones of the same place
    std::map<std::string, std::pair<std::size_t, std::size_t>> opcodes;  // how often, before and after

    std::size_t count(InstructionPair::Kind kind) const;
};

InstructionDiff diff_instructions(const Program& before, const Program& after);

/// "@!P0 IMAD.WIDE R4, R2, 0x4, R8" -> "@!P IMAD.WIDE R, R, #, R"
std::string form_of(const Site& site);

}  // namespace warplens::app
