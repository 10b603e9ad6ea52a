// BlockRaces: looks for races in what one block does — two threads touching the same bytes, one of them with
// a plain write, and nothing that puts the two in order: no barrier, no meeting of lanes, no fenced flag. It
// hears every access when it is made and reports through the block; device memory is compared with the
// launch's other blocks. It trusts what synchronises more than a GPU would, so that a right program is
// silent; what it misses for that is in docs/problems.md.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "simt/functional/races/launch_races.h"
#include "simt/functional/races/warp_clocks.h"
#include "simt/functional/warp.h"

namespace warplens::simt {

class BlockRaces {
  public:
    BlockRaces(LaunchRaces& launch, std::size_t warps, u64 shared_bytes);
    void begin(u64 linear_block);

    void note(Warp& warp, const DecodedOp& op, const trace::Access& access);

    // ---- what puts accesses in order
    void meet(const Warp& warp, u32 lanes);  // a warp-wide instruction that waits for the lanes it names
    void fence(const Warp& warp, bool beyond_block) { clocks_.fence(warp.index, beyond_block); }
    void arrive(const Warp& warp, u32 barrier);
    void leave(const Warp& warp, u32 barrier, u32 lanes);
    void exit(const Warp& warp) { clocks_.arrive(warp.index, exited_); }  // no later barrier waits for it
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
        Cell* cells;  // of shared memory; null: device memory
        u32 shift;
    };
    struct Recent {
        SiteId site = no_index;
        u32 time = 0;
        StampId stamp = 0;
    };

    void release_all(const Warp& warp, const trace::Access& access, const SiteStrength& strength);
    StampId stamp_of(const Warp& warp, SiteId site, const SiteStrength& strength, bool shared);
    bool ordered(const Stamp& earlier, u32 lane_then, const Warp& warp, u32 lane) const;
    void read(const Request& request, Cell& cell, u32 lane, u64 address);
    void write(const Request& request, Cell& cell, u32 lane, u64 address, u32 value);
    u32 written_value(const Request& request, u32 lane, u64 address) const;
    void report(const Request& request, StampId earlier, u32 lane_then, u32 lane, u64 address);
    std::string advice(const Request& request, const Stamp& earlier) const;

    LaunchRaces& launch_;
    WarpClocks clocks_;
    u64 block_ = 0;
    std::vector<Cell> shared_;
    StampTable shared_stamps_;
    SyncLocations shared_locations_;
    Knowledge known_;
    std::array<Gathering, 16> barriers_;
    Gathering exited_;
    std::array<std::vector<std::array<Recent, 16>>, 2> recent_;  // by memory, warp, site
};

}  // namespace warplens::simt
