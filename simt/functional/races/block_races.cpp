#include "simt/functional/races/block_races.h"

#include <cstring>

#include "simt/functional/block_runner.h"

namespace warplens::simt {

BlockRaces::BlockRaces(LaunchRaces& launch, std::size_t warps, u64 shared_bytes)
    : launch_(launch), clocks_(warps), shared_((shared_bytes >> launch.shared_shift()) + 1) {
    for (auto& of_memory : recent_) of_memory.resize(warps);
}

void BlockRaces::begin(u64 linear_block) {
    block_ = linear_block;
    clocks_.reset();
    std::fill(shared_.begin(), shared_.end(), Cell{});
    shared_stamps_.clear();
    shared_locations_.clear();
    known_.from.clear();
    barriers_.fill({});
    exited_ = {};
    for (auto& of_memory : recent_) std::fill(of_memory.begin(), of_memory.end(), std::array<Recent, 16>{});
}

void BlockRaces::meet(const Warp& warp, u32 lanes) {
    clocks_.meet(warp.index, lanes, (warp.live & ~lanes) == 0);
}

void BlockRaces::arrive(const Warp& warp, u32 barrier) { clocks_.arrive(warp.index, barriers_[barrier]); }

void BlockRaces::leave(const Warp& warp, u32 barrier, u32 lanes) {
    clocks_.leave(warp.index, barriers_[barrier]);
    clocks_.leave(warp.index, exited_);
    meet(warp, lanes);
}

void BlockRaces::release(const Warp& warp, Space space, u64 address, bool write_releases) {
    const bool shared = space == Space::shared;
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

bool BlockRaces::ordered(const Stamp& earlier, u32 lane_then, const Warp& warp, u32 lane) const {
    if (earlier.block != block_) return known_.covers(earlier.block, earlier.warp, earlier.time);
    return clocks_.before(earlier.warp, lane_then, earlier.time, warp.index, lane);
}

void BlockRaces::read(const Request& request, Cell& cell, u32 lane, u64 address) {
    const StampTable& stamps = request.stamps;
    const Warp& warp = request.warp;
    if (cell.write != 0) {
        const Stamp& earlier = stamps[cell.write];
        if (!(earlier.strong && request.strength.strong) && !ordered(earlier, cell.writer, warp, lane))
            report(request, cell.write, cell.writer, lane, address);
    }
    const u8 reader = static_cast<u8>(lane);
    if (cell.read == request.stamp) {
        cell.last_reader = reader;
        return;
    }
    if (cell.read != 0) {
        const Stamp& earlier = stamps[cell.read];
        const bool own_warp = earlier.block == block_ && earlier.warp == warp.index;
        if (own_warp && earlier.time == clocks_.now(warp.index)) {
            cell.last_reader = reader;
            return;
        }
        if (!own_warp && !ordered(earlier, cell.last_reader, warp, lane)) {
            cell.other_read = request.stamp;
            cell.other_reader = reader;
            return;
        }
    }
    cell.read = request.stamp;
    cell.first_reader = cell.last_reader = reader;
}

void BlockRaces::write(const Request& request, Cell& cell, u32 lane, u64 address, u32 value) {
    const StampTable& stamps = request.stamps;
    const Warp& warp = request.warp;
    const bool strong = request.strength.strong;
    const auto unordered = [&](StampId id, u32 lane_then) {
        const Stamp& earlier = stamps[id];
        return !(earlier.strong && strong) && !ordered(earlier, lane_then, warp, lane);
    };
    // Two threads that write the same value do no harm, as when all of them raise one flag.
    const bool same = request.strength.plain_store && cell.write != 0 &&
                      launch_.strength(stamps[cell.write].site).plain_store && cell.value == value;
    if (cell.write != 0 && !same && unordered(cell.write, cell.writer))
        report(request, cell.write, cell.writer, lane, address);
    if (cell.read != 0) {
        if (unordered(cell.read, cell.first_reader))
            report(request, cell.read, cell.first_reader, lane, address);
        else if (cell.last_reader != cell.first_reader && unordered(cell.read, cell.last_reader))
            report(request, cell.read, cell.last_reader, lane, address);
        else if (cell.other_read != 0 && unordered(cell.other_read, cell.other_reader))
            report(request, cell.other_read, cell.other_reader, lane, address);
        const Stamp& peek = stamps[cell.read];
        if (request.strength.atomic && peek.block == block_ && peek.warp == warp.index &&
            (cell.first_reader == lane || cell.last_reader == lane))
            launch_.peeks.insert(peek.site);
    }
    cell.write = request.stamp;
    cell.writer = static_cast<u8>(lane);
    cell.value = value;
    cell.read = cell.other_read = 0;
}

u32 BlockRaces::written_value(const Request& request, u32 lane, u64 address) const {
    const u64 granule = u64{1} << request.shift;
    const DecodedOp& op = request.op;
    const u64 first = (*request.access.addresses)[lane];
    std::byte bytes[64] = {};
    if (op.bytes() <= sizeof bytes && request.strength.plain_store) {
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
                          shared ? shared_.data() : nullptr,
                          shared ? launch_.shared_shift() : launch_.global_shift()};
    const bool writes = access.operation != Operation::load;
    for_each_lane({lanes}, [&](int index) {
        const u32 lane = static_cast<u32>(index);
        const u64 first = at[lane];
        const u64 last = (first + access.bytes_per_lane - 1) >> request.shift;
        for (u64 cell_index = first >> request.shift; cell_index <= last; ++cell_index) {
            Cell* cell = shared ? request.cells + cell_index : launch_.global_cell(cell_index);
            if (!cell) return;
            const u64 address = cell_index << request.shift;
            if (writes)
                write(request, *cell, lane, address,
                      strength.plain_store ? written_value(request, lane, address) : 0);
            else read(request, *cell, lane, address);
        }
    });
    if (strength.strong && writes) release_all(warp, access, strength);
}

void BlockRaces::release_all(const Warp& warp, const trace::Access& access, const SiteStrength& strength) {
    for_each_lane(access.mask, [&](int lane) {
        release(warp, access.space, (*access.addresses)[static_cast<std::size_t>(lane)], strength.releases);
    });
}

}  // namespace warplens::simt
