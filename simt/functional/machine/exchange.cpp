// Exchanges between the lanes of a warp. They take part by being active, not by a member mask: the compiler
// has brought the lanes of a mask together before.
#include <algorithm>
#include <bit>

#include "simt/functional/execute/warp.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "simt/functional/machine/operations.h"
#include "simt/functional/machine/warp_reduction.h"

namespace warplens::simt {

namespace {

using enum sass::InstructionId;

bool lower_shuffle(Lowering& lowering) {
    constexpr u32 modes[] = {shuffle_index, shuffle_up, shuffle_down, shuffle_butterfly};
    const Row a = lowering.plain(0), b = lowering.plain(1), c = lowering.plain(2);
    DecodedOp& op = lowering.add(shuffle);
    const Row rows[] = {lowering.result(), lowering.predicate_result(81), a, b, c};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = modes[lowering.modifier("shuffle") & 3] | shuffle_predicate;
    return true;
}

/// rows: ballot, predicate result, predicate. flags: 0 all, 1 any, 2 equal; 4: the results are the warp's.
void ballot(Warp& warp, const DecodedOp& op, u32 mask) {
    meet_lanes(warp, op, mask);
    const u32 holds = predicate(warp, op.rows[2]) & mask;
    if (warp.observer) {
        trace::Lanes values{};
        for_each_lane({mask}, [&](int lane) { values[static_cast<std::size_t>(lane)] = holds >> lane & 1; });
        warp.observer->exchange(static_cast<int>(warp.index), op.site, {mask}, values);
    }
    const u32 how = op.flags & 3;
    const bool result = how == 0 ? holds == mask : how == 1 ? holds != 0 : holds == 0 || holds == mask;
    const u32 lanes = op.flags & 4 ? 0xffffffffu : mask;
    for_each_lane({lanes}, [&](int lane) { row<u32>(warp, op.rows[0])[lane] = holds; });
    set_predicate(warp, op.rows[1], lanes, result ? lanes : 0);
}

bool lower_vote(Lowering& lowering) {
    const Row p = lowering.predicate(87);
    DecodedOp& op = lowering.add(ballot);
    const Row rows[] = {lowering.result(), lowering.predicate_result(81), p};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = lowering.modifier("vote") | u32{lowering.id() == VOTEU} << 2;
    return true;
}

bool lower_match(Lowering& lowering) {
    const bool wide = lowering.modifier("U64") != 0;
    const Row pair = lowering.plain(0);
    const Row source = wide ? lowering.widened(pair) : pair;
    DecodedOp& op = lowering.add(match);
    const Row rows[] = {lowering.result(), lowering.predicate_result(81), source};
    std::copy(std::begin(rows), std::end(rows), op.rows);
    op.flags = (lowering.modifier_name("match") == "ALL" ? match_all | shuffle_predicate : 0u) |
               (wide ? match_wide : 0u);
    return true;
}

bool lower_reduction(Lowering& lowering) {
    const bool is_signed = lowering.modifier("S32") != 0;
    const std::string_view name = lowering.modifier_name("redux");
    const u32 mode = name.empty()    ? reduce_and
                     : name == "OR"  ? reduce_or
                     : name == "XOR" ? reduce_xor
                     : name == "SUM" ? reduce_add
                     : name == "MIN" ? (is_signed ? reduce_min_signed : reduce_min)
                                     : (is_signed ? reduce_max_signed : reduce_max);
    reduce_to_uniform(lowering, reduce, mode);
    return true;
}

constexpr Meaning warp_table[] = {
    {SHFL, lower_shuffle}, {VOTE, lower_vote},       {VOTEU, lower_vote},
    {MATCH, lower_match},  {REDUX, lower_reduction},
};

}  // namespace

Meanings warp_meanings() { return warp_table; }

}  // namespace warplens::simt
