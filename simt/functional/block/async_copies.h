// AsyncCopies: the unfinished asynchronous copies into a block's shared memory ("PTX ISA: Data Movement and
// Conversion Instructions: Asynchronous Copy"). The source is read when the copy begins. The data become
// visible when the thread waits for the copy, or when an mbarrier that counts it is tested. Reading or
// overwriting the target before that is reported.
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
    std::array<std::byte, 16> few{};  // the data, up to 16 bytes
    std::vector<std::byte> many;      // larger data
    SiteId site = no_index;
    u32 lane = 0;
    u32 group = 0;  // the thread's commit group, from 1; 0: not committed yet
    u64 order = 0;  // among all copies of the block
};

/// A bulk copy: an mbarrier of the target's block counts its bytes.
struct BulkCopy {
    AsyncCopy copy;
    u64 mbarrier = 0;
    u32 warp = 0;  // that started it, possibly in another block
};

class AsyncCopies {
  public:
    explicit AsyncCopies(BlockRunner& block, std::size_t warps) : block_(block), warps_(warps) {}
    void clear();

    void begin(Warp& warp, AsyncCopy copy);
    void begin_bulk(BulkCopy copy);
    void commit(const Warp& warp, u32 lanes);
    /// Completes all but the latest `groups` groups of each lane.
    void wait_for_groups(Warp& warp, u32 lanes, u32 groups);
    void wait_for_all(Warp& warp, u32 lanes);
    /// The thread arrives at the mbarrier in this block's shared memory once its copies so far are complete.
    void arrive_when_done(const Warp& warp, int lane, u64 mbarrier, SiteId site);
    /// Completes everything that this mbarrier counts.
    void finish_for(u64 mbarrier);

    /// True if a copy to the byte at `offset` is unfinished: reports the read, whose own address is
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
        u64 order = 0;  // after the copies up to this one
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
