// Code: one function of a kernel during lowering, between PTX and machine operations: PTX instructions whose
// operands are values, in the trace's basic blocks. The passes of this folder rewrite it in the order of
// lower.cpp; select_operations.h converts the result to machine operations.
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
    computed,  // a PTX register, or an intermediate of an expansion
    constant,  // from the constant bank: a parameter, %ntid, %nctaid
    special,   // %tid, %ctaid, %laneid: read once by a separate instruction
    shared,    // the address of a shared variable
    symbol,    // the address of another variable or of a function
};

struct ValueInfo {
    ValueKind kind = ValueKind::computed;
    ptx::Type type = ptx::Type::none;
    std::string name;              // parameter, special register or symbol
    std::int32_t definitions = 0;  // operations that write it; set by count_uses()
    std::int32_t uses = 0;         // operands that read it; likewise
    std::int32_t block = -1;       // the definition: index into Code::blocks, and operation in it
    bool guards = false;           // an operation other than a branch is predicated on it
    std::int32_t operation = -1;   //   if there is exactly one
};

struct MemoryAddress {
    std::int64_t offset = 0;  // bytes, added to the operation's address values
    Space space = Space::none;
    std::uint32_t bytes = 0;  // per lane
};

/// One PTX instruction, or several folded into one.
struct Operation {
    SiteId site = 0;
    /// The PTX opcode, or the name of a fold: "lea", "add3", "mad.wide". Matches the rows of selection.def.
    std::string_view name;
    ptx::Type type = ptx::Type::none;  // result type; source type for comparisons and cvt.source
    ptx::Type source_type = ptx::Type::none;
    const ptx::Instruction* instruction = nullptr;  // for its modifiers
    std::vector<Value> sources;                     // except the guard and the address
    std::vector<Value> results;
    std::vector<Value> address_values;      // summed: a register and a shared variable's base
    std::optional<std::int64_t> immediate;  // the literal among the sources, if any
    std::optional<MemoryAddress> address;   // memory operations
    std::vector<SiteId> merged;             // further sites whose accesses are merged into this one
    std::uint8_t copy = 0;                  // in an unrolled block: the index of its visit
    Value guard = no_value;
    bool low_half_only = false;  // the upper half of the 64-bit result is not read
    bool removed = false;

    bool is_integer() const;
    /// Whether the result is a pair of registers and both are read.
    bool is_wide() const { return ptx::size_of(type) == 8 && !low_half_only; }
    /// Whether it must be kept without readers: stores, barriers, branches, clock reads.
    bool has_side_effect() const;
    bool has(std::string_view modifier) const { return instruction != nullptr && instruction->has(modifier); }
};

struct CodeBlock {
    BasicBlockId id = 0;
    std::vector<Operation> operations;
    std::vector<std::uint32_t> successors;  // indices into Code::blocks
    std::vector<std::uint32_t> predecessors;
    std::uint32_t post_dominator = no_index;  // where all paths from its branch join; no_index: at the end
    SiteId first_site = 0, last_site = 0;
    /// The next block is predicated: the warp issues its operations even without visiting it.
    bool predicates_next = false;
};

/// Blocks first..last in text order, from a backward branch's target to the branch: exact for the reducible,
/// text-ordered code of compilers.
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
    /// The only operation that writes `value`; nullptr if there are several or none.
    Operation* definition(Value value) {
        const ValueInfo& info = values[value];
        if (info.definitions != 1 || info.block < 0) return nullptr;
        return &blocks[static_cast<std::size_t>(info.block)]
                    .operations[static_cast<std::size_t>(info.operation)];
    }
    /// The smallest loop that contains a block; nullptr if none does.
    const Loop* innermost_loop(std::size_t block) const;
    bool has_one_definition(Value value) const {
        return values[value].kind != ValueKind::computed || values[value].definitions <= 1;
    }
};

/// Where to insert an operation after all others of the block except its branch or barrier.
std::size_t end_of_body(const CodeBlock& block);

/// Recounts definitions and uses, and finds single definitions. Call it after moving operations.
void count_uses(Code& code);

}  // namespace warplens::simt::lowering
