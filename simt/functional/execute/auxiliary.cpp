#include "simt/functional/execute/auxiliary.h"

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/special_registers.h"

namespace warplens::simt {

namespace {

void fill(Warp& warp, Row where, bool wide, u32 mask, u64 value) {
    for_each_lane({mask}, [&](int lane) {
        if (wide) row<u64>(warp, where)[lane] = value;
        else row<u32>(warp, where)[lane] = static_cast<u32>(value);
    });
}

}  // namespace

void execute_guarded(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 holds = predicate(warp, op.guard);
    u32 executed = mask & (op.guard_negated ? ~holds : holds);
    if (warp.observer && !op.silent) warp.observer->guard(static_cast<int>(warp.index), op.site, {executed});
    if (executed != 0) op.inner(warp, op, executed);
}

void execute_read_clock(Warp& warp, const DecodedOp& op, u32 mask) {
    fill(warp, op.rows[0], op.wide_address, mask, read_clock(warp, static_cast<Special>(op.flags), op.site));
}

void execute_local_address(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* base = row<const u32>(warp, op.rows[1]);
    for_each_lane({mask}, [&](int lane) {
        u64 address = base[lane] + op.immediate;
        if (op.wide_address) row<u64>(warp, op.rows[0])[lane] = address;
        else row<u32>(warp, op.rows[0])[lane] = static_cast<u32>(address);
    });
}

void execute_unsupported(Warp& warp, const DecodedOp& op, u32 mask) {
    const Site& site = warp.block->kernel().numbered.sites[op.site];
    warp.block->report(
        warp, op.site, mask, ProblemKind::unsupported_instruction, 0,
        fmt::format("the CPU engine does not execute {}: the block stops before it", site.opcode));
    warp.block->end_block();
}

void execute_unless_ending(Warp& warp, const DecodedOp& op, u32 mask) {
    if (warp.block->is_ending()) return;
    const DecodedOp& held = warp.block->kernel().held_ops[op.immediate];
    held.execute(warp, held, mask);
}

void execute_trap(Warp& warp, const DecodedOp& op, u32 mask) {
    warp.block->report(warp, op.site, mask, ProblemKind::trap, 0, "the kernel executes trap: the run ends");
    warp.block->end_run();
}

void execute_nothing(Warp&, const DecodedOp&, u32) {}

}  // namespace warplens::simt
