// Special registers, as the code that ptxas makes of PTX's reads them: some are parts of a word.
#include <algorithm>

#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

/// The numbers of sass/special_registers.def. `shift`: where the value lies in the word; nobody reads the
/// other bits.
struct SpecialName {
    u16 number;
    Special special;
    u8 shift = 0;
};
constexpr SpecialName special_names[] = {
    {0, Special::laneid},
    {2, Special::nwarpid, 8},  // SR_VIRTCFG
    {3, Special::warpid, 8},   // SR_VIRTID
    {33, Special::tid_x},
    {34, Special::tid_y},
    {35, Special::tid_z},
    {37, Special::ctaid_x},
    {38, Special::ctaid_y},
    {39, Special::ctaid_z},
    {56, Special::lanemask_eq},
    {57, Special::lanemask_lt},
    {58, Special::lanemask_le},
    {59, Special::lanemask_gt},
    {60, Special::lanemask_ge},
    {67, Special::smid},
    {80, Special::clock},
    {81, Special::clock_hi},
    {82, Special::globaltimer_lo},
    {83, Special::globaltimer_hi},
    {136, Special::cluster_ctarank},
    {138, Special::zero},  // SR_CgaSize: see constant_banks.cpp
    {255, Special::zero},
};
constexpr u16 local_window_upper = 46, shared_window_upper = 47;

/// Of those that are not a clock: the row that a launch fills.
Row row_of_special(Lowering& lowering, const SpecialName& name) {
    MachineRows& rows = lowering.rows();
    if (name.special == Special::zero) return rows.zero();
    const Row row = rows.special(name.special);
    if (name.shift == 0) return row;
    const Row shifted = rows.scratch(1);
    lowering.prepare("shl.b32", {shifted, row, rows.constant(name.shift)});
    return shifted;
}

void read_clock_word(DecodedOp& op, Special which, Row to) {
    op.rows[0] = to;
    op.flags = static_cast<u32>(which);
    op.wide_address = false;
}

bool lower_clock(Lowering& lowering, Special which, bool pair) {
    const Row to = lowering.result();
    read_clock_word(lowering.add(execute_read_clock), which, to);
    if (pair)
        read_clock_word(lowering.add_silent(execute_read_clock),
                        which == Special::clock ? Special::clock_hi : Special::globaltimer_hi,
                        to + word_row_bytes);
    if (lowering.result_is_uniform()) lowering.add_silent("machine.broadcast", {to, to});
    return true;
}

/// The column's bit 80 is set for a pair: ".32" is printed when it is clear.
bool lower_special(Lowering& lowering) {
    const sass::Operand* operand = lowering.find(sass::OperandKind::special_register);
    if (!operand) return false;
    const bool pair = lowering.id() == CS2R && lowering.modifier("32") != 0;
    const auto* known = std::ranges::find(special_names, operand->index, &SpecialName::number);
    MachineRows& rows = lowering.rows();
    Row source = rows.zero();
    if (operand->index == shared_window_upper || operand->index == local_window_upper) {
        const u64 window = operand->index == shared_window_upper ? shared_window : local_window;
        source = rows.constant(window >> 32);
    } else if (known == std::end(special_names)) {
        return false;
    } else if (is_clock(known->special)) {
        const bool upper = known->special == Special::clock_hi || known->special == Special::globaltimer_hi;
        return !(pair && upper) && lower_clock(lowering, known->special, pair);
    } else {
        source = row_of_special(lowering, *known);
    }
    if (pair && source != rows.zero()) return false;
    const Row result = lowering.result();
    lowering.add(lowering.result_is_uniform() ? "machine.broadcast" : "mov.b32", {result, source});
    if (pair) lowering.add_silent("mov.b32", {result + word_row_bytes, source});
    return true;
}

constexpr Meaning special_table[] = {{S2R, lower_special}, {S2UR, lower_special}, {CS2R, lower_special}};

}  // namespace

Meanings special_meanings() { return special_table; }

}  // namespace warplens::simt
