#include "simt/functional/block/async_copies.h"

#include <algorithm>
#include <cstring>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/block/mbarrier.h"

namespace warplens::simt {

namespace {

const std::byte* bytes_of(const AsyncCopy& copy) {
    return copy.many.empty() ? copy.few.data() : copy.many.data();
}

bool covers(const AsyncCopy& copy, u64 offset) { return offset >= copy.to && offset - copy.to < copy.count; }

}  // namespace

void AsyncCopies::clear() {
    if (!used_) return;
    for (OfWarp& warp : warps_) warp = {};
    bulk_.clear();
    arrivals_.clear();
    next_order_ = 1;
    used_ = false;
}

void AsyncCopies::mark_under_way(const AsyncCopy& copy) {
    const SharedBytes shared = block_.shared_bytes();
    for (u64 at = copy.to; at < copy.to + copy.count; ++at) {
        *shared.unwritten += shared.written[at] != 0;
        shared.written[at] = 0;
    }
    used_ = true;
}

void AsyncCopies::begin(Warp& warp, AsyncCopy copy) {
    mark_under_way(copy);
    copy.order = next_order_++;
    warps_[warp.index].copies.push_back(std::move(copy));
}

void AsyncCopies::begin_bulk(BulkCopy copy) {
    mark_under_way(copy.copy);
    bulk_.push_back(std::move(copy));
}

void AsyncCopies::commit(const Warp& warp, u32 lanes) {
    used_ = true;
    OfWarp& own = warps_[warp.index];
    for_each_lane({lanes}, [&](int lane) { ++own.committed[static_cast<std::size_t>(lane)]; });
    for (AsyncCopy& copy : own.copies)
        if (copy.group == 0 && (lanes >> copy.lane & 1) != 0) copy.group = own.committed[copy.lane];
}

template <class Which>
void AsyncCopies::finish(u32 warp, Which which) {
    Warp& of = block_.warp(warp);
    std::erase_if(warps_[warp].copies, [&](const AsyncCopy& copy) {
        if (!which(copy)) return false;
        write(of, copy);
        return true;
    });
}

void AsyncCopies::wait_for_groups(Warp& warp, u32 lanes, u32 groups) {
    const OfWarp& own = warps_[warp.index];
    finish(warp.index, [&](const AsyncCopy& copy) {
        return (lanes >> copy.lane & 1) != 0 && copy.group != 0 &&
               u64{copy.group} + groups <= own.committed[copy.lane];
    });
}

void AsyncCopies::wait_for_all(Warp& warp, u32 lanes) {
    finish(warp.index, [&](const AsyncCopy& copy) { return (lanes >> copy.lane & 1) != 0; });
}

void AsyncCopies::arrive_when_done(const Warp& warp, int lane, u64 mbarrier, SiteId site) {
    used_ = true;
    arrivals_.push_back({warp.index, lane, mbarrier, next_order_ - 1, site});
}

void AsyncCopies::finish_for(u64 mbarrier) {
    if (arrivals_.empty() && bulk_.empty()) return;
    std::byte* at = block_.shared_bytes().bytes + mbarrier;
    std::erase_if(arrivals_, [&](const Arrival& arrival) {
        if (arrival.mbarrier != mbarrier) return false;
        finish(arrival.warp, [&](const AsyncCopy& copy) {
            return copy.lane == static_cast<u32>(arrival.lane) && copy.order <= arrival.order;
        });
        Mbarrier barrier = Mbarrier::at(at);
        if (!barrier.arrive(1, false))
            block_.report(
                block_.warp(arrival.warp), arrival.site, 1u << arrival.lane, ProblemKind::diverged_barrier,
                mbarrier,
                fmt::format("the copies' arrival at the mbarrier at {:#x} is one more than its phase "
                            "expects: count it in mbarrier.init, or leave .noinc out",
                            mbarrier));
        barrier.store(at);
        return true;
    });
    std::erase_if(bulk_, [&](const BulkCopy& bulk) {
        if (bulk.mbarrier != mbarrier) return false;
        write(block_.warp(0), bulk.copy);
        Mbarrier barrier = Mbarrier::at(at);
        barrier.complete(bulk.copy.count);
        barrier.store(at);
        return true;
    });
}

void AsyncCopies::write(Warp& warp, const AsyncCopy& copy) {
    const SharedBytes shared = block_.shared_bytes();
    bool overwritten = false;
    for (u64 at = copy.to; at < copy.to + copy.count; ++at) {
        overwritten |= shared.written[at] != 0;
        *shared.unwritten -= shared.written[at] == 0;
        shared.written[at] = 1;
    }
    std::memcpy(shared.bytes + copy.to, bytes_of(copy), copy.count);
    if (overwritten && !block_.reported_before(ProblemKind::shared_race, copy.site, 1))
        block_.report(warp, copy.site, 1u << copy.lane, ProblemKind::shared_race, copy.to,
                      fmt::format("the shared memory at {:#x} was also written by another access while this "
                                  "copy to it was in progress. The target of a copy is free again only after "
                                  "a wait for the copy (cp.async.wait_group) and a barrier",
                                  copy.to));
}

const AsyncCopy* AsyncCopies::find(u64 offset, u32& warp) const {
    for (warp = 0; warp < warps_.size(); ++warp)
        for (const AsyncCopy& copy : warps_[warp].copies)
            if (covers(copy, offset)) return &copy;
    for (const BulkCopy& bulk : bulk_) {
        warp = bulk.warp;
        if (covers(bulk.copy, offset)) return &bulk.copy;
    }
    return nullptr;
}

bool AsyncCopies::report_read(Warp& warp, SiteId site, int lane, u64 address, u64 offset) {
    if (!used_) return false;
    u32 copying = 0;
    const AsyncCopy* copy = find(offset, copying);
    if (!copy) return false;
    BlockRunner& reader = *warp.block;
    if (reader.reported_before(ProblemKind::shared_race, site, 1)) return true;
    const u32 thread = copying * warp_size + copy->lane;
    reader.report(
        warp, site, 1u << lane, ProblemKind::shared_race, address,
        fmt::format("reads shared memory at {:#x} while the asynchronous copy to it by thread {} at "
                    "{} is in progress. Its bytes are there only after a wait for the copy "
                    "(cp.async.wait_group, or the mbarrier that counts it)",
                    address, thread, block_.describe_site(copy->site)),
        block_.party(copy->site, thread));
    return true;
}

}  // namespace warplens::simt
