#include "simt/functional/races/block_races.h"

#include <bit>
#include <cstring>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/memory/launch_buffers.h"

namespace warplens::simt {

BlockRaces::BlockRaces(LaunchRaces& launch, std::size_t warps, u64 shared_bytes)
    : launch_(launch),
      clocks_(warps),
      shared_memory_(((shared_bytes >> launch.shared_shift()) + 1) * Cells::bytes_per_cell),
      shared_count_((shared_bytes >> launch.shared_shift()) + 1),
      shared_(Cells::over(shared_memory_.data(), shared_count_)) {
    for (auto& of_memory : recent_) of_memory.resize(warps);
}

void BlockRaces::begin(u64 linear_block) {
    block_ = linear_block;
    ++epoch_;
    clocks_.reset();
    if (shared_.any_write) std::fill_n(shared_.write, shared_count_, StampId{0});
    if (shared_.any_read) {
        std::fill_n(shared_.read, shared_count_, StampId{0});
        std::fill_n(shared_.other_read, shared_count_, StampId{0});
    }
    shared_.any_write = shared_.any_read = false;
    shared_stamps_.clear();
    shared_locations_.clear();
    known_.clear();
    barriers_.fill({});
    exited_ = {};
    for (auto& of_memory : recent_) std::fill(of_memory.begin(), of_memory.end(), std::array<Recent, 16>{});
}

void BlockRaces::meet(const Warp& warp, u32 lanes) {
    ++epoch_;
    clocks_.meet(warp.index, lanes, (warp.live & ~lanes) == 0);
}

void BlockRaces::fence(const Warp& warp, bool beyond_block) {
    ++epoch_;
    clocks_.fence(warp.index, beyond_block);
}

void BlockRaces::arrive(const Warp& warp, u32 barrier) {
    ++epoch_;
    clocks_.arrive(warp.index, barriers_[barrier]);
}

void BlockRaces::exit(const Warp& warp) {
    ++epoch_;
    clocks_.arrive(warp.index, exited_);
}

void BlockRaces::leave(const Warp& warp, u32 barrier, u32 lanes) {
    clocks_.leave(warp.index, barriers_[barrier]);
    clocks_.leave(warp.index, exited_);
    meet(warp, lanes);
}

void BlockRaces::release(const Warp& warp, Space space, u64 address, bool write_releases) {
    const bool shared = space == Space::shared;
    ++epoch_;
    WarpTimes in_block = clocks_.released(warp.index, write_releases, false);
    WarpTimes beyond;
    if (!shared) beyond = write_releases ? in_block : clocks_.released(warp.index, false, true);
    (shared ? shared_locations_ : launch_.locations)
        .leave(address, block_, std::move(in_block), std::move(beyond), known_);
}

void BlockRaces::acquire(const Warp& warp, u32 lanes, Space space, u64 address) {
    SyncLocations& locations = space == Space::shared ? shared_locations_ : launch_.locations;
    if (locations.empty()) return;
    const SyncLocation* location = locations.find(address);
    if (!location) return;
    ++epoch_;
    if (auto mine = location->by_block.find(block_); mine != location->by_block.end())
        for_each_lane({lanes}, [&](int lane) {
            clocks_.learn(warp.index, static_cast<u32>(lane), mine->second.in_block);
        });
    if (space != Space::shared) known_.add(*location, static_cast<u32>(location->entries.size()));
}

StampId BlockRaces::stamp_of(const Warp& warp, SiteId site, const SiteStrength& strength, bool shared) {
    const u32 time = clocks_.now(warp.index);
    Recent& recent = recent_[shared][warp.index][site % 16];
    if (recent.site == site && recent.time == time) return recent.stamp;
    StampTable& stamps = shared ? shared_stamps_ : launch_.stamps;
    recent = {site, time, stamps.add({block_, site, warp.index, time, strength.strong})};
    return recent.stamp;
}

void BlockRaces::compute_verdict(const Request& request, StampId id, Verdict& verdict) const {
    const u32 warp = request.warp.index;
    const Stamp& earlier = request.stamps[id];
    verdict = {.stamp = id, .warp = warp, .epoch = epoch_};
    verdict.strong = earlier.strong;
    verdict.own = earlier.block == block_ && earlier.warp == warp;
    verdict.own_now = verdict.own && earlier.time == clocks_.now(warp);
    const auto one_way = [](bool before) { return before ? Order::before : Order::unordered; };
    if (earlier.block != block_)
        verdict.order = one_way(known_.covers(earlier.block, earlier.warp, earlier.time));
    else if (!verdict.own) verdict.order = one_way(clocks_.before(earlier.warp, 0, earlier.time, warp, 0));
    else verdict.order = clocks_.all_before(warp, earlier.time) ? Order::before : Order::by_lane;
}

bool BlockRaces::races(const Request& request, StampId id, u32 lane_then, u32 lane) {
    const Verdict& verdict = judge(request, id);
    if (verdict.order == Order::before) return false;
    const bool both_strong = verdict.strong && request.strength.strong;
    if (verdict.order == Order::unordered) return !both_strong;
    if (both_strong && !request.strength.in_step) return false;
    if (clocks_.before(verdict.warp, lane_then, request.stamps[id].time, verdict.warp, lane)) return false;
    const bool perhaps =
        request.strength.perhaps_volatile && launch_.strength(request.stamps[id].site).perhaps_volatile;
    if (both_strong || perhaps) note_lockstep(request, id, lane_then, lane);
    return !both_strong && !perhaps;
}

u8* BlockRaces::read(const Request& request, Cells& cells, u64 index, u32 lane, u64 address) {
    const u8 reader = static_cast<u8>(lane);
    if (const StampId writer = cells.write[index]; writer != 0)
        if (races(request, writer, cells.writer[index], lane))
            report(request, writer, cells.writer[index], lane, address);
    u8* last = cells.last_reader + index;
    const StampId known = cells.read[index];
    bool kept = known == request.stamp;
    if (known != 0 && !kept) {
        const Verdict& verdict = judge(request, known);
        kept = verdict.own_now;
        if (!verdict.own && verdict.order == Order::unordered) {
            cells.other_read[index] = request.stamp;
            last = cells.other_reader + index;
            kept = true;
        }
    }
    if (!kept) {
        cells.any_read = true;
        cells.read[index] = request.stamp;
        cells.first_reader[index] = reader;
    }
    *last = reader;
    return last;
}

void BlockRaces::write(const Request& request, Cells& cells, u64 index, u32 lane, u64 address) {
    const bool plain = request.strength.plain_store;
    const u32 value = plain ? written_value(request, lane, address) : 0;
    // Two threads that write the same value are harmless, as when all of them set one flag.
    const auto same = [&](StampId earlier) {
        return plain && cells.value[index] == value &&
               launch_.strength(request.stamps[earlier].site).plain_store;
    };
    if (const StampId writer = cells.write[index]; writer != 0)
        if (races(request, writer, cells.writer[index], lane) && !same(writer))
            report(request, writer, cells.writer[index], lane, address);
    if (const StampId reader = cells.read[index]; reader != 0) {
        const u8 first = cells.first_reader[index], last = cells.last_reader[index];
        const StampId other = cells.other_read[index];
        // The reader of another warp first: what orders these two also orders accesses of one warp.
        if (other != 0 && !judge(request, other).own &&
            races(request, other, cells.other_reader[index], lane))
            report(request, other, cells.other_reader[index], lane, address);
        else if (races(request, reader, first, lane)) report(request, reader, first, lane, address);
        else if (last != first && races(request, reader, last, lane))
            report(request, reader, last, lane, address);
        else if (other != 0 && races(request, other, cells.other_reader[index], lane))
            report(request, other, cells.other_reader[index], lane, address);
        if (request.strength.atomic && judge(request, reader).own && (first == lane || last == lane))
            launch_.peeks.insert(request.stamps[reader].site);
        cells.read[index] = cells.other_read[index] = 0;
    }
    cells.any_write = true;
    cells.write[index] = request.stamp;
    cells.writer[index] = static_cast<u8>(lane);
    cells.value[index] = value;
}

/// The value that a plain store writes to the granule at `address`.
u32 BlockRaces::written_value(const Request& request, u32 lane, u64 address) const {
    const u64 granule = u64{1} << request.shift;
    const DecodedOp& op = request.op;
    const u64 first = (*request.access.addresses)[lane];
    std::byte bytes[64] = {};
    if (op.bytes() <= sizeof bytes) {
        for (u32 i = 0; i < op.vector_width; ++i) {
            const std::byte* from = request.warp.registers + op.rows[i];
            std::memcpy(bytes + i * op.element_bytes, from + lane * (op.element_bytes == 8 ? 8 : 4),
                        op.element_bytes);
        }
    }
    u64 value = 0;
    std::memcpy(&value, bytes + (address - first), granule);
    return static_cast<u32>(value ^ value >> 32);
}

void BlockRaces::note(Warp& warp, const DecodedOp& op, const trace::Access& access) {
    const bool shared = access.space == Space::shared;
    if (!shared && access.space != Space::global) return;
    const SiteStrength& strength = launch_.strength(access.site);
    if (strength.ignored || access.bytes_per_lane == 0) return;
    const u32 lanes = access.mask.bits;
    const trace::Addresses& at = *access.addresses;
    // Arguments of launched grids are the engine's own memory, which a launch in several calls uses again.
    const LaunchBuffers* const buffers = shared ? nullptr : warp.block->launch().memory->launch_buffers();
    if (buffers && lanes != 0 && buffers->holds(at[static_cast<std::size_t>(std::countr_zero(lanes))]))
        return;
    if (strength.strong)
        for_each_lane({lanes}, [&](int lane) {
            acquire(warp, 1u << lane, access.space, at[static_cast<std::size_t>(lane)]);
        });
    if (!shared && launch_.full()) {
        if (strength.strong && access.operation != Operation::load) release_all(warp, access, strength);
        return;
    }
    const Request request{warp,
                          op,
                          access,
                          strength,
                          shared ? shared_stamps_ : launch_.stamps,
                          stamp_of(warp, access.site, strength, shared),
                          shared,
                          shared ? launch_.shared_shift() : launch_.global_shift()};
    const bool writes = access.operation != Operation::load;
    touch_lanes(request);
    if (strength.strong && writes) release_all(warp, access, strength);
}

void BlockRaces::touch_lane(const Request& request, u32 lane) {
    const u64 first = (*request.access.addresses)[lane];
    const u64 last = (first + request.access.bytes_per_lane - 1) >> request.shift;
    const bool writes = request.access.operation != Operation::load;
    for (u64 cell = first >> request.shift; cell <= last; ++cell) {
        u64 index = 0;
        Cells* cells = cells_of(request, cell, index);
        if (!cells) return;
        if (writes) write(request, *cells, index, lane, cell << request.shift);
        else read(request, *cells, index, lane, cell << request.shift);
    }
}

void BlockRaces::release_all(const Warp& warp, const trace::Access& access, const SiteStrength& strength) {
    for_each_lane(access.mask, [&](int lane) {
        release(warp, access.space, (*access.addresses)[static_cast<std::size_t>(lane)], strength.releases);
    });
}

}  // namespace warplens::simt
