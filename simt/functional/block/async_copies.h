// AsyncCopies: the copies into a block's shared memory that are under way ("PTX ISA: Data Movement and
// Conversion Instructions: Asynchronous Copy"). What is copied is read when the copy begins and becomes
// visible when the thread waits for it, or when an mbarrier that counts it is looked at; whoever reads or
// overwrites the target before that is reported.
#pragma once

#include <array>
#include <vector>

#include "core/lane_mask.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

class BlockRunner;
struct Warp;

struct AsyncCopy {
    u64 to = 0;  // in the block's shared memory
    u32 count = 0;
    std::array<std::byte, 16> few{};  // what is copied, when it is at most 16 bytes
    std::vector<std::byte> many;      // else
    SiteId site = no_index;
    u32 lane = 0;
    u32 group = 0;  // of its thread, from 1; 0: not committed yet
    u64 order = 0;  // of all copies of the block
};

/// A copy of the bulk kind: an mbarrier counts its bytes, in the block into whose memory it goes.
struct BulkCopy {
    AsyncCopy copy;
    u64 mbarrier = 0;
    u32 warp = 0;  // that began it, of whichever block
};

class AsyncCopies {
  public:
    explicit AsyncCopies(BlockRunner& block, std::size_t warps) : block_(block), warps_(warps) {}
    void clear();

    void begin(Warp& warp, AsyncCopy copy);
    void begin_bulk(BulkCopy copy);
    void commit(const Warp& warp, u32 lanes);
    /// Finishes all but the latest `groups` groups of each lane.
    void wait_for_groups(Warp& warp, u32 lanes, u32 groups);
    void wait_for_all(Warp& warp, u32 lanes);
    /// Once the thread's copies so far are done, it arrives at the mbarrier in this block's shared memory.
    void arrive_when_done(const Warp& warp, int lane, u64 mbarrier, SiteId site);
    /// Lets everything happen that this mbarrier counts.
    void finish_for(u64 mbarrier);

    /// True when a copy to the byte at `offset` is under way: reports the read, whose own address is
    /// `address`.
    bool report_read(Warp& warp, SiteId site, int lane, u64 address, u64 offset);

  private:
    struct OfWarp {
        std::vector<AsyncCopy> copies;  // in the order in which they began
        std::array<u32, warp_size> committed{};
    };
    struct Arrival {
        u32 warp = 0;
        int lane = 0;
        u64 mbarrier = 0;
        u64 order = 0;  // copies up to this one come first
        SiteId site = no_index;
    };
    template <class Which>
    void finish(u32 warp, Which which);
    void mark_under_way(const AsyncCopy& copy);
    void write(Warp& warp, const AsyncCopy& copy);
    const AsyncCopy* find(u64 offset, u32& warp) const;

    BlockRunner& block_;
    std::vector<OfWarp> warps_;
    std::vector<BulkCopy> bulk_;
    std::vector<Arrival> arrivals_;
    u64 next_order_ = 1;
    bool used_ = false;
};

}  // namespace warplens::simt
