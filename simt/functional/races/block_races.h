// BlockRaces: looks for races in what one block does — two threads touching the same bytes, one of them with
// a plain write, and nothing that puts the two in order: no barrier, no meeting of lanes, no fenced flag. It
// hears every access when it is made and reports through the block; device memory is compared with the
// launch's other blocks. It trusts what synchronises more than a GPU would, so that a right program is
// silent; what it misses for that is in docs/problems.md.
#pragma once

#include <array>
#include <vector>

#include "simt/functional/block/warp.h"
#include "simt/functional/execute/lane_steps.h"
#include "simt/functional/races/launch_races.h"
#include "simt/functional/races/warp_clocks.h"

namespace warplens::simt {

class BlockRaces {
  public:
    BlockRaces(LaunchRaces& launch, std::size_t warps, u64 shared_bytes);
    void begin(u64 linear_block);

    void note(Warp& warp, const DecodedOp& op, const trace::Access& access);

    // ---- what puts accesses in order
    void meet(const Warp& warp, u32 lanes);  // a warp-wide instruction that waits for the lanes it names
    void fence(const Warp& warp, bool beyond_block);
    void arrive(const Warp& warp, u32 barrier);
    void leave(const Warp& warp, u32 barrier, u32 lanes);
    void exit(const Warp& warp);  // no later barrier waits for it
    void reopen(u32 barrier) { barriers_[barrier] = {}; }
    /// Other means of waiting, told by whoever executes them: `space` shared or global.
    void release(const Warp& warp, Space space, u64 address, bool write_releases);
    void acquire(const Warp& warp, u32 lanes, Space space, u64 address);

  private:
    struct Request {  // being noted
        Warp& warp;
        const DecodedOp& op;
        const trace::Access& access;
        const SiteStrength& strength;
        StampTable& stamps;
        StampId stamp;
        bool shared;  // else device memory
        u32 shift;
    };
    struct Recent {
        SiteId site = no_index;
        u32 time = 0;
        StampId stamp = 0;
    };
    /// Lanes behind one another that access places behind one another, or all of them one place.
    struct Run {
        u32 lane = 0, count = 0;
    };
    /// How an earlier access lies to what a warp does now.
    enum class Order : u8 {
        before,     // ordered before every lane
        unordered,  // before none
        by_lane,    // of the same warp: it depends on the lanes
    };
    struct Verdict {
        StampId stamp = 0;
        u32 warp = 0;
        u64 epoch = 0;
        Order order = Order::before;
        bool strong = false;
        bool own = false;      // by the same warp of the same block
        bool own_now = false;  // and not before anything that orders
    };

    using Verdicts = std::array<Verdict, 64>;

    void release_all(const Warp& warp, const trace::Access& access, const SiteStrength& strength);
    StampId stamp_of(const Warp& warp, SiteId site, const SiteStrength& strength, bool shared);
    /// The same for all lanes and until something orders anything, so it is reckoned once and kept.
    const Verdict& judge(const Request& request, StampId id) {
        Verdict& known = verdicts_[request.shared][id % std::tuple_size_v<Verdicts>];
        if (known.stamp != id || known.epoch != epoch_ || known.warp != request.warp.index)
            reckon(request, id, known);
        return known;
    }
    void reckon(const Request& request, StampId id, Verdict& verdict) const;
    bool races(const Request& request, StampId earlier, u32 lane_then, u32 lane);
    /// Two volatile accesses of one warp that nothing orders but lanes in lockstep.
    void note_lockstep(const Request& request, StampId earlier, u32 lane_then, u32 lane);
    Reach reach_of(const Request& request, const Stamp& earlier) const;
    /// The cells that hold number `cell` of the request's memory, and its index there. nullptr: not watched.
    Cells* cells_of(const Request& request, u64 cell, u64& index) {
        index = request.shared ? cell : cell % PagedCells::cells_per_page;
        return request.shared ? &shared_ : launch_.global_page(cell / PagedCells::cells_per_page);
    }
    void touch_lane(const Request& request, u32 lane);
    /// Where it kept the lane: of others of the same request that read there as well only the last is kept.
    u8* read(const Request& request, Cells& cells, u64 index, u32 lane, u64 address);
    void write(const Request& request, Cells& cells, u64 index, u32 lane, u64 address);
    u32 written_value(const Request& request, u32 lane, u64 address) const;

    // ---- block_races_runs.cpp: several lanes at once. False: nothing was done, each lane must be looked at
    void touch_lanes(const Request& request);
    void touch_run(const Request& request, u32 lane, u32 count, bool same);
    bool follows_writes(const Request& request, const Cells& cells, u64 index, const Run& run,
                        u32 cells_a_lane);
    bool read_run(const Request& request, Cells& cells, u64 index, const Run& run, u32 cells_a_lane);
    bool read_place(const Request& request, const Run& run);
    bool write_run(const Request& request, Cells& cells, u64 index, const Run& run, u32 cells_a_lane);
    void keep_values(const Request& request, const Run& run, u32 cells_a_lane, u32* to) const;

    void report(const Request& request, StampId earlier, u32 lane_then, u32 lane, u64 address);
    std::string advice(const Request& request, const Stamp& earlier) const;

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
    u64 epoch_ = 1;  // goes on with everything that could order something
    const LaneStepsOf lane_steps_ = find_lane_steps();
    std::array<Verdicts, 2> verdicts_;  // by memory, stamp: good for a warp and an epoch
};

}  // namespace warplens::simt
