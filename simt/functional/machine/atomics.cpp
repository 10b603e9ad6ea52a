// Atomic operations: the engine's own, with their addresses and pairs of registers around them.
#include "simt/functional/execute/atomic.h"

#include <algorithm>

#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

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
        return lower;
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

bool add_atomic(Lowering& lowering, Space space, const AtomicRow& atomic, Type type, Row b, Row c) {
    if (lowering.predicate_result(81) != lowering.rows().predicate_sink()) return false;
    const bool wide = ptx::size_of(type) == 8;
    DecodedOp access;
    access.space = space;
    access.element_bytes = static_cast<u8>(ptx::size_of(type));
    access.window = lowering.kernel().window_count++;
    if (!lower_address(lowering, access)) return false;
    const Row result = lowering.result();
    access.rows[0] = wide ? lowering.rows().scratch(2) : result;
    access.rows[1] = wide ? lowering.widened(b) : b;
    access.rows[2] = wide ? lowering.widened(c) : c;
    if (space != Space::shared && (lowering.has_result() || !atomic.commutes))
        lowering.kernel().ordered = true;
    const Row wide_result = access.rows[0];
    complete(lowering, access, atomic.execute);
    if (wide && lowering.has_result()) {
        DecodedOp& op = lowering.add_silent(wide_to_pair);
        op.rows[0] = result;
        op.rows[1] = wide_result;
    }
    return true;
}

template <Space space>
bool lower_atomic(Lowering& lowering) {
    const std::string operation = operation_of(lowering);
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
