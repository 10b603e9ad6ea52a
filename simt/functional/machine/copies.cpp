// Asynchronous copies from global to shared memory, counted in groups.
#include <algorithm>

#include "simt/functional/execute/async.h"
#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

constexpr u32 both_addresses_wide = 3;

constexpr auto bytes_or_none = [](const LaneInputs& in) {
    return LaneResults{in.p ? in.a : 0, false, false};
};

/// .ZFILL: the low bits of the source's address count the bytes at the end that are not read. rows: address,
/// 8 bytes per lane; bytes to read; immediate: the copy's size.
void split_address(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        u64& address = row<u64>(warp, op.rows[0])[lane];
        const u64 left_out = address % op.immediate;
        u32& bytes = row<u32>(warp, op.rows[1])[lane];
        bytes -= std::min(bytes, static_cast<u32>(left_out));
        address -= left_out;
    });
}

/// A lane whose predicate does not hold writes zeros.
bool lower_async_copy(Lowering& lowering) {
    const sass::Operand *to = nullptr, *from = nullptr;
    for (const sass::Operand& operand : lowering.instruction().operands)
        if (operand.kind == sass::OperandKind::address) (to ? from : to) = &operand;
    if (!to || !from) return false;
    const std::string_view width = lowering.modifier_name("copy_width");
    const u32 bytes = width == "128" ? 16 : width == "64" ? 8 : 4;
    MachineRows& rows = lowering.rows();
    const Row target = lower_address(lowering, *to, Space::shared),
              source = lower_address(lowering, *from, Space::global), p = lowering.predicate(87);
    const Row read = rows.scratch(1), sink = rows.predicate_sink(), zero = rows.zero();
    DecodedOp& choose = lowering.prepare(each_lane_of<bytes_or_none>);
    const Row chosen[] = {read, sink, sink, rows.constant(bytes), zero, zero, p, rows.false_predicate()};
    std::copy(std::begin(chosen), std::end(chosen), choose.rows);
    if (lowering.modifier("ZFILL") != 0) {
        DecodedOp& split = lowering.prepare(split_address);
        split.rows[0] = source;
        split.rows[1] = read;
        split.immediate = bytes;
    }
    DecodedOp& op = lowering.add(copy_async);
    const Row all[] = {target, source, zero, zero, read};
    std::copy(std::begin(all), std::end(all), op.rows);
    op.flags = both_addresses_wide;
    op.element_bytes = static_cast<u8>(bytes);
    op.space = Space::shared;
    return true;
}

bool lower_commit(Lowering& lowering) {
    lowering.add(commit_copies);
    return true;
}

/// DEPBAR.LE SB0, n: all but the latest n groups are done. Without a number it waits for loads, which are
/// done.
bool lower_wait(Lowering& lowering) {
    if (lowering.modifier("LE") == 0) {
        lowering.add(execute_nothing);
        return true;
    }
    if (lowering.source_count() != 1) return false;
    lowering.add(wait_for_copies).immediate = static_cast<u64>(lowering.immediate(0));
    return true;
}

constexpr Meaning copy_table[] = {{LDGSTS, lower_async_copy},
                                  {LDGSTS_100, lower_async_copy},
                                  {LDGDEPBAR, lower_commit},
                                  {DEPBAR, lower_wait}};

}  // namespace

Meanings copy_meanings() { return copy_table; }

}  // namespace warplens::simt
