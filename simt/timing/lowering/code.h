// Code: one function of a kernel while it is lowered, between PTX and machine operations: PTX instructions
// with their operands resolved to values, in the trace's basic blocks. The passes of this folder rewrite it
// in the order of lower.cpp; select_operations.h turns what is left into machine operations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "ptx/module.h"

namespace warplens::simt::lowering {

using Value = std::uint32_t;  // index into Code::values
inline constexpr Value no_value = 0xffffffffu;

enum class ValueKind : std::uint8_t {
    computed,  // a PTX register, or what an expansion keeps in between
    constant,  // read from the constant bank: a parameter, %ntid, %nctaid
    special,   // %tid, %ctaid, %laneid: read once by an instruction of its own
    shared,    // the address of a shared variable
    symbol,    // another variable's address, a function's
};

struct ValueInfo {
    ValueKind kind = ValueKind::computed;
    ptx::Type type = ptx::Type::none;
    std::string name;              // parameter, special register or symbol
    std::int32_t definitions = 0;  // operations that fill it; kept by count_uses()
    std::int32_t uses = 0;         // operands that read it; likewise
    std::int32_t block = -1;       // of Code::blocks, and operation in it: the definition
    bool guards = false;           // some operation but a branch is predicated on it
    std::int32_t operation = -1;   //   when there is one
};

struct MemoryAddress {
    std::int64_t offset = 0;  // bytes, from the sum of the operation's address values
    Space space = Space::none;
    std::uint32_t bytes = 0;  // a lane
};

/// One PTX instruction, or several folded into one.
struct Operation {
    SiteId site = 0;
    /// The PTX opcode, or of a fold: "lea", "add3", "mad.wide". The rows of selection.def.
    std::string_view name;
    ptx::Type type = ptx::Type::none;  // of the result; of the sources for comparisons and cvt.source
    ptx::Type source_type = ptx::Type::none;
    const ptx::Instruction* instruction = nullptr;  // for its modifiers
    std::vector<Value> sources;                     // without the guard and the address
    std::vector<Value> results;
    std::vector<Value> address_values;      // summed: a register, with a shared variable's base
    std::optional<std::int64_t> immediate;  // the literal among the sources, if any
    std::optional<MemoryAddress> address;   // memory operations
    std::vector<SiteId> merged;             // further sites whose accesses this one makes
    std::uint8_t copy = 0;                  // of an unrolled block: which visit it belongs to
    Value guard = no_value;
    bool low_half_only = false;  // of a 64-bit result nobody reads the upper half
    bool removed = false;

    bool is_integer() const;
    /// Whether the result is a pair of registers of which both are wanted.
    bool is_wide() const { return ptx::size_of(type) == 8 && !low_half_only; }
    /// Whether it must happen though nobody reads a result: stores, barriers, branches, reads of a clock.
    bool has_side_effect() const;
    bool has(std::string_view modifier) const { return instruction != nullptr && instruction->has(modifier); }
};

struct CodeBlock {
    BasicBlockId id = 0;
    std::vector<Operation> operations;
    std::vector<std::uint32_t> successors;  // indices into Code::blocks
    std::vector<std::uint32_t> predecessors;
    std::uint32_t post_dominator = no_index;  // where all paths from its branch meet; no_index: at the end
    SiteId first_site = 0, last_site = 0;
    /// The block behind this one is predicated: the warp issues its operations whether it visits it or not.
    bool predicates_next = false;
};

/// Blocks first..last in text order between a branch back and its target: exact for the reducible,
/// text-ordered code that compilers write.
struct Loop {
    std::uint32_t first = 0, last = 0;
    bool contains(std::size_t block) const { return first <= block && block <= last; }
};

struct Code {
    const ptx::Function* function = nullptr;
    std::vector<ValueInfo> values;
    std::vector<CodeBlock> blocks;  // in text order
    std::vector<Loop> loops;

    Value add_value(ptx::Type type) {
        values.emplace_back().type = type;
        return static_cast<Value>(values.size() - 1);
    }
    /// The operation that alone fills `value`; nullptr when there are several or none.
    Operation* definition(Value value) {
        const ValueInfo& info = values[value];
        if (info.definitions != 1 || info.block < 0) return nullptr;
        return &blocks[static_cast<std::size_t>(info.block)]
                    .operations[static_cast<std::size_t>(info.operation)];
    }
    /// The smallest loop around a block; nullptr outside of all.
    const Loop* innermost_loop(std::size_t block) const;
    bool has_one_definition(Value value) const {
        return values[value].kind != ValueKind::computed || values[value].definitions <= 1;
    }
};

/// Where an operation can be inserted behind all others of the block but its branch or barrier.
std::size_t end_of_body(const CodeBlock& block);

/// Counts definitions and uses again, and finds single definitions. To be called after operations were moved.
void count_uses(Code& code);

}  // namespace warplens::simt::lowering
