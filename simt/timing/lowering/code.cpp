#include "simt/timing/lowering/code.h"

#include <set>

#include "ptx/opcodes.h"

namespace warplens::simt::lowering {

bool Operation::is_integer() const {
    const ptx::TypeClass type_class = ptx::class_of(type);
    return type_class == ptx::TypeClass::untyped || type_class == ptx::TypeClass::unsigned_integer ||
           type_class == ptx::TypeClass::signed_integer;
}

bool Operation::has_side_effect() const {
    static const std::set<std::string_view> always{
        "st.param", "clock",    "bssy",      "bsync",    "membar",    "fence", "cp",     "bar",
        "barrier",  "mbarrier", "nanosleep", "prefetch", "prefetchu", "brkpt", "pmevent"};
    if (always.contains(name)) return true;
    if (instruction == nullptr) return false;
    if (name == instruction->opcode && ptx::find_opcode(name) == nullptr) return true;
    if (has("volatile") || has("acquire") || has("mmio")) return true;
    if (address && ptx::operation_of(*instruction) != warplens::Operation::load) return true;
    switch (ptx::site_kind(*instruction)) {
        case SiteKind::branch:
        case SiteKind::barrier:
        case SiteKind::call:
        case SiteKind::exit:
            return true;
        default:
            return false;
    }
}

const Loop* Code::innermost_loop(std::size_t block) const {
    const Loop* smallest = nullptr;
    for (const Loop& loop : loops)
        if (loop.contains(block) &&
            (smallest == nullptr || loop.last - loop.first < smallest->last - smallest->first))
            smallest = &loop;
    return smallest;
}

std::size_t end_of_body(const CodeBlock& block) {
    if (block.operations.empty()) return 0;
    const Operation& last = block.operations.back();
    const bool ends = last.instruction != nullptr && ptx::ends_basic_block(*last.instruction);
    return block.operations.size() - (ends ? 1 : 0);
}

void count_uses(Code& code) {
    for (ValueInfo& info : code.values) {
        info.definitions = info.uses = 0;
        info.guards = false;
    }
    for (std::size_t block = 0; block < code.blocks.size(); ++block) {
        std::vector<Operation>& operations = code.blocks[block].operations;
        std::erase_if(operations, [](const Operation& operation) { return operation.removed; });
        for (std::size_t i = 0; i < operations.size(); ++i) {
            for (const Value value : operations[i].sources) ++code.values[value].uses;
            for (const Value value : operations[i].address_values) ++code.values[value].uses;
            if (operations[i].guard != no_value) {
                ++code.values[operations[i].guard].uses;
                code.values[operations[i].guard].guards |= operations[i].name != "bra";
            }
            for (const Value value : operations[i].results) {
                ValueInfo& info = code.values[value];
                ++info.definitions;
                info.block = static_cast<std::int32_t>(block);
                info.operation = static_cast<std::int32_t>(i);
            }
        }
    }
}

}  // namespace warplens::simt::lowering
