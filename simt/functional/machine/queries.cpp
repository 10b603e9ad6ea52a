// Questions: which space an address is in, and the result of a barrier's reduction.
#include "simt/functional/execute/memory.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

/// As isspacep: S is the block's own shared memory, D the cluster's.
bool lower_space_question(Lowering& lowering) {
    const std::string_view name = lowering.modifier_name("query_space");
    const sass::Operand* address = lowering.find(sass::OperandKind::address);
    if (!address || lowering.has_result() || lowering.modifier("E") == 0) return false;
    const Row at = lower_address(lowering, *address, Space::none);
    DecodedOp& op = lowering.add(is_space);
    op.space = name == "G"   ? Space::global
               : name == "L" ? Space::local
               : name == "S" ? Space::shared
                             : Space::shared_cluster;
    op.rows[0] = lowering.predicate_result(81);
    op.rows[1] = at;
    return true;
}

/// rows: predicate result, predicate.
void copy_predicate(Warp& warp, const DecodedOp& op, u32 mask) {
    set_predicate(warp, op.rows[0], mask, predicate(warp, op.rows[1]));
}

bool lower_reduction_result(Lowering& lowering) {
    const Row to = lowering.predicate_result(81);
    lowering.add("mov.b32", {lowering.result(), lowering.rows().reduced_count()});
    DecodedOp& holds = lowering.add_silent(copy_predicate);
    holds.rows[0] = to;
    holds.rows[1] = lowering.rows().reduced_predicate();
    return true;
}

constexpr Meaning query_table[] = {{QSPC, lower_space_question}, {B2R, lower_reduction_result}};

}  // namespace

Meanings query_meanings() { return query_table; }

}  // namespace warplens::simt
