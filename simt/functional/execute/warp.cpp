#include "simt/functional/execute/warp.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/lane_functions.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

void meet_lanes(Warp& warp, const DecodedOp&, u32 mask) {
    if (warp.watch_races) warp.block->races().meet(warp, mask);
}

namespace {

/// Lanes at a place where nothing is left to do but to return.
u32 lanes_that_return(const Warp& warp) {
    u32 lanes = 0;
    for (const Group& group : warp.groups) {
        const DecodedBlock& at = warp.block->kernel().blocks[group.block];
        const bool ends = at.control == Control::exit ||
                          (at.control == Control::leave_function && group.frame->parent == nullptr);
        if (ends && !at.guarded && at.first_op == at.end_op) lanes |= group.mask;
    }
    return lanes;
}

/// The participating lanes: active lanes that the member mask names, all of them in machine code. Named lanes
/// that have not exited and do not execute the instruction would hang a GPU; they are reported.
u32 taking_part(Warp& warp, const DecodedOp& op, u32 mask, Row members) {
    if ((op.flags & warp_named) == 0) {
        meet_lanes(warp, op, mask);
        return mask;
    }
    const u32* named = row<const u32>(warp, members);
    u32 first = named[std::countr_zero(mask)];
    if (warp.watch_races) warp.block->races().meet(warp, mask & first);
    const u32 strangers = mask & ~first;
    if (strangers != 0 && !warp.block->reported_before(ProblemKind::absent_lane, op.site, 1)) {
        warp.block->report(warp, op.site, strangers, ProblemKind::absent_lane, 0,
                           fmt::format("lane {} executes this with the member mask {:#010x}, which does not "
                                       "contain it: a lane must be in its own mask",
                                       std::countr_zero(strangers), first));
    }
    u32 absent = first & warp.live & ~mask;
    if (absent != 0) absent &= ~lanes_that_return(warp);
    if (absent != 0 && !warp.block->reported_before(ProblemKind::absent_lane, op.site, 1)) {
        warp.block->report(
            warp, op.site, mask, ProblemKind::absent_lane, 0,
            fmt::format("the member mask {:#010x} names lanes that do not execute this ({:#010x}): all lanes "
                        "of the mask must execute the instruction together",
                        first, absent));
    }
    return mask & first;
}

/// A lane that reads a source that does not take part, and why that one does not.
std::string absent_source(const Warp& warp, int lane, int source, u32 members) {
    const u32 bit = u32{1} << source;
    const bool named = (members & bit) != 0;
    const std::string why = (warp.live & ~lanes_that_return(warp) & bit) == 0
                                ? "which has ended or does not exist"
                            : named ? "which does not execute it"
                                    : fmt::format("which the member mask {:#010x} does not name", members);
    return fmt::format(
        "the shuffle's lane {} reads lane {}, {}: the value is undefined; every lane that is read "
        "must execute the same shuffle and be in its mask",
        lane, source, why);
}

template <class ValueOf>
void report_exchange(Warp& warp, const DecodedOp& op, u32 mask, ValueOf value_of) {
    trace::Lanes reported{};
    for_each_lane({mask}, [&](int lane) {
        reported[static_cast<std::size_t>(lane)] = static_cast<u8>(value_of(lane));
    });
    warp.observer->exchange(static_cast<int>(warp.index), op.site, {mask}, reported);
}

}  // namespace

void shuffle(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 present = taking_part(warp, op, mask, op.rows[5]);
    u32* d = row<u32>(warp, op.rows[0]);
    alignas(64) s32 from[warp_size];
    static const LaneFunctions& lanes = lane_functions();
    const u32 inside = lanes.shuffle_sources(op.flags & warp_mode, row<const u32>(warp, op.rows[3]),
                                             row<const u32>(warp, op.rows[4]), from);
    if (warp.observer)
        report_exchange(warp, op, mask,
                        [&](int lane) { return (present >> from[lane] & 1u) != 0 ? from[lane] : lane; });
    if (present == 0xffffffffu) {
        lanes.permute_words(d, row<const u32>(warp, op.rows[2]), from);
    } else {
        u32 before[warp_size];
        std::copy_n(row<const u32>(warp, op.rows[2]), warp_size, before);
        u32 absent = 0;
        for_each_lane({mask}, [&](int lane) {
            const bool here = (present >> from[lane] & 1u) != 0;
            absent |= u32{!here} << lane;
            d[lane] = before[here ? from[lane] : lane];
        });
        // The source lane has exited, is elsewhere, or does not exist in the block.
        if (absent != 0 && (op.flags & warp_named) != 0 &&
            !warp.block->reported_before(ProblemKind::absent_lane, op.site, 1)) {
            const int lane = std::countr_zero(absent);
            warp.block->report(warp, op.site, absent, ProblemKind::absent_lane, 0,
                               absent_source(warp, lane, from[lane],
                                             row<const u32>(warp, op.rows[5])[std::countr_zero(mask)]));
        }
    }
    if (op.flags & shuffle_predicate) set_predicate(warp, op.rows[1], mask, inside);
}

void vote(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 present = taking_part(warp, op, mask, op.rows[2]);
    u32 holds = predicate(warp, op.rows[1]) & present;
    if (warp.observer) report_exchange(warp, op, mask, [&](int lane) { return holds >> lane & 1u; });
    switch (op.flags & warp_mode) {
        case vote_ballot:
            for_each_lane({mask}, [&](int lane) { row<u32>(warp, op.rows[0])[lane] = holds; });
            return;
        case vote_all:
            return set_predicate(warp, op.rows[0], mask, holds == present ? mask : 0);
        case vote_any:
            return set_predicate(warp, op.rows[0], mask, holds != 0 ? mask : 0);
        default:
            return set_predicate(warp, op.rows[0], mask, holds == 0 || holds == present ? mask : 0);
    }
}

void match(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 present = taking_part(warp, op, mask, op.rows[3]);
    auto value = [&](int lane) {
        return op.flags & match_wide ? row<const u64>(warp, op.rows[2])[lane]
                                     : u64{row<const u32>(warp, op.rows[2])[lane]};
    };
    u32 equal[warp_size] = {};
    for_each_lane({mask}, [&](int lane) {
        for_each_lane({present},
                      [&](int other) { equal[lane] |= u32{value(lane) == value(other)} << other; });
    });
    if (warp.observer)
        report_exchange(warp, op, mask, [&](int lane) {
            return std::countr_zero(equal[lane] != 0 ? equal[lane] : u32{1} << lane);
        });
    u32 everyone = 0;
    for_each_lane({mask}, [&](int lane) {
        if (op.flags & match_all) {
            bool all = equal[lane] == present;
            everyone |= u32{all} << lane;
            row<u32>(warp, op.rows[0])[lane] = all ? present : 0;
        } else {
            row<u32>(warp, op.rows[0])[lane] = equal[lane];
        }
    });
    if (op.flags & shuffle_predicate) set_predicate(warp, op.rows[1], mask, everyone);
}

void reduce(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 present = taking_part(warp, op, mask, op.rows[2]);
    const u32* a = row<const u32>(warp, op.rows[1]);
    bool first = true;
    u32 total = 0;
    for_each_lane({present}, [&](int lane) {
        u32 x = a[lane];
        if (first) {
            total = x;
            first = false;
            return;
        }
        switch (op.flags & warp_mode) {
            case reduce_add:
                total += x;
                break;
            case reduce_min:
                total = std::min(total, x);
                break;
            case reduce_max:
                total = std::max(total, x);
                break;
            case reduce_min_signed:
                total = static_cast<u32>(std::min(static_cast<s32>(total), static_cast<s32>(x)));
                break;
            case reduce_max_signed:
                total = static_cast<u32>(std::max(static_cast<s32>(total), static_cast<s32>(x)));
                break;
            case reduce_and:
                total &= x;
                break;
            case reduce_or:
                total |= x;
                break;
            default:
                total ^= x;
                break;
        }
    });
    for_each_lane({mask}, [&](int lane) { row<u32>(warp, op.rows[0])[lane] = total; });
}

void reduce_float(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 present = taking_part(warp, op, mask, op.rows[2]);
    const bool max = (op.flags & warp_mode) == reduce_max;
    float total = std::bit_cast<float>(0x7fffffffu);  // until the first number
    bool any_nan = false;
    for_each_lane({present}, [&](int lane) {
        float x = row<const float>(warp, op.rows[1])[lane];
        if (op.flags & reduce_magnitude) x = std::fabs(x);
        any_nan |= x != x;
        if (x != x) return;
        // -0 is less than +0.
        const bool better = total != total || (x == total ? std::signbit(x) != max : (x > total) == max);
        if (better) total = x;
    });
    if (any_nan && (op.flags & reduce_nan)) total = std::bit_cast<float>(0x7fffffffu);
    for_each_lane({mask}, [&](int lane) { row<float>(warp, op.rows[0])[lane] = total; });
}

void warp_barrier(Warp& warp, const DecodedOp& op, u32 mask) { taking_part(warp, op, mask, op.rows[0]); }

void elect(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 present = taking_part(warp, op, mask, op.rows[2]);
    u32 leader = static_cast<u32>(std::countr_zero(present));
    for_each_lane({mask}, [&](int lane) { row<u32>(warp, op.rows[0])[lane] = leader; });
    set_predicate(warp, op.rows[1], mask, present & (0u - present));
}

void active_mask(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) { row<u32>(warp, op.rows[0])[lane] = mask; });
}

}  // namespace warplens::simt
