#include "instrumentation/decode/block_emitter.h"

#include <algorithm>
#include <cstring>

#include "core/cluster.h"
#include "core/matrix_rows.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint64_t window_bytes = std::uint64_t{1} << rank_shift;
constexpr std::uint64_t unbounded = ~std::uint64_t{0};

std::uint32_t word_at(const std::byte* at) {
    std::uint32_t word;
    std::memcpy(&word, at, 4);
    return word;
}

}  // namespace

AddressMap::AddressMap(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                       const SpaceReader& space, const ReadBack& read)
    : shared_window_(space.head().shared_window),
      local_window_(space.head().local_window),
      cluster_window_(geometry.cluster.count() > 1 ? space.head().cluster_window : 0),
      geometry_(geometry) {
    for (std::size_t i = 0; i < plan.symbols.size(); ++i) device_.push_back(space.symbol(i));
    for (std::size_t i = 0; i < read.symbol_bases.size() && i < device_.size(); ++i) {
        if (read.symbol_bases[i] == as_on_device) continue;
        Range range{device_[i], unbounded, read.symbol_bases[i]};
        Space of = Space::local;  // no variable of the program: a function's own
        for (const Variable& variable : program.variables) {
            if (variable.name != plan.symbols[i]) continue;
            of = variable.space;
            if (variable.bytes != 0) range.end = range.begin + variable.bytes;
        }
        ranges_[static_cast<std::size_t>(of)].push_back(range);
    }
    for (std::vector<Range>& ranges : ranges_)
        std::sort(ranges.begin(), ranges.end(),
                  [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

void AddressMap::enter(std::uint64_t linear_block) { rank_ = place_in_cluster(linear_block, geometry_).rank; }

std::uint64_t AddressMap::moved(Space space, std::uint64_t address) const {
    if (space == Space::shared_cluster) {
        // A rank, and an address in that block's memory; one that says no rank is the block's own.
        const std::uint64_t first = cluster_window_ - shared_window_;
        const std::uint64_t rank = address < first ? rank_ : (address - first) >> rank_shift;
        return rank << rank_shift | moved(Space::shared, address);
    }
    // On a GPU the block's own shared addresses say its rank as well.
    if (space == Space::shared) address %= window_bytes;
    const std::vector<Range>& ranges = ranges_[static_cast<std::size_t>(space)];
    // Shared addresses of 16 bits come round when the memory does not begin at 0.
    if (space == Space::shared && !ranges.empty() && address < ranges.front().begin && address <= 0xffff)
        address += 0x10000;
    const Range* last = nullptr;
    for (const Range& range : ranges) {
        if (range.begin > address) break;
        last = &range;
    }
    if (!last) return address;
    // Past the end of a global variable another buffer may lie; past a shared one, only shared memory.
    if (space == Space::global && address >= last->end) return address;
    return address - last->begin + last->to;
}

Space AddressMap::resolve_generic(std::uint64_t& address, bool of_cluster) const {
    const std::uint64_t window = address & ~(window_bytes - 1);
    const std::uint64_t rank = (window - cluster_window_) / window_bytes;
    if (cluster_window_ != 0 && window >= cluster_window_ && rank < geometry_.cluster.count()) {
        // Of the block's own only the program shows whether it was asked for as a part of the cluster's.
        const bool own = rank == rank_ && !of_cluster && cluster_window_ == shared_window_;
        address -= shared_window_;
        return own ? Space::shared : Space::shared_cluster;
    }
    const Space space = window == shared_window_ && shared_window_ != 0 ? Space::shared
                        : window == local_window_ && local_window_ != 0 ? Space::local
                                                                        : Space::global;
    if (space != Space::global) address -= window;
    return space;
}

BlockEmitter::BlockEmitter(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                           const BlockTable& table, const SpaceReader& space, const ReadBack& read,
                           const Replay& replay)
    : plan_(plan),
      program_(program),
      table_(table),
      space_(space),
      replay_(replay),
      geometry_(geometry),
      map_(plan, program, geometry, space, read),
      hashes_(plan) {
    std::vector<std::uint32_t> bytes_of(plan.values, 0);
    for (const BlockPlan& block : plan.blocks)
        for (const auto* values : {&block.values, &block.lane_values})
            for (const RecordedValue& value : *values) bytes_of[value.value] = value.bytes;
    const auto may_be_global = [&](const AddressPlan& address) {
        const Site& site = program.sites[address.site];
        if (site.opcode.starts_with("cp.async")) return address.which == 1;
        return site.space == Space::global || site.space == Space::none;
    };
    for (const AddressPlan& address : plan.addresses) {
        AddressRow row;
        row.value = address.value;
        row.slot = address.slot;
        row.offset = static_cast<std::uint64_t>(address.offset);
        if (!address.wide) row.bits = 0xffffffffu;
        if (address.slot != no_index) {
            // A whole address.
        } else if (address.value == no_index) {
            if (address.symbol != no_index) row.offset += map_.symbol(address.symbol);
        } else if (bytes_of[address.value] == 2) {
            row.bits = 0xffff;
        } else if (bytes_of[address.value] == 4 && address.wide && plan.narrow && may_be_global(address)) {
            row.high = std::uint64_t{read.parameter.address_high} << 32;
        }
        addresses_.push_back(row);
    }
}

void BlockEmitter::emit(std::uint64_t linear_block, std::span<const WalkedVisit> visits,
                        std::span<const WarpVisits> warps, trace::BlockObserver& to) {
    map_.enter(linear_block);
    if (warps_.size() < warps.size()) warps_.resize(warps.size());
    for (std::size_t i = 0; i < warps.size(); ++i) {
        EmittedWarp& warp = warps_[i];
        warp.visits = warps[i];
        warp.next = warps[i].begin;
        warp.waiting = 0;
        warp.values.resize(plan_.values);
        for (Lanes& lanes : warp.values) lanes.fill(0);
        warp.places.fill(0);
        replay_.begin(linear_block, warps[i].warp, warp.slots);
        warp.lanes = geometry_.warp_lanes(warps[i].warp);
        warp.hash.begin(hashes_);
    }
    for (;;) {
        bool all_done = true;
        for (std::size_t i = 0; i < warps.size(); ++i) {
            run(warps_[i], visits, to);
            all_done &= warps_[i].next == warps[i].end;
        }
        if (all_done) return;
        to.barrier_release();
        for (std::size_t i = 0; i < warps.size(); ++i) warps_[i].waiting = 0;
    }
}

/// Until lanes that wait at a barrier would have to move.
void BlockEmitter::run(EmittedWarp& warp, std::span<const WalkedVisit> visits, trace::BlockObserver& to) {
    while (warp.next < warp.visits.end && (visits[warp.next].active & warp.waiting) == 0)
        emit_visit(warp, visits[warp.next++], to);
}

void BlockEmitter::emit_visit(EmittedWarp& warp, const WalkedVisit& visit, trace::BlockObserver& to) {
    const int number = warp.visits.warp;
    const BlockRow& row = table_.blocks[visit.block];
    to.visit(number, visit.block, {visit.active});
    warp.hash.visit(hashes_, visit.block, {visit.active});
    const bool recorded = visit.unit != no_record;
    if (recorded && !plan_.blocks[visit.block].values.empty()) load_values(warp, visit);
    if (row.lane_words > 0) take_from_columns(warp, visit);
    std::uint32_t step = row.steps_begin;
    for (std::uint32_t i = row.sites_begin; i < row.sites_end; ++i) {
        const SiteRow& site = table_.sites[i];
        std::uint32_t executed = visit.active;
        replay_.run_until(site.site, visit.active, step, warp.slots);
        if (site.predicate != no_index) {
            executed &= lanes_with(warp.slots[site.predicate], !site.negated);
            to.guard(number, site.site, {executed});
        } else if (site.guarded && site.ballot != no_index && recorded) {
            executed &= word_at(space_.unit(visit.unit) + site.ballot);
            to.guard(number, site.site, {executed});
        }
        if (site.memory && executed != 0) emit_access(warp, site, executed, to);
    }
    replay_.run_until(row.last_site + 1, visit.active, step, warp.slots);
    std::uint32_t executed = visit.active;
    if (row.end == BlockRow::End::branches) {
        to.branch(number, row.last_site, {visit.active}, {visit.jumped});
    } else if (row.guarded && (!row.barrier || row.ballot != no_index)) {
        executed = visit.jumped;
        to.guard(number, row.last_site, {executed});
    }
    if (row.barrier && executed != 0 && !row.only_arrives_at_cluster) {
        to.barrier(number, row.last_site, {executed});
        if (!row.arrives_only) warp.waiting |= executed;
    }
}

void BlockEmitter::load_values(EmittedWarp& warp, const WalkedVisit& visit) {
    const std::byte* record = space_.unit(visit.unit);
    for (const RecordedValue& value : plan_.blocks[visit.block].values) {
        Lanes& lanes = warp.values[value.value];
        const std::byte* from = record + value.offset;
        for_each_lane({visit.active}, [&](int lane) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, from + static_cast<std::uint32_t>(lane) * value.stride, value.bytes);
            lanes[static_cast<std::size_t>(lane)] = bits;
        });
    }
}

/// Of a lane whose column is full nothing is taken: the launch has said so, and is recorded again.
void BlockEmitter::take_from_columns(EmittedWarp& warp, const WalkedVisit& visit) {
    const std::uint32_t words = table_.blocks[visit.block].lane_words;
    const std::byte* const columns = space_.unit(warp.visits.slab + table_.value_unit);
    for_each_lane({visit.active}, [&](int lane) {
        std::uint32_t& place = warp.places[static_cast<std::size_t>(lane)];
        if (place + words > table_.value_words) return;
        for (const RecordedValue& value : plan_.blocks[visit.block].lane_values) {
            const std::uint32_t word = place + value.offset / 4;
            const std::byte* const from = columns + 4 * (std::size_t{warp_size} * word + std::size_t(lane));
            std::uint64_t bits = word_at(from);
            if (value.bytes == 8) bits |= std::uint64_t{word_at(from + 4 * warp_size)} << 32;
            else if (value.bytes == 2) bits = (value.offset % 4 == 0 ? bits : bits >> 16) & 0xffff;
            warp.values[value.value][static_cast<std::size_t>(lane)] = bits;
        }
        place += words;
    });
}

void BlockEmitter::compute(EmittedWarp& warp, std::uint32_t index, std::uint32_t executed,
                           trace::Addresses& addresses) const {
    const AddressRow& row = addresses_[index];
    if (row.value == no_index && row.slot == no_index) {
        addresses.fill(row.offset & row.bits);
        return;
    }
    const Lanes& values = row.slot != no_index ? warp.slots[row.slot] : warp.values[row.value];
    for (std::size_t lane = 0; lane < addresses.size(); ++lane)
        addresses[lane] = ((values[lane] | row.high) + row.offset) & row.bits;
    warp.hash.access(hashes_, index, {executed}, addresses);
}

std::uint32_t BlockEmitter::hash(std::size_t warp) const { return warps_[warp].hash.sum(warps_[warp].lanes); }

void BlockEmitter::emit_access(EmittedWarp& warp, const SiteRow& row, std::uint32_t executed,
                               trace::BlockObserver& to) {
    const Site& site = program_.sites[row.site];
    executed &= lanes_with_rows(site.opcode).bits;
    if (executed == 0) return;
    trace::Addresses addresses;
    trace::Access access{row.site, {executed}, site.space, site.operation, site.bytes_per_lane, &addresses};
    if (row.address2 == no_index) {
        if (row.address == no_index) return;
        compute(warp, row.address, executed, addresses);
        emit_in_space(warp.visits.warp, access, addresses, plan_.addresses[row.address].of_cluster, to);
        return;
    }
    // cp.async: from global to shared memory. The shared address is hashed first.
    trace::Addresses to_shared;
    if (row.address != no_index) compute(warp, row.address, executed, to_shared);
    compute(warp, row.address2, executed, addresses);
    access.space = Space::global;
    access.operation = Operation::load;
    emit_in_space(warp.visits.warp, access, addresses, false, to);
    if (row.address == no_index) return;
    access.space = Space::shared;
    access.operation = Operation::store;
    access.addresses = &to_shared;
    emit_in_space(warp.visits.warp, access, to_shared, false, to);
}

void BlockEmitter::emit_in_space(int warp, trace::Access access, trace::Addresses& addresses, bool of_cluster,
                                 trace::BlockObserver& to) {
    const auto move_all = [&](Space space, std::uint32_t lanes) {
        if (!map_.moves(space)) return;
        for_each_lane({lanes}, [&](int lane) {
            std::uint64_t& address = addresses[static_cast<std::size_t>(lane)];
            address = map_.moved(space, address);
        });
    };
    if (access.space != Space::none) {
        move_all(access.space, access.mask.bits);
        to.access(warp, access);
        return;
    }
    std::uint32_t lanes[space_count] = {};
    for_each_lane(access.mask, [&](int lane) {
        const Space space = map_.resolve_generic(addresses[static_cast<std::size_t>(lane)], of_cluster);
        lanes[static_cast<std::size_t>(space)] |= 1u << lane;
    });
    for (const Space space : {Space::global, Space::shared, Space::local, Space::shared_cluster}) {
        const std::uint32_t mask = lanes[static_cast<std::size_t>(space)];
        if (mask == 0) continue;
        move_all(space, mask);
        access.space = space;
        access.mask = {mask};
        to.access(warp, access);
    }
}

}  // namespace warplens::instrumentation
