// mbarriers, and addresses in a cluster's shared memory.
#include "simt/functional/block/mbarrier.h"
#include "simt/functional/block/async_copies.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/async.h"
#include "simt/functional/execute/memory.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

namespace {

constexpr u32 object_bytes = 8;

/// Runs `act(lane, barrier, bytes, space, address)` on each lane's object, one lane after another.
template <class Act>
void on_each(Warp& warp, const DecodedOp& op, u32 mask, Act act) {
    compute_addresses(warp, op, mask);
    for_each_lane({mask}, [&](int lane) {
        Space space = op.space;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        std::byte* at = resolve(warp, op, lane, address, object_bytes, space, Operation::atomic);
        if (!at) return;
        if (space != Space::shared && space != Space::shared_cluster) {
            if (!warp.block->reported_before(ProblemKind::out_of_bounds, op.site, 1))
                warp.block->report(
                    warp, op.site, 1u << lane, ProblemKind::out_of_bounds, address,
                    fmt::format("an mbarrier must be in shared memory, and {:#x} is in {} memory", address,
                                to_string(space)));
            return;
        }
        act(lane, at, space, address);
    });
}

bool is_test(const DecodedOp& op) { return op.execute == mbarrier_test || op.inner == mbarrier_test; }

/// A thread that tests an mbarrier is ordered after all arrivals at it.
void notify_races(Warp& warp, const DecodedOp& op, int lane, Space space, u64 address) {
    if (!warp.watch_races) return;
    BlockRaces& races = warp.block->races();
    const u64 word = warp.block->cluster_word(space, address);
    if (is_test(op)) races.acquire(warp, 1u << lane, Space::global, word);
    else races.release(warp, Space::global, word, true);
}

/// As on_each, for an initialised object; `act`'s changes to it are stored.
template <class Act>
void on_each_initialised(Warp& warp, const DecodedOp& op, u32 mask, Act act) {
    on_each(warp, op, mask, [&](int lane, std::byte* at, Space space, u64 address) {
        BlockRunner& block = *warp.block;
        if (is_test(op) && space == Space::shared) block.copies().finish_for(address);
        Mbarrier barrier = Mbarrier::at(at);
        if (!barrier.is_initialised()) {
            if (!block.reported_before(ProblemKind::uninitialised_read, op.site, 1))
                block.report(warp, op.site, 1u << lane, ProblemKind::uninitialised_read, address,
                             fmt::format("uses the mbarrier at {:#x}, which is not initialised: no "
                                         "mbarrier.init on it precedes this use",
                                         address));
            return;
        }
        act(lane, barrier, address);
        barrier.store(at);
        notify_races(warp, op, lane, space, address);
    });
}

}  // namespace

void mbarrier_init(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* counts = row<const u32>(warp, op.rows[1]);
    on_each(warp, op, mask, [&](int lane, std::byte* at, Space space, u64 address) {
        const u32 count = counts[lane];
        if (count == 0 || count > Mbarrier::most_arrivals)
            warp.block->report(warp, op.site, 1u << lane, ProblemKind::diverged_barrier, address,
                               fmt::format("initialises an mbarrier for {} arrivals: 1 to {} can be expected",
                                           count, Mbarrier::most_arrivals));
        Mbarrier barrier;
        barrier.pending = barrier.expected = count & Mbarrier::most_arrivals;
        barrier.store(at);
        mark_written(warp, space, address, object_bytes);
    });
}

void mbarrier_invalidate(Warp& warp, const DecodedOp& op, u32 mask) {
    on_each(warp, op, mask,
            [](int, std::byte* at, Space, u64) { std::fill_n(at, object_bytes, std::byte{0}); });
}

void mbarrier_expect(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* bytes = row<const u32>(warp, op.rows[1]);
    on_each_initialised(warp, op, mask,
                        [&](int lane, Mbarrier& barrier, u64) { barrier.expect(bytes[lane]); });
}

void mbarrier_expect_arrival(Warp& warp, const DecodedOp& op, u32 mask) {
    on_each_initialised(warp, op, mask, [](int, Mbarrier& barrier, u64) { ++barrier.pending; });
}

void mbarrier_complete(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* bytes = row<const u32>(warp, op.rows[1]);
    on_each_initialised(warp, op, mask,
                        [&](int lane, Mbarrier& barrier, u64) { barrier.complete(bytes[lane]); });
}

void mbarrier_arrive(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* counts = row<const u32>(warp, op.rows[1]);
    const u32* bytes = row<const u32>(warp, op.rows[2]);
    on_each_initialised(warp, op, mask, [&](int lane, Mbarrier& barrier, u64 address) {
        if (op.flags & arrive_has_token) row<u64>(warp, op.rows[0])[lane] = barrier.bits();
        if (op.flags & arrive_expects_bytes) barrier.expect(bytes[lane]);
        if (barrier.arrive(counts[lane], op.flags & arrive_drops)) return;
        if (warp.block->reported_before(ProblemKind::diverged_barrier, op.site, 1)) return;
        warp.block->report(warp, op.site, 1u << lane, ProblemKind::diverged_barrier, address,
                           fmt::format("{} arrive at the mbarrier at {:#x}, whose phase expects {} more: "
                                       "mbarrier.init sets how many arrive in each phase",
                                       counts[lane], address, barrier.pending));
    });
}

void mbarrier_test(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 complete = 0;
    on_each_initialised(warp, op, mask, [&](int lane, Mbarrier& barrier, u64) {
        const bool parity = op.flags & 1 ? row<const u32>(warp, op.rows[1])[lane] & 1
                                         : Mbarrier::from_bits(row<const u64>(warp, op.rows[1])[lane]).parity;
        complete |= u32{barrier.parity != parity} << lane;
    });
    set_predicate(warp, op.rows[0], mask, complete);
    if (complete != mask) warp.visit_budget = 0;
}

void mbarrier_pending_count(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        row<u32>(warp, op.rows[0])[lane] =
            Mbarrier::from_bits(row<const u64>(warp, op.rows[1])[lane]).pending;
    });
}

void arrive_after_copies(Warp& warp, const DecodedOp& op, u32 mask) {
    const bool counted_already = op.flags & 1;
    on_each_initialised(warp, op, mask, [&](int lane, Mbarrier& barrier, u64 address) {
        if (!counted_already) ++barrier.pending;
        warp.block->copies().arrive_when_done(warp, lane, address, op.site);
    });
}

void give_way(Warp& warp, const DecodedOp&, u32) { warp.visit_budget = 0; }

void map_to_rank(Warp& warp, const DecodedOp& op, u32 mask) {
    const u64 window = op.flags & 1 ? shared_window : 0;
    const u32* ranks = row<const u32>(warp, op.rows[2]);
    for_each_lane({mask}, [&](int lane) {
        const u64 from =
            op.wide_address ? row<const u64>(warp, op.rows[1])[lane] : row<const u32>(warp, op.rows[1])[lane];
        const u64 to = window + (u64{ranks[lane]} + 1) * window_bytes + from % window_bytes;
        if (op.wide_address) row<u64>(warp, op.rows[0])[lane] = to;
        else row<u32>(warp, op.rows[0])[lane] = static_cast<u32>(to);
    });
}

void rank_of_address(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const u64 address =
            op.wide_address ? row<const u64>(warp, op.rows[1])[lane] : row<const u32>(warp, op.rows[1])[lane];
        const u32 above = static_cast<u32>(address) / static_cast<u32>(window_bytes);
        row<u32>(warp, op.rows[0])[lane] = above == 0 ? warp.block->cluster_rank() : above - 1;
    });
}

}  // namespace warplens::simt
