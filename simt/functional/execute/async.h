// Executors of asynchronous copies, of mbarriers, and of addresses in a cluster's shared memory.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

// ---- copies: see async_copies.h for what they do and when
/// cp.async. rows: shared address, global address, their offsets, bytes to read; flags 1, 2: wide addresses.
void copy_async(Warp& warp, const DecodedOp& op, u32 mask);
/// cp.async.bulk. rows: target, source, their offsets, size, mbarrier, its offset, blocks' mask; flags as
/// above, 4: wide mbarrier address, 8: to every block of the mask, 16: counted by a group instead of an
/// mbarrier. `space` is the target's, `immediate` the source's.
void copy_bulk(Warp& warp, const DecodedOp& op, u32 mask);
enum BulkFlag : u32 { bulk_multicast = 8, bulk_in_group = 16 };
void commit_copies(Warp& warp, const DecodedOp& op, u32 mask);
/// immediate: how many of the latest groups may remain unfinished.
void wait_for_copies(Warp& warp, const DecodedOp& op, u32 mask);
void wait_for_all_copies(Warp& warp, const DecodedOp& op, u32 mask);
/// cp.async.mbarrier.arrive; flags 1: .noinc.
void arrive_after_copies(Warp& warp, const DecodedOp& op, u32 mask);

// ---- mbarriers: the address is in the address row; see mbarrier.h for the object
void mbarrier_init(Warp& warp, const DecodedOp& op, u32 mask);  // rows[1]: count
void mbarrier_invalidate(Warp& warp, const DecodedOp& op, u32 mask);
void mbarrier_expect(Warp& warp, const DecodedOp& op, u32 mask);  // rows[1]: bytes
/// One more arrival in this phase: machine code announces that of cp.async.mbarrier.arrive.
void mbarrier_expect_arrival(Warp& warp, const DecodedOp& op, u32 mask);
void mbarrier_complete(Warp& warp, const DecodedOp& op, u32 mask);  // rows[1]: bytes
/// rows: token, count, bytes; flags as named.
void mbarrier_arrive(Warp& warp, const DecodedOp& op, u32 mask);
enum ArriveFlag : u32 { arrive_drops = 1, arrive_expects_bytes = 2, arrive_has_token = 4 };
/// rows: predicate, token or parity; flags 1: parity.
void mbarrier_test(Warp& warp, const DecodedOp& op, u32 mask);
void mbarrier_pending_count(Warp& warp, const DecodedOp& op, u32 mask);  // rows: count, token

/// nanosleep: other warps run first.
void give_way(Warp& warp, const DecodedOp& op, u32 mask);

// ---- clusters
/// mapa. rows: result, address, rank; wide_address: 64 bits; flags 1: generic addresses.
void map_to_rank(Warp& warp, const DecodedOp& op, u32 mask);
/// getctarank. rows: rank, address.
void rank_of_address(Warp& warp, const DecodedOp& op, u32 mask);

}  // namespace warplens::simt
