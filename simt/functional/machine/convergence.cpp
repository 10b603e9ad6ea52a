// Convergence barriers, and instructions that do nothing for a result. A warp has one B0 to B15: each is the
// set of lanes that are to meet.
#include <algorithm>
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/execute/order.h"
#include "simt/functional/execute/warp.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

Row barrier_row(Lowering& lowering) {
    for (const sass::Operand& operand : lowering.instruction().operands)
        if (operand.kind == sass::OperandKind::convergence_barrier)
            return lowering.rows().barrier(operand.index);
    return lowering.rows().sink();
}

/// The active lanes are to meet, with those that are to meet there already.
void set_barrier(Warp& warp, const DecodedOp& op, u32 mask) { lane_set(warp, op.rows[0]) |= mask; }

bool lower_set(Lowering& lowering) {
    if (lowering.predicate(87) != lowering.rows().true_predicate()) return false;
    DecodedOp& op = lowering.add(set_barrier);
    op.rows[0] = barrier_row(lowering);
    return true;
}

/// The lanes for which predicate rows[1] holds leave the barrier: those that were to meet them no longer are.
void leave_barrier(Warp& warp, const DecodedOp& op, u32 mask) {
    lane_set(warp, op.rows[0]) &= ~(mask & predicate(warp, op.rows[1]));
    warp.block->release_complete(warp);
}

bool lower_leave(Lowering& lowering) {
    const Row p = lowering.predicate(87);
    DecodedOp& op = lowering.add(leave_barrier);
    op.rows[0] = barrier_row(lowering);
    op.rows[1] = p;
    return true;
}

void save_barrier(Warp& warp, const DecodedOp& op, u32 mask) {
    u32& barrier = lane_set(warp, op.rows[1]);
    u32* saved = row<u32>(warp, op.rows[0]);
    for_each_lane({mask}, [&](int lane) { saved[lane] = barrier; });
    if (op.flags != 0) barrier = 0;
}

bool lower_save(Lowering& lowering) {
    const Row barrier = barrier_row(lowering);
    DecodedOp& op = lowering.add(save_barrier);
    op.rows[0] = lowering.result();
    op.rows[1] = barrier;
    op.flags = lowering.modifier("CLEAR") != 0;
    return true;
}

/// What the lowest active lane saved.
void restore_barrier(Warp& warp, const DecodedOp& op, u32 mask) {
    if (mask != 0) lane_set(warp, op.rows[0]) = row<const u32>(warp, op.rows[1])[std::countr_zero(mask)];
}

bool lower_restore(Lowering& lowering) {
    const Row source = lowering.plain(0);
    DecodedOp& op = lowering.add(restore_barrier);
    op.rows[0] = barrier_row(lowering);
    op.rows[1] = source;
    return true;
}

/// Waits and hints: everything that came before has happened already.
bool lower_nothing(Lowering& lowering) {
    lowering.add(execute_nothing);
    return true;
}

/// The assembler leaves a NOP where __syncwarp() finds the lanes of the warp together.
bool lower_nop(Lowering& lowering) {
    lowering.add(meet_lanes);
    return true;
}

bool lower_fence(Lowering& lowering) {
    lowering.add(execute_fence).flags = lowering.modifier_name("membar_scope") == "CTA" ? 0 : 1;
    return true;
}

bool lower_trap(Lowering& lowering) {
    lowering.add(execute_trap);
    return lowering.modifier_name("trap") == "TRAP";
}

constexpr Meaning convergence_table[] = {
    {BSSY, lower_set},
    {BREAK, lower_leave},
    {BMOV_R, lower_save},
    {BMOV_B, lower_restore},
    {NOP, lower_nop},
    {MEMBAR, lower_fence},
    {MEMBAR_75, lower_fence},
    {ERRBAR, lower_nothing},
    {CGAERRBAR, lower_nothing},
    {CCTL, lower_nothing},
    {ENDCOLLECTIVE, lower_nothing},
    {NANOSLEEP, lower_nothing},
    {NANOSLEEP_75, lower_nothing},
    {BPT, lower_trap},
};

}  // namespace

Meanings convergence_meanings() { return convergence_table; }

}  // namespace warplens::simt
