// Atomic operations: the engine's own, with their addresses and pairs of registers around them.
#include "simt/functional/execute/atomic.h"

#include <algorithm>
#include <array>

#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;
using ptx::Type;

std::string operation_of(const Lowering& lowering) {
    for (const char* kind : {"atomic", "atomic_red", "atomic_float_op", "compare_swap"}) {
        std::string_view name = lowering.modifier_name(kind);
        if (name.empty()) continue;
        std::string lower(name);
        std::ranges::transform(lower, lower.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
        return lower.starts_with("cas") ? "cas" : lower == "safeadd" ? "" : lower;
    }
    return lowering.id() == ATOMG_CAS || lowering.id() == ATOMG_CAS_75 ? "cas" : "";
}

/// Until Ada, one column names integers and floating-point numbers; then each has its own.
Type type_of(const Lowering& lowering, const std::string& operation) {
    std::string_view name;
    for (const char* kind : {"atomic_type", "atomic_type_75", "atomic_type_80", "atomic_shared_type",
                             "compare_swap_type", "atomic_float"})
        if (const std::string_view found = lowering.modifier_name(kind); !found.empty()) name = found;
    const bool bits = operation == "and" || operation == "or" || operation == "xor" || operation == "exch" ||
                      operation == "cas";
    if (name.empty()) return bits ? Type::b32 : Type::u32;
    if (name == "S32") return bits ? Type::b32 : Type::s32;
    if (name == "64") return bits ? Type::b64 : Type::u64;
    if (name == "S64") return bits ? Type::b64 : Type::s64;
    if (name == "F32.FTZ.RN" || name == "F32.RN") return Type::f32;
    if (name == "F64.RN") return Type::f64;
    if (name == "F16x2.RN") return Type::f16x2;
    if (name == "BF16x2.RN") return Type::bf16x2;
    return Type::none;
}

/// Several registers, each an element of the PTX level's atomic operation on a vector: two halves are one.
struct AtomicVector {
    Type element = Type::none;
    u8 registers = 0;
};
AtomicVector vector_of(const Lowering& lowering) {
    const std::string_view name = lowering.modifier_name("atomic_float");
    if (name == "F32x2.FTZ.RN") return {Type::f32, 2};
    if (name == "F32x4.FTZ.RN") return {Type::f32, 4};
    if (name == "F16x4.RN") return {Type::f16x2, 2};
    if (name == "F16x8.RN") return {Type::f16x2, 4};
    if (name == "BF16x4.RN") return {Type::bf16x2, 2};
    if (name == "BF16x8.RN") return {Type::bf16x2, 4};
    return {};
}

bool is_of_128_bits(const Lowering& lowering) {
    for (const char* kind : {"atomic_type", "compare_swap_type"})
        if (lowering.modifier_name(kind) == "128") return true;
    return false;
}

/// rows: predicate result, address: whether it is outside the windows of shared and local memory.
void is_outside_windows(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 outside = 0;
    for_each_lane({mask}, [&](int lane) {
        outside |= u32{row<const u64>(warp, op.rows[1])[lane] < shared_window} << lane;
    });
    set_predicate(warp, op.rows[0], mask, outside);
}

/// rows: result, old value, expected value: 1 where they are equal. Bits in rows of 4 or 8 bytes per lane.
template <class T, int words>
void was_exchanged(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const bool same = row<const T>(warp, op.rows[1])[lane] == row<const T>(warp, op.rows[2])[lane];
        write_lane<words>(warp, op.rows[0], lane, u64{same});
    });
}

/// A generic atomic with a predicate does nothing in shared and local memory; code for these comes after it.
bool execute_outside_windows(Lowering& lowering, Row address) {
    DecodedOp& op = lowering.kernel().ops.back();
    if (op.inner) return false;  // has a guard already
    const Row outside = lowering.rows().scratch_predicate();
    const DecodedOp atomic = op;
    op = DecodedOp{};
    op.execute = is_outside_windows;
    op.site = atomic.site;
    op.silent = true;
    op.rows[0] = outside;
    op.rows[1] = address;
    DecodedOp& guarded = lowering.kernel().ops.emplace_back(atomic);
    guarded.inner = guarded.execute;
    guarded.execute = execute_guarded;
    guarded.guard = outside;
    guarded.silent = true;
    DecodedOp& result = lowering.add_silent(is_outside_windows);
    result.rows[0] = lowering.predicate_result(81);
    result.rows[1] = address;
    return true;
}

bool add_atomic(Lowering& lowering, Space space, const AtomicRow& atomic, Type type, Row b, Row c) {
    const bool selects = lowering.predicate_result(81) != lowering.rows().predicate_sink(),
               tests = lowering.modifier_name("compare_swap").starts_with("CAST");
    if (selects && (space != Space::none || tests)) return false;
    const bool wide = ptx::size_of(type) == 8;
    DecodedOp access;
    access.space = space;
    access.element_bytes = static_cast<u8>(ptx::size_of(type));
    access.window = lowering.kernel().window_count++;
    if (!lower_address(lowering, access)) return false;
    const Row result = lowering.result();
    access.rows[0] = wide || tests ? lowering.rows().scratch(2) : result;
    access.rows[1] = wide ? lowering.widened(b) : b;
    access.rows[2] = wide ? lowering.widened(c) : c;
    if (space != Space::shared && (lowering.has_result() || !atomic.commutes))
        lowering.kernel().ordered = true;
    const Row old = access.rows[0], expected = access.rows[1], address = access.rows[address_row];
    complete(lowering, access, atomic.execute);
    if (space != Space::shared && lowering.has_result() && atomic.counts) {
        lowering.counter = lowering.site();
        DecodedOp& op = lowering.add_silent(note_counter);
        op.element_bytes = access.element_bytes;
        op.flags = atomic.operation == "cas" ? counter_swaps : 0;
        op.rows[0] = old;
    }
    if (selects && !execute_outside_windows(lowering, address)) return false;
    if (tests) {
        DecodedOp& op = lowering.add_silent(wide ? was_exchanged<u64, 2> : was_exchanged<u32, 1>);
        const Row rows[] = {result, old, expected};
        std::copy(std::begin(rows), std::end(rows), op.rows);
    } else if (wide && lowering.has_result()) {
        lowering.add_silent("machine.wide_to_pair", {result, old});
    }
    return true;
}

bool add_vector_atomic(Lowering& lowering, const std::string& operation, AtomicVector vector) {
    const AtomicRow* atomic = find_vector_atomic(operation, vector.element);
    if (!atomic || lowering.predicate_result(81) != lowering.rows().predicate_sink()) return false;
    DecodedOp access;
    access.space = Space::global;
    access.element_bytes = 4;
    access.vector_width = vector.registers;
    access.window = lowering.kernel().window_count++;
    if (!lower_address(lowering, access)) return false;
    const Row data = lowering.plain(0, vector.registers);
    std::array<Row, 8> results{};
    for (u32 i = 0; i < vector.registers; ++i) {
        access.rows[i] = data + i * word_row_bytes;
        results[i] = lowering.result() + i * word_row_bytes;
    }
    if (lowering.has_result()) {
        lowering.kernel().vector_results.push_back(results);
        access.flags = static_cast<u32>(lowering.kernel().vector_results.size());
    }
    lowering.kernel().ordered = true;  // sums of floats do not commute
    complete(lowering, access, atomic->execute);
    return true;
}

/// Exchange, and compare and swap: halves of 8 bytes per lane around the PTX level's operation.
template <Space space>
bool add_quad_atomic(Lowering& lowering, const std::string& operation) {
    const bool swaps = operation == "cas";
    if ((!swaps && operation != "exch") || lowering.predicate_result(81) != lowering.rows().predicate_sink())
        return false;
    DecodedOp access;
    access.space = space;
    access.element_bytes = 8;
    access.vector_width = 2;
    access.window = lowering.kernel().window_count++;
    if (!lower_address(lowering, access)) return false;
    const Row old[] = {lowering.rows().scratch(2), lowering.rows().scratch(2)};
    access.rows[0] = old[0];
    access.rows[1] = old[1];
    for (u32 i = 0; i < (swaps ? 2u : 1u); ++i) {
        const Row quad = lowering.plain(i, 4);
        access.rows[2 + 2 * i] = lowering.widened(quad);
        access.rows[3 + 2 * i] = lowering.widened(quad + 2 * word_row_bytes);
    }
    lowering.kernel().ordered = true;
    complete(lowering, access, swaps ? compare_and_swap_quad : exchange_quad);
    if (!lowering.has_result()) return true;
    for (u32 i = 0; i < 2; ++i)
        lowering.add_silent("machine.wide_to_pair", {lowering.result() + 2 * i * word_row_bytes, old[i]});
    return true;
}

template <Space space>
bool lower_atomic(Lowering& lowering) {
    const std::string operation = operation_of(lowering);
    if (const AtomicVector vector = vector_of(lowering); vector.element != Type::none)
        return space == Space::global && add_vector_atomic(lowering, operation, vector);
    if (is_of_128_bits(lowering)) return add_quad_atomic<space>(lowering, operation);
    const Type type = type_of(lowering, operation);
    const AtomicRow* atomic = find_atomic(operation, type);
    return atomic && add_atomic(lowering, space, *atomic, type, lowering.plain(0), lowering.plain(1));
}

/// Adds the number of active lanes, which is 1 for each lane.
bool lower_atomic_count(Lowering& lowering) {
    if (lowering.has_result()) return false;
    return add_atomic(lowering, Space::shared, *find_atomic("add", Type::u32), Type::u32,
                      lowering.rows().constant(1), lowering.rows().zero());
}

constexpr auto in_shared = lower_atomic<Space::shared>, in_global = lower_atomic<Space::global>,
               generic = lower_atomic<Space::none>;

constexpr Meaning atomic_table[] = {
    {ATOMS, in_shared},        {ATOMS_CAS, in_shared},       {ATOMS_POPC, lower_atomic_count},
    {ATOMG, in_global},        {ATOMG_75, in_global},        {ATOMG_80, in_global},
    {ATOMG_100, in_global},    {ATOMG_CAS, in_global},       {ATOMG_CAS_75, in_global},
    {ATOMG_FLOAT, in_global},  {ATOMG_FLOAT_100, in_global}, {REDG, in_global},
    {RED_75, in_global},       {RED_80, in_global},          {REDG_100, in_global},
    {REDG_FLOAT, in_global},   {REDG_FLOAT_100, in_global},  {ATOM, generic},
    {ATOM_75, generic},        {ATOM_80, generic},           {ATOM_100, generic},
    {ATOM_CAS, generic},       {ATOM_CAS_75, generic},       {ATOM_FLOAT, generic},
    {ATOM_FLOAT_100, generic},
};

}  // namespace

Meanings atomic_meanings() { return atomic_table; }

}  // namespace warplens::simt
