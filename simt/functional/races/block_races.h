// BlockRaces: detects races of one block — two threads access the same bytes, one of them with a plain write,
// and nothing orders the two: no barrier, no warp synchronisation, no fenced flag. It sees every access as it
// is made and reports through the block; accesses to device memory are also compared with the launch's other
// blocks. It assumes that synchronisation orders more than a GPU guarantees, so that a correct program has no
// reports; docs/problems.md lists the races that it therefore misses.
#pragma once

#include <array>
#include <vector>

#include "simt/functional/block/warp.h"
#include "simt/functional/execute/lane_functions.h"
#include "simt/functional/races/launch_races.h"
#include "simt/functional/races/warp_clocks.h"

namespace warplens::simt {

class BlockRaces {
  public:
    BlockRaces(LaunchRaces& launch, std::size_t warps, u64 shared_bytes);
    void begin(u64 linear_block);

    void note(Warp& warp, const DecodedOp& op, const trace::Access& access);

    // ---- events that order accesses
    void meet(const Warp& warp, u32 lanes);  // a warp-wide instruction that waits for the lanes it names
    void fence(const Warp& warp, bool beyond_block);
    void arrive(const Warp& warp, u32 barrier);
    void leave(const Warp& warp, u32 barrier, u32 lanes);
    void exit(const Warp& warp);  // no later barrier waits for it
    void reopen(u32 barrier) { barriers_[barrier] = {}; }
    /// Other synchronisation, called by its executors: `space` is shared or global.
    void release(const Warp& warp, Space space, u64 address, bool write_releases);
    void acquire(const Warp& warp, u32 lanes, Space space, u64 address);

  private:
    struct Request {  // being recorded
        Warp& warp;
        const DecodedOp& op;
        const trace::Access& access;
        const SiteStrength& strength;
        StampTable& stamps;
        StampId stamp;
        bool shared;  // otherwise device memory
        u32 shift;
    };
    struct Recent {
        SiteId site = no_index;
        u32 time = 0;
        StampId stamp = 0;
    };
    /// Consecutive lanes that access consecutive places, or all of them the same place.
    struct Run {
        u32 lane = 0, count = 0;
    };
    /// How an earlier access is ordered relative to the warp's current one.
    enum class Order : u8 {
        before,     // ordered before every lane
        unordered,  // before no lane
        by_lane,    // of the same warp: depends on the lanes
    };
    struct Verdict {
        StampId stamp = 0;
        u32 warp = 0;
        u64 epoch = 0;
        Order order = Order::before;
        bool strong = false;
        bool own = false;      // by the same warp of the same block
        bool own_now = false;  // and nothing has ordered since
    };

    using Verdicts = std::array<Verdict, 64>;

    void release_all(const Warp& warp, const trace::Access& access, const SiteStrength& strength);
    StampId stamp_of(const Warp& warp, SiteId site, const SiteStrength& strength, bool shared);
    /// The same for all lanes until the next ordering event, so it is computed once and kept.
    const Verdict& judge(const Request& request, StampId id) {
        Verdict& known = verdicts_[request.shared][id % std::tuple_size_v<Verdicts>];
        if (known.stamp != id || known.epoch != epoch_ || known.warp != request.warp.index)
            compute_verdict(request, id, known);
        return known;
    }
    void compute_verdict(const Request& request, StampId id, Verdict& verdict) const;
    bool races(const Request& request, StampId earlier, u32 lane_then, u32 lane);
    /// Two volatile accesses of one warp that only lockstep execution orders.
    void note_lockstep(const Request& request, StampId earlier, u32 lane_then, u32 lane);
    Reach reach_of(const Request& request, const Stamp& earlier) const;
    /// The cells that contain cell number `cell` of the request's memory, and its index in them. nullptr: not
    /// watched.
    Cells* cells_of(const Request& request, u64 cell, u64& index) {
        index = request.shared ? cell : cell % PagedCells::cells_per_page;
        return request.shared ? &shared_ : launch_.global_page(cell / PagedCells::cells_per_page);
    }
    void touch_lane(const Request& request, u32 lane);
    /// Where the lane is stored: of several readers in one request only the last is kept.
    u8* read(const Request& request, Cells& cells, u64 index, u32 lane, u64 address);
    void write(const Request& request, Cells& cells, u64 index, u32 lane, u64 address);
    u32 written_value(const Request& request, u32 lane, u64 address) const;

    // ---- block_races_runs.cpp: several lanes together. False: nothing was done; check each lane
    void touch_lanes(const Request& request);
    void touch_run(const Request& request, u32 lane, u32 count, bool same);
    bool follows_writes(const Request& request, const Cells& cells, u64 index, const Run& run,
                        u32 cells_a_lane);
    bool read_run(const Request& request, Cells& cells, u64 index, const Run& run, u32 cells_a_lane);
    bool read_place(const Request& request, const Run& run);
    bool write_run(const Request& request, Cells& cells, u64 index, const Run& run, u32 cells_a_lane);
    void keep_values(const Request& request, const Run& run, u32 cells_a_lane, u32* to) const;

    void report(const Request& request, StampId earlier, u32 lane_then, u32 lane, u64 address);
    std::string missing_order(const Request& request, const Stamp& earlier) const;

    LaunchRaces& launch_;
    WarpClocks clocks_;
    u64 block_ = 0;
    ZeroedMemory shared_memory_;
    u64 shared_count_ = 0;
    Cells shared_;
    StampTable shared_stamps_;
    SyncLocations shared_locations_;
    Knowledge known_;
    std::array<Gathering, 16> barriers_;
    Gathering exited_;
    std::array<std::vector<std::array<Recent, 16>>, 2> recent_;  // by memory, warp, site
    u64 epoch_ = 1;  // increases at every event that could order accesses
    const LaneFunctions& lanes_ = lane_functions();
    std::array<Verdicts, 2> verdicts_;  // by memory, stamp: valid for a warp and an epoch
};

}  // namespace warplens::simt
