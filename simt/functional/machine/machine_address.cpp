#include "simt/functional/machine/machine_address.h"

#include <algorithm>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

/// A generic address: in the window of shared memory the machine counts blocks from 0 and begins at
/// `immediate`, where the engine has the block's own memory first and at 0.
void generic_address(Warp& warp, const DecodedOp& op, u32 mask) {
    u64* d = row<u64>(warp, op.rows[0]);
    for_each_lane({mask}, [&](int lane) {
        if (d[lane] < shared_window || d[lane] >= shared_window + most_ranks * window_bytes) return;
        const u64 rank = (d[lane] - shared_window) / window_bytes;
        const u64 at = (d[lane] % window_bytes - op.immediate) % window_bytes;
        d[lane] = shared_window + (rank == warp.block->cluster_rank() ? 0 : (rank + 1) * window_bytes) + at;
    });
}

/// An address of the cluster's shared memory: the block's rank in the upper byte, and an offset that begins
/// at `immediate`. Another block's rank, plus 1, stays above the offset.
void cluster_address(Warp& warp, const DecodedOp& op, u32 mask) {
    u64* d = row<u64>(warp, op.rows[0]);
    for_each_lane({mask}, [&](int lane) {
        const u64 rank = d[lane] / window_bytes % most_ranks;
        const u64 at = (d[lane] % window_bytes - op.immediate) % window_bytes;
        d[lane] = (rank == warp.block->cluster_rank() ? 0 : (rank + 1) * window_bytes) + at;
    });
}

bool is_wide(Space space) { return space == Space::global || space == Space::none; }

bool names_register(const sass::Operand& address) {
    return address.index != sass::no_register && address.index != sass::register_zero;
}

bool names_uniform(int sm, const sass::Operand& address) {
    return address.uniform != sass::no_register && !address.descriptor &&
           address.uniform != sass::uniform_zero(sm);
}

}  // namespace

namespace {

/// `op` with the fields of `access`; how it is executed stays.
void complete(const DecodedOp& access, DecodedOp& op) {
    const DecodedOp frame = op;
    op = access;
    op.execute = frame.execute;
    op.inner = frame.inner;
    op.guard = frame.guard;
    op.guard_negated = frame.guard_negated;
    op.silent = frame.silent;
    op.site = frame.site;
}

/// Adds the operation that examines the access's address, unless that of the register was examined before it.
/// nullptr: the address is not a register's.
void lower_examination(Lowering& lowering, DecodedOp& access, bool load, const AddressRegister* of) {
    const ExaminedAddresses::Known* known = of ? lowering.examined.find(*of) : nullptr;
    const Execute examine = examining_executor(access, load);
    access.window = known ? known->window : lowering.kernel().window_count++;
    if (!examine) return;
    static constexpr AddressRegister no_register{0, 0};
    const bool is_new = known == nullptr;
    if (is_new) known = &lowering.examined.add(of ? *of : no_register, access.window);
    access.rows[examined_row] = lowering.rows().examined(known->slot);
    if (is_new) complete(access, lowering.prepare(examine));
}

const ExaminedAddresses::Known& add_pair(Lowering& lowering, const AddressRegister& of) {
    return lowering.examined.add(of, lowering.kernel().window_count++);
}

/// The fields by which `op` examines a pair.
void name_pair(Lowering& lowering, const ExaminedAddresses::Known& known, DecodedOp& op) {
    op.rows[address_row] = lowering.rows().general(known.of.first);
    op.rows[examined_row] = lowering.rows().examined(known.slot);
    op.window = known.window;
    op.space = Space::global;
    op.paired_address = true;
}

}  // namespace

u32 shared_base(int sm) { return sm >= 90 ? 0x400 : 0; }

Row lower_address(Lowering& lowering, const sass::Operand& address, Space space) {
    MachineRows& rows = lowering.rows();
    const bool wide = is_wide(space);
    const Row sum = rows.scratch(2);
    const bool has_register = names_register(address), has_uniform = names_uniform(lowering.sm(), address);
    const bool pair = wide && (address.wide_register || !has_uniform);
    const Row zero = rows.zero(), low = has_register ? rows.general(address.index) : zero,
              uniform_low = has_uniform ? rows.uniform(address.uniform) : zero;
    const bool own_shared = space == Space::shared;
    DecodedOp& op =
        lowering.prepare(own_shared ? "machine.address.shared" : "machine.address",
                         {sum, low, has_register && pair ? low + word_row_bytes : zero, uniform_low,
                          has_uniform && wide ? uniform_low + word_row_bytes : zero});
    op.flags = u32{!wide} | u32{address.scale} << 8 | (own_shared ? shared_base(lowering.sm()) : 0) << 16;
    op.immediate = static_cast<u64>(address.value);
    if (space == Space::shared_cluster || space == Space::none) {
        DecodedOp& place =
            lowering.prepare(space == Space::shared_cluster ? cluster_address : generic_address);
        place.rows[0] = sum;
        place.immediate = shared_base(lowering.sm());
    }
    return sum;
}

bool lower_address(Lowering& lowering, DecodedOp& access) {
    const sass::Operand* address = lowering.find(sass::OperandKind::address);
    if (!address || (is_wide(access.space) && lowering.modifier("E") == 0)) return false;
    access.rows[address_row] = lower_address(lowering, *address, access.space);
    access.wide_address = true;
    access.immediate = 0;
    return true;
}

namespace {

/// The register or the pair that has the address of an access of `bytes`, but for a constant that is added by
/// the access itself: halves are compared before that, so that it may not misalign them.
std::optional<AddressRegister> address_register(const sass::Instruction& instruction, Space space, u32 bytes,
                                                int sm) {
    const bool global = space == Space::global;
    if (!global && space != Space::shared) return std::nullopt;
    const auto address =
        std::ranges::find(instruction.operands, sass::OperandKind::address, &sass::Operand::kind);
    if (address == instruction.operands.end() || !names_register(*address) || names_uniform(sm, *address) ||
        address->scale != 1 || (global && instruction.modifier("E") == 0) ||
        static_cast<u64>(address->value) % bytes != 0)
        return std::nullopt;
    return AddressRegister{address->index, global ? 2u : 1u, bytes, space};
}

}  // namespace

bool lower_access_address(Lowering& lowering, DecodedOp& access, bool load) {
    const bool global = access.space == Space::global;
    const auto of = address_register(lowering.instruction(), access.space, access.bytes(), lowering.sm());
    if (!of) {
        if (!lower_address(lowering, access)) return false;
        lower_examination(lowering, access, load, nullptr);
        return true;
    }
    access.rows[address_row] = lowering.rows().general(of->first);
    access.paired_address = global;
    access.wide_address = global;
    access.immediate = static_cast<u64>(lowering.find(sass::OperandKind::address)->value);
    if (!global) {
        access.immediate -= shared_base(lowering.sm());
        access.flags = shared_base(lowering.sm()) | 1;
    }
    lower_examination(lowering, access, load, &*of);
    return true;
}

std::optional<AddressRegister> accessed_pair(const sass::Instruction& instruction, int sm) {
    using enum sass::InstructionId;
    if (!instruction.known()) return std::nullopt;
    const sass::InstructionId id = instruction.row->id;
    if (id != LDG && id != LDG_75 && id != STG && id != STG_75) return std::nullopt;
    const auto width = width_of(modifier_name(instruction, "access"));
    if (!width) return std::nullopt;
    return address_register(instruction, Space::global, u32{width->element_bytes} * width->elements, sm);
}

void add_address_sum(Lowering& lowering, std::string_view key, u32 flags, const AddressSum& sum) {
    const RegistersAhead& ahead = lowering.ahead();
    const AddressRegister pair{sum.pair, 2, ahead.result.bytes, Space::global};
    const ExaminedAddresses::Known* known = lowering.examined.find(pair);
    Row guard = 0;
    bool negated = false;
    const bool is_address = ahead.result.count != 0 && (known || ahead.source == pair) &&
                            !lowering.is_uniform() && !lowering.guard(guard, negated);
    if (is_address && !known) {
        known = &add_pair(lowering, pair);
        name_pair(lowering, *known,
                  lowering.prepare(find_executor(fmt::format("examine.{}@4+4", pair.bytes))->execute));
    }
    const u32 slot = known ? known->slot : 0;
    DecodedOp& op =
        lowering.add(key, {sum.result, sum.factor, sum.constant, lowering.rows().general(sum.pair)});
    op.flags = flags;
    if (!is_address) return;
    lowering.forget_written();
    op.inner = op.execute;
    op.execute = find_executor(fmt::format("examine.sum.{}", pair.bytes))->execute;
    op.sign_extends = sum.is_signed;
    op.rows[4] = lowering.rows().examined(slot);
    name_pair(lowering, add_pair(lowering, ahead.result), op);
}

void complete(Lowering& lowering, const DecodedOp& access, Execute execute) {
    complete(access, lowering.add(execute));
}

}  // namespace warplens::simt
