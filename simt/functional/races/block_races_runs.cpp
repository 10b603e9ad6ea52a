// Regular requests: lanes that access consecutive places, or one place, are checked together if their cells
// agree. The result is the same as lane by lane.
#include <algorithm>
#include <bit>

#include "simt/functional/races/block_races.h"

namespace warplens::simt {

namespace {

// Most runs are half a warp or a whole one with one cell per lane: loops of this fixed length are a few
// vector instructions. Others are out of line.
constexpr u32 half_warp = warp_size / 2;

/// Calls `half(i)` for the halves that begin at cell i; false if the cells are not whole halves.
template <class Half>
inline bool in_halves(u32 count, Half half) {
    if (count == half_warp) {
        half(0);
        return true;
    }
    if (count != warp_size) return false;
    half(0);
    half(half_warp);
    return true;
}

template <class T>
[[gnu::noinline]] bool all_equal_slow(const T* cells, u32 count) {
    return std::all_of(cells, cells + count, [&](T cell) { return cell == *cells; });
}

template <class T>
inline bool all_equal(const T* cells, u32 count) {
    const T first = cells[0];
    T different = 0;
    if (!in_halves(count, [&](u32 at) {
            for (u32 i = 0; i < half_warp; ++i) different |= static_cast<T>(cells[at + i] ^ first);
        }))
        return all_equal_slow(cells, count);
    return different == 0;
}

[[gnu::noinline]] void fill_slow(StampId* cells, u32 count, StampId stamp) {
    std::fill_n(cells, count, stamp);
}

inline void fill(StampId* cells, u32 count, StampId stamp) {
    if (!in_halves(count, [&](u32 at) {
            for (u32 i = 0; i < half_warp; ++i) cells[at + i] = stamp;
        }))
        fill_slow(cells, count, stamp);
}

[[gnu::noinline]] void fill_lanes_slow(u8* cells, u32 lane, u32 count, u32 cells_a_lane) {
    for (u32 i = 0; i < count; ++i)
        std::fill_n(cells + i * cells_a_lane, cells_a_lane, static_cast<u8>(lane + i));
}

/// `lane` for the first cells, and one more for each `cells_a_lane` that follow.
inline void fill_lanes(u8* cells, u32 lane, u32 count, u32 cells_a_lane) {
    if (cells_a_lane != 1 || !in_halves(count, [&](u32 at) {
            for (u32 i = 0; i < half_warp; ++i) cells[at + i] = static_cast<u8>(lane + at + i);
        }))
        fill_lanes_slow(cells, lane, count, cells_a_lane);
}

[[gnu::noinline]] bool are_lanes_slow(const u8* cells, u32 lane, u32 count, u32 cells_a_lane) {
    for (u32 i = 0; i < count * cells_a_lane; ++i)
        if (cells[i] != lane + i / cells_a_lane) return false;
    return true;
}

inline bool are_lanes(const u8* cells, u32 lane, u32 count, u32 cells_a_lane) {
    u8 different = 0;
    if (cells_a_lane != 1 || !in_halves(count, [&](u32 at) {
            for (u32 i = 0; i < half_warp; ++i) different |= cells[at + i] ^ static_cast<u8>(lane + at + i);
        }))
        return are_lanes_slow(cells, lane, count, cells_a_lane);
    return different == 0;
}

}  // namespace

void BlockRaces::touch_lanes(const Request& request) {
    const u32 lanes = request.access.mask.bits;
    const LaneSteps steps = lanes_.steps(request.access.addresses->data(), request.access.bytes_per_lane);
    const u32 both_on = lanes & lanes >> 1;
    const u32 same = steps.same & both_on, next = steps.next & both_on;
    for (u32 rest = lanes; rest != 0;) {
        const int lane = std::countr_zero(rest);
        const u32 more = static_cast<u32>(std::countr_one(same >> lane) | std::countr_one(next >> lane));
        if (more == 0) touch_lane(request, static_cast<u32>(lane));
        else touch_run(request, static_cast<u32>(lane), more + 1, (same >> lane & 1) != 0);
        rest &= ~static_cast<u32>(((u64{2} << more) - 1) << lane);
    }
}

void BlockRaces::touch_run(const Request& request, u32 lane, u32 count, bool same) {
    Run run{lane, count};
    const u32 bytes = request.access.bytes_per_lane;
    const u32 cell_bits = static_cast<u32>(std::countr_zero(bytes)) - request.shift;
    const u32 cells_a_lane = 1u << cell_bits;
    const bool writes = request.access.operation != Operation::load;
    const u64 address = (*request.access.addresses)[lane];
    const u32 end = lane + count;
    const auto one_by_one = [&](u32 lanes) {
        for (const u32 until = run.lane + lanes; run.lane < until; ++run.lane) touch_lane(request, run.lane);
    };
    if (!std::has_single_bit(bytes) || (address & (bytes - 1)) != 0 || request.strength.strong)
        return one_by_one(count);
    if (same) {
        if (writes || !read_place(request, run)) one_by_one(count);
        return;
    }
    while (run.lane < end) {
        const u64 cell = (*request.access.addresses)[run.lane] >> request.shift;
        u64 index = 0;
        Cells* cells = cells_of(request, cell, index);
        run.count = end - run.lane;
        if (!request.shared) {  // the part on this page
            const u64 left = (PagedCells::cells_per_page - index) >> cell_bits;
            run.count = static_cast<u32>(std::min<u64>(run.count, left));
        }
        if (!cells || (writes ? write_run(request, *cells, index, run, cells_a_lane)
                              : read_run(request, *cells, index, run, cells_a_lane)))
            run.lane += run.count;
        else one_by_one(run.count);
    }
}

/// Whether all of the run's cells were last written by one access that is ordered before this one, or never.
inline bool BlockRaces::follows_writes(const Request& request, const Cells& cells, u64 index, const Run& run,
                                       u32 cells_a_lane) {
    if (!cells.any_write) return true;
    const StampId* writes = cells.write + index;
    if (!all_equal(writes, run.count * cells_a_lane)) return false;
    if (*writes == 0) return true;
    const Order order = judge(request, *writes).order;
    return order != Order::unordered &&
           (order != Order::by_lane || are_lanes(cells.writer + index, run.lane, run.count, cells_a_lane));
}

bool BlockRaces::read_run(const Request& request, Cells& cells, u64 index, const Run& run, u32 cells_a_lane) {
    const u32 count = run.count * cells_a_lane;
    if (!follows_writes(request, cells, index, run, cells_a_lane)) return false;
    const StampId* reads = cells.read + index;
    const auto by_lanes = [&](u8* lanes) { fill_lanes(lanes + index, run.lane, run.count, cells_a_lane); };
    if (cells.any_read) {
        if (!all_equal(reads, count)) return false;
        if (*reads != 0) {
            const Verdict& verdict = judge(request, *reads);
            if (*reads == request.stamp || verdict.own_now) {
                by_lanes(cells.last_reader);
                return true;
            }
            if (!verdict.own && verdict.order == Order::unordered) {
                fill(cells.other_read + index, count, request.stamp);
                by_lanes(cells.other_reader);
                return true;
            }
        }
    }
    cells.any_read = true;
    fill(cells.read + index, count, request.stamp);
    by_lanes(cells.first_reader);
    by_lanes(cells.last_reader);
    return true;
}

/// All lanes of the run read one place.
bool BlockRaces::read_place(const Request& request, const Run& run) {
    const u64 first = (*request.access.addresses)[run.lane] >> request.shift;
    const u64 end = first + (request.access.bytes_per_lane >> request.shift);
    for (u64 cell = first; cell < end; ++cell) {
        u64 index = 0;
        Cells* cells = cells_of(request, cell, index);
        if (!cells) return true;
        if (cells->any_write && cells->write[index] != 0 &&
            judge(request, cells->write[index]).order != Order::before)
            return false;  // each lane may race; the earlier cells' records are written again
        *read(request, *cells, index, run.lane, cell << request.shift) =
            static_cast<u8>(run.lane + run.count - 1);
    }
    return true;
}

bool BlockRaces::write_run(const Request& request, Cells& cells, u64 index, const Run& run,
                           u32 cells_a_lane) {
    const u32 count = run.count * cells_a_lane;
    const auto by_own_lanes = [&](const u8* lanes) {
        return are_lanes(lanes + index, run.lane, run.count, cells_a_lane);
    };
    if (!follows_writes(request, cells, index, run, cells_a_lane)) return false;
    if (cells.any_read) {
        const StampId* reads = cells.read + index;
        if (!all_equal(reads, count)) return false;
        if (*reads != 0) {
            const Order order = judge(request, *reads).order;
            if (order == Order::unordered) return false;
            if (order == Order::by_lane &&
                !(by_own_lanes(cells.first_reader) && by_own_lanes(cells.last_reader)))
                return false;
            const StampId* others = cells.other_read + index;
            if (!all_equal(others, count)) return false;
            if (*others != 0) {
                if (judge(request, *others).order != Order::before) return false;
                fill(cells.other_read + index, count, 0);
            }
            fill(cells.read + index, count, 0);
        }
    }
    cells.any_write = true;
    fill(cells.write + index, count, request.stamp);
    fill_lanes(cells.writer + index, run.lane, run.count, cells_a_lane);
    keep_values(request, run, cells_a_lane, cells.value + index);
    return true;
}

void BlockRaces::keep_values(const Request& request, const Run& run, u32 cells_a_lane, u32* to) const {
    const u32 count = run.count * cells_a_lane;
    if (!request.strength.plain_store) {
        std::fill_n(to, count, 0u);
        return;
    }
    const DecodedOp& op = request.op;
    if (request.shift == 2 && op.element_bytes == 4 && op.vector_width == cells_a_lane) {
        for (u32 j = 0; j < cells_a_lane; ++j) {
            const u32* from = row<const u32>(request.warp, op.rows[j]) + run.lane;
            for (u32 i = 0; i < run.count; ++i) to[i * cells_a_lane + j] = from[i];
        }
        return;
    }
    for (u32 i = 0; i < count; ++i) {
        const u32 lane = run.lane + i / cells_a_lane;
        const u64 first = (*request.access.addresses)[lane];
        to[i] = written_value(request, lane, first + (u64{i % cells_a_lane} << request.shift));
    }
}

}  // namespace warplens::simt
