// mbarriers, bulk copies and the election of a lane: the engine's own. ptxas makes one SYNCS of each PTX
// instruction on an mbarrier, and its operands tell what the 64 bits of an mbarrier and of a token are: in a
// token's upper word, bit 31 is the phase's parity and bits 11 to 30 the arrivals that are pending, negated.
#include "simt/functional/block/mbarrier.h"

#include <algorithm>
#include <bit>

#include "simt/functional/execute/async.h"
#include "simt/functional/execute/auxiliary.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/machine_address.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

constexpr u32 arrivals_field = Mbarrier::most_arrivals;  // 20 bits
constexpr u32 pending_shift = 11, initial_shift = 1;     // in the upper word, in the lower
constexpr u32 bulk_unit_shift = 4;                       // a bulk copy's size counts 16 bytes

template <Execute execute>
void by_first_lane(Warp& warp, const DecodedOp& op, u32 mask) {
    execute(warp, op, mask & (0u - mask));
}

/// One operation of three words and no predicates, before the instruction's own.
template <auto F, int A = 1>
Row prepare_word(Lowering& lowering, Row a) {
    MachineRows& rows = lowering.rows();
    const Row result = rows.scratch(1), sink = rows.predicate_sink(), zero = rows.zero(),
              no = rows.false_predicate();
    DecodedOp& op = lowering.prepare(each_lane_of<F, 1, A>);
    const Row all[] = {result, sink, sink, a, zero, zero, no, no};
    std::copy(std::begin(all), std::end(all), op.rows);
    return result;
}

/// Both words name the same count; 0 is one that no mbarrier has.
constexpr auto initial_count = [](const LaneInputs& in) {
    const u32 lower = static_cast<u32>(in.a) >> initial_shift & arrivals_field;
    const u32 upper = static_cast<u32>(in.a >> 32) >> pending_shift & arrivals_field;
    return LaneResults{lower == upper ? (0 - lower) & arrivals_field : 0, false, false};
};
constexpr auto parity_of_token = [](const LaneInputs& in) { return LaneResults{in.a >> 31, false, false}; };
constexpr auto bulk_bytes = [](const LaneInputs& in) {
    return LaneResults{in.a << bulk_unit_shift, false, false};
};

/// rows: pair of registers, the engine's token.
void token_to_pair(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const Mbarrier barrier = Mbarrier::from_bits(row<const u64>(warp, op.rows[1])[lane]);
        const u64 pending = (0 - barrier.pending) & arrivals_field;
        write_lane<2>(warp, op.rows[0], lane, (u64{barrier.parity} << 31 | pending << pending_shift) << 32);
    });
}

/// Adds `execute` on the mbarrier that the instruction's address names.
bool on_mbarrier(Lowering& lowering, Space space, Execute execute, DecodedOp op) {
    op.space = space;
    op.element_bytes = 8;
    if (!lower_address(lowering, op)) return false;
    complete(lowering, op, execute);
    return true;
}

bool lower_initialisation(Lowering& lowering) {
    if (lowering.has_result()) return false;
    lowering.execute_by_lanes();
    DecodedOp op;
    op.rows[1] = prepare_word<initial_count, 2>(lowering, lowering.plain(0, 2));
    return on_mbarrier(lowering, Space::shared, by_first_lane<mbarrier_init>, op);
}

bool lower_invalidation(Lowering& lowering) {
    lowering.execute_by_lanes();
    return on_mbarrier(lowering, Space::shared, mbarrier_invalidate, {});
}

bool lower_test(Lowering& lowering) {
    DecodedOp op;
    op.rows[0] = lowering.predicate_result(81);
    op.rows[1] = prepare_word<parity_of_token>(lowering, lowering.plain(0));
    op.flags = 1;
    return on_mbarrier(lowering, Space::shared, mbarrier_test, op);
}

/// A: arrivals, T: bytes (transactions); 0, 1, or R: the register's number; X takes from it. Without a word:
/// one arrival, and the register's bytes. RED: at any block of the cluster, without a token.
bool lower_arrival(Lowering& lowering) {
    const std::string_view counts = lowering.modifier_name("arrive_counts"),
                           kind = lowering.modifier_name("arrive_kind");
    const bool remote = kind == "RED", drops = lowering.modifier("OPTOUT") != 0;
    if ((!kind.empty() && !remote) || (remote && (drops || lowering.has_result()))) return false;
    lowering.execute_by_lanes();
    const Row number = lowering.plain(0), one = lowering.rows().constant(1);
    const Space space = remote ? Space::shared_cluster : Space::shared;
    DecodedOp op;
    op.rows[1] = number;
    if (counts == "A0TR" || counts == "A0TX" || counts == "A0T1") {
        if (!remote) return false;
        return on_mbarrier(lowering, space,
                           counts == "A0TR"   ? mbarrier_expect
                           : counts == "A0TX" ? mbarrier_complete
                                              : mbarrier_expect_arrival,
                           op);
    }
    const bool has_token = lowering.has_result(), expects = counts.empty();
    if (!expects && counts != "A1T0" && counts != "ART0") return false;
    op.rows[0] = lowering.rows().scratch(2);
    op.rows[1] = counts == "ART0" ? number : one;
    op.rows[2] = number;
    op.flags = (drops ? u32{arrive_drops} : 0) | (expects ? u32{arrive_expects_bytes} : 0) |
               (has_token ? u32{arrive_has_token} : 0);
    const Row token = op.rows[0];
    if (!on_mbarrier(lowering, space, mbarrier_arrive, op)) return false;
    if (!has_token) return true;
    DecodedOp& pair = lowering.add_silent(token_to_pair);
    pair.rows[0] = lowering.result();
    pair.rows[1] = token;
    return true;
}

/// Where the mbarrier counts transactions, a SYNCS.ARRIVE.A0T1 before it has announced this one.
bool lower_copies_arrival(Lowering& lowering) {
    if (lowering.modifier_name("arrive_counter").empty()) return false;
    DecodedOp op;
    op.flags = 1;
    return on_mbarrier(lowering, Space::shared, arrive_after_copies, op);
}

// ---- bulk copies: once a warp
/// S.G: the pair at the target's register has its address and the mbarrier's.
bool lower_bulk_copy(Lowering& lowering) {
    const std::string_view route = lowering.modifier_name("copy_route");
    const bool to_shared = route == "S.G";
    std::vector<const sass::Operand*> at;
    for (const sass::Operand& operand : lowering.instruction().operands)
        if (operand.kind == sass::OperandKind::address) at.push_back(&operand);
    if ((!to_shared && route != "G.S") || lowering.modifier("MULTICAST") != 0 || at.size() != 2) return false;
    lowering.execute_by_lanes();
    const Row size = prepare_word<bulk_bytes>(lowering, lowering.plain(0)), zero = lowering.rows().zero();
    const Row to = lower_address(lowering, *at[0], to_shared ? Space::shared_cluster : Space::global),
              from = lower_address(lowering, *at[1], to_shared ? Space::global : Space::shared);
    Row mbarrier = zero;
    if (to_shared) {
        sass::Operand second = *at[0];
        ++second.uniform;
        mbarrier = lower_address(lowering, second, Space::shared_cluster);
    }
    DecodedOp& op = lowering.add(by_first_lane<copy_bulk>);
    const Row rows[] = {to, from, zero, zero, size, mbarrier, zero, size};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.space = to_shared ? Space::shared : Space::global;
    op.immediate = static_cast<u64>(to_shared ? Space::global : Space::shared);
    op.flags = 7 | (to_shared ? 0 : u32{bulk_in_group});  // all addresses are wide
    return true;
}

/// rows: number of the lane, predicate result.
void elect_active(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 lane = static_cast<u32>(std::countr_zero(mask));
    for (int each = 0; each < warp_size; ++each) row<u32>(warp, op.rows[0])[each] = lane;
    set_predicate(warp, op.rows[1], mask, 1u << lane);
}

bool lower_election(Lowering& lowering) {
    if (lowering.predicate(87) != lowering.rows().true_predicate()) return false;
    DecodedOp& op = lowering.add(elect_active);
    op.rows[0] = lowering.result();
    op.rows[1] = lowering.predicate_result(81);
    return true;
}

/// Orders of asynchronous accesses, and waits for other grids: the engine runs one at a time, and its copies
/// to global memory are complete at once.
bool lower_order(Lowering& lowering) {
    lowering.add(execute_nothing);
    return true;
}

constexpr Meaning mbarrier_table[] = {
    {SYNCS_EXCH, lower_initialisation},
    {SYNCS_CCTL, lower_invalidation},
    {SYNCS_PHASECHK, lower_test},
    {SYNCS_ARRIVE, lower_arrival},
    {ARRIVES, lower_copies_arrival},
    {ARRIVES_100, lower_copies_arrival},
    {UBLKCP, lower_bulk_copy},
    {ELECT, lower_election},
    {FENCE_VIEW, lower_order},
    {UBLKPF, lower_order},
    {UTMACMDFLUSH, lower_order},
    {PREEXIT, lower_order},
    {ACQBULK, lower_order},
};

}  // namespace

Meanings mbarrier_meanings() { return mbarrier_table; }

}  // namespace warplens::simt
