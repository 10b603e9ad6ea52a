#include "simt/functional/race_detector.h"

#include "simt/functional/block_runner.h"

namespace warplens::simt {

void RaceDetector::begin(u64 shared_bytes) {
    bytes_.assign(shared_bytes, {});
    epoch_ = 1;
}

void RaceDetector::report(Warp& warp, SiteId site, int lane, u64 address, bool writes, u32 other_thread,
                          SiteId other_site, bool other_writes) {
    BlockRunner& block = *warp.block;
    if (block.reported_before(ProblemKind::shared_race, site, 1)) return;
    block.report(warp, site, 1u << lane, ProblemKind::shared_race, address,
                 fmt::format("{} shared memory at {:#x} that thread {} {} at {} with no barrier in between",
                             writes ? "writes" : "reads", address, other_thread,
                             other_writes ? "writes" : "reads", block.describe_site(other_site)));
}

void RaceDetector::note(Warp& warp, const trace::Access& access) {
    if (access.space != Space::shared) return;
    const bool writes = access.operation != Operation::load;
    const bool atomic = access.operation == Operation::atomic;
    for_each_lane(access.mask, [&](int lane) {
        const u32 thread = warp.index * warp_size + static_cast<u32>(lane);
        const u64 first = (*access.addresses)[static_cast<std::size_t>(lane)];
        for (u64 address = first; address < first + access.bytes_per_lane; ++address) {
            Byte& byte = bytes_[address];
            if (byte.epoch != epoch_) byte = {epoch_, 0, 0, 0, 0, false};
            auto other_warp = [&](u16 who) { return who != 0 && (who - 1u) / warp_size != warp.index; };
            if (other_warp(byte.writer) && !(atomic && byte.atomic_write))
                report(warp, access.site, lane, address, writes, byte.writer - 1u, byte.write_site, true);
            else if (writes && other_warp(byte.reader))
                report(warp, access.site, lane, address, true, byte.reader - 1u, byte.read_site, false);
            if (writes) {
                byte.writer = static_cast<u16>(thread + 1);
                byte.write_site = access.site;
                byte.atomic_write = atomic;
            } else if (byte.reader == 0 || !other_warp(byte.reader)) {
                byte.reader = static_cast<u16>(thread + 1);
                byte.read_site = access.site;
            }
        }
    });
}

}  // namespace warplens::simt
