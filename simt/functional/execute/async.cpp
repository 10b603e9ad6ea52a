// Asynchronous copies: what a copy reads, and which block's memory it writes.
#include "simt/functional/execute/async.h"

#include <algorithm>
#include <cstring>

#include "analysis/wording.h"
#include "simt/functional/block/async_copies.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/memory.h"

namespace warplens::simt {

namespace {

/// The lane's address in `rows[slot]`, plus the offset in `rows[offset]`.
u64 address_in(Warp& warp, const DecodedOp& op, int slot, int offset, bool wide, int lane) {
    const u64 base =
        wide ? row<const u64>(warp, op.rows[slot])[lane] : row<const u32>(warp, op.rows[slot])[lane];
    const u64 address = base + row<const u64>(warp, op.rows[offset])[lane];
    return wide ? address : u64{static_cast<u32>(address)};
}

}  // namespace

void copy_async(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 bytes = op.element_bytes;
    trace::Addresses from{}, to{};
    u32 reading = 0, writing = 0;
    for_each_lane({mask}, [&](int lane) {
        const std::size_t i = static_cast<std::size_t>(lane);
        to[i] = address_in(warp, op, 0, 2, op.flags & 1, lane);
        from[i] = address_in(warp, op, 1, 3, op.flags & 2, lane);
        const u32 read = std::min(bytes, row<const u32>(warp, op.rows[4])[lane]);
        Space shared = Space::shared, global = Space::global;
        std::byte* target = resolve(warp, op, lane, to[i], bytes, shared, Operation::store);
        const std::byte* source =
            read == 0 ? nullptr : resolve(warp, op, lane, from[i], bytes, global, Operation::load);
        if (source) reading |= 1u << lane;
        if (!target) return;
        AsyncCopy copy;
        copy.to = to[i];
        copy.count = bytes;
        if (source) std::memcpy(copy.few.data(), source, read);
        copy.site = op.site;
        copy.lane = static_cast<u32>(lane);
        warp.block->copies().begin(warp, std::move(copy));
        writing |= 1u << lane;
    });
    warp.addresses = from;
    if (reading) notify_access(warp, op, reading, Space::global, Operation::load);
    warp.addresses = to;
    if (writing) notify_access(warp, op, writing, Space::shared, Operation::store);
}

void copy_bulk(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr u32 granule = 16;  // addresses and size are multiples of it
    BlockRunner& block = *warp.block;
    for_each_lane({mask}, [&](int lane) {
        const u32 size = row<const u32>(warp, op.rows[4])[lane];
        u64 to = address_in(warp, op, 0, 2, op.flags & 1, lane);
        u64 from = address_in(warp, op, 1, 3, op.flags & 2, lane);
        if (size == 0 || size % granule != 0 || to % granule != 0 || from % granule != 0) {
            block.report(warp, op.site, 1u << lane, ProblemKind::misaligned, to,
                         fmt::format("copies {} in bulk from {:#x} to {:#x}: size and both addresses must "
                                     "be multiples of {}",
                                     analysis::counted(size, "byte"), from, to, granule));
            return;
        }
        Space source_space = static_cast<Space>(op.immediate);
        const std::byte* source = resolve_range(warp, op, lane, from, size, source_space, Operation::load);
        if (!source) return;
        if (op.flags & bulk_in_group) {
            Space global = Space::global;
            if (std::byte* target = resolve_range(warp, op, lane, to, size, global, Operation::store))
                std::memcpy(target, source, size);
            return;
        }
        auto copy_to = [&](u64 target_address, u64 mbarrier_address) {
            Space space = Space::shared_cluster, mbarrier_space = Space::shared_cluster;
            if (!resolve_range(warp, op, lane, target_address, size, space, Operation::store) ||
                !resolve(warp, op, lane, mbarrier_address, 8, mbarrier_space, Operation::atomic))
                return;
            BulkCopy bulk;
            bulk.copy.to = target_address % window_bytes;
            bulk.copy.count = size;
            bulk.copy.many.assign(source, source + size);
            bulk.copy.site = op.site;
            bulk.copy.lane = static_cast<u32>(lane);
            bulk.warp = warp.index;
            bulk.mbarrier = mbarrier_address % window_bytes;
            block.cluster().blocks[target_address / window_bytes]->copies().begin_bulk(std::move(bulk));
        };
        const u64 mbarrier = address_in(warp, op, 5, 6, op.flags & 4, lane);
        if (!(op.flags & bulk_multicast)) return copy_to(to, mbarrier);
        u32 ranks = row<const u32>(warp, op.rows[7])[lane] & 0xffff;
        for_each_lane({ranks}, [&](int rank) {
            const u64 base = (static_cast<u64>(rank) + 1) * window_bytes;
            copy_to(base + to % window_bytes, base + mbarrier % window_bytes);
        });
    });
}

void commit_copies(Warp& warp, const DecodedOp&, u32 mask) { warp.block->copies().commit(warp, mask); }

void wait_for_copies(Warp& warp, const DecodedOp& op, u32 mask) {
    warp.block->copies().wait_for_groups(warp, mask, static_cast<u32>(op.immediate));
}

void wait_for_all_copies(Warp& warp, const DecodedOp&, u32 mask) {
    warp.block->copies().wait_for_all(warp, mask);
}

}  // namespace warplens::simt
