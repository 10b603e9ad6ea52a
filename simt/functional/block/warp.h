// Warp: the state of one warp while its block runs. Executors modify it; block_runner.h advances it.
#pragma once

#include <memory>
#include <vector>

#include "core/lane_mask.h"
#include "simt/functional/decode/decoded_op.h"
#include "trace/observer.h"

namespace warplens::simt {

class BlockRunner;

/// The allocation that a site accessed last, so that the next request's bounds check is one comparison.
struct Window {
    u64 base = 0;
    u64 extent = 0;  // an access may start at base … base + extent - 1; 0: nothing cached
    std::byte* host = nullptr;
};

/// A call on the path to a function. Lanes with the same path share one Frame (interned by the BlockRunner),
/// so pointers are equal exactly if the lanes return to the same places.
struct Frame {
    Frame* parent = nullptr;
    u32 call_block = 0;  // basic block that ends in the call
    u32 depth = 0;
    u32 function = 0;
    bool recursive = false;  // the function is already on the path: each lane saves its registers
    u32 entered = 0;         // the lanes of the latest call
    std::vector<std::unique_ptr<Frame>> children;
};

/// Which groups of machine code run next: the one that runs goes on until it waits or gives way, then the one
/// that it left last at a branch, then one of the others.
enum class Turn : u8 { any, next, now };

/// Lanes that are together at the first site of a basic block. Copied field by field, and no two fields of
/// one size are neighbours: a wider copy of fields that have just been written one by one would wait for all
/// stores before them, also for those to global memory.
struct Group {
    u32 block = 0;
    bool yielded = false;  // was found spinning or gave way; others run first
    Frame* frame = nullptr;
    u32 mask = 0;
    Turn turn = Turn::any;

    Group() = default;
    Group(u32 at, u32 lanes, Frame* path, bool others_first = false)
        : block(at), yielded(others_first), frame(path), mask(lanes) {}
    Group(const Group& from)
        : block(from.block), yielded(from.yielded), frame(from.frame), mask(from.mask), turn(from.turn) {}
    Group& operator=(const Group& from) {
        block = from.block;
        yielded = from.yielded;
        frame = from.frame;
        mask = from.mask;
        turn = from.turn;
        return *this;
    }

    /// Some of its lanes go on.
    void go_on(u32 at, u32 lanes) {
        block = at;
        mask = lanes;
        turn = Turn::any;
    }
};

/// The cluster's barrier; the block's own are 0 to 15.
inline constexpr u32 cluster_barrier = 16;

/// Lanes that wait at a block-wide barrier or at the cluster's.
struct BarrierWait {
    u32 barrier = 0;
    u32 mask = 0;
    u32 resume_block = 0;
    Frame* frame = nullptr;
    SiteId site = no_index;
    u32 blocking_block = 0;  // the basic block that ends in the barrier
};

/// Lanes that wait for others of their warp, in machine code.
struct ConvergeWait {
    u32 mask = 0;
    u32 block = 0;  // begins with the instruction
    Frame* frame = nullptr;
    SiteId site = no_index;
    Row barrier = 0;  // the warp's; of a mask that is named, what it was is in `named`
    u32 named = 0;    // lanes; 0: the barrier's
};

/// Detects a group that loops without changing anything while others of its warp wait.
struct SpinWatch {
    u64 selections = 0;
    u64 next_check = 64;
    u64 interval = 64;
    u32 block = 0, mask = 0;
    u64 state = 0;
    bool armed = false;
    u64 armed_at = 0;                  // steps
    u64 patient_until = u64{1} << 20;  // selections: see warp_schedule.cpp
    bool caught = false;               // all lanes were in an unchanged state at the last check
    bool wrote = false;  // while it was looked at for a second time, an instruction may have changed memory
};

/// What a warp of a co-scheduled block did in its turn.
enum class WarpProgress : u8 { moved, spins, impatient, takes_turns };

struct Warp {
    std::byte* registers = nullptr;
    Window* windows = nullptr;
    trace::BlockObserver* observer = nullptr;
    BlockRunner* block = nullptr;
    std::byte* shared = nullptr;
    u8* shared_written = nullptr;  // per byte: 1 once stored to
    u64 shared_bytes = 0;
    u64* shared_unwritten = nullptr;  // bytes of the block not stored to yet
    u32 index = 0;                    // within the block
    u32 lanes = 0;                    // lanes that hold a thread
    u32 live = 0;                     // lanes that have not exited
    u32 carry = 0;                    // CC.CF, one bit per lane
    u32 active = 0;                   // lanes of the visit being executed, guards not applied
    SiteId first_site = 0;            // of that visit's basic block
    bool watch_races = false;
    bool parallel = false;  // other blocks run at the same time: integer atomics use the host's atomics
    u64 steps = 0;
    u64 thread_steps = 0;
    bool takes_numbers = false;  // the last atomic that may have done so took one from a counter of the grid
    s64 waited = 0;              // in steps: for others, or to begin
    /// How long the launch runs, in steps of a warp, when this one is where it is. Whose time is first takes
    /// the next number.
    u64 time() const { return static_cast<u64>(static_cast<s64>(steps) + waited); }
    u32 diverged_recursion = no_index;  // the function to different depths of which lanes have recursed
    std::byte* params = nullptr;        // .param variables of functions, param_bytes per lane
    u32 param_bytes = 0;
    std::byte* local = nullptr;  // local_bytes per lane
    u32 local_bytes = 0;

    /// Runnable. At the PTX level no two have equal block and frame.
    std::vector<Group> groups;
    std::vector<BarrierWait> waits;
    std::vector<ConvergeWait> converging;
    u32 waiting = 0;          // lanes in `waits`
    u32 gave_way = 0;         // lanes that executed YIELD and have not run since
    u32 cluster_arrived = 0;  // lanes that arrived at the cluster's barrier and have not waited there
    u32 cluster_passed = 0;   // those of them whose phase is complete
    SpinWatch spin;
    int visit_budget = 0;  // basic blocks to visit in this turn; an instruction that waits sets it to 0
    std::vector<std::vector<std::byte>> saved;  // each lane's registers under recursive calls

    alignas(64) trace::Addresses addresses{};
};

template <class T>
inline T* row(Warp& warp, Row offset) {
    return static_cast<T*>(__builtin_assume_aligned(warp.registers + offset, 64));
}

inline u32& predicate(Warp& warp, Row offset) { return *reinterpret_cast<u32*>(warp.registers + offset); }

/// A convergence barrier of machine code: the lanes that are to meet.
inline u32& lane_set(Warp& warp, Row barrier) { return predicate(warp, barrier); }

/// Replaces the masked lanes' bits.
inline void set_predicate(Warp& warp, Row offset, u32 mask, u32 bits) {
    u32& p = predicate(warp, offset);
    p = (p & ~mask) | (bits & mask);
}

}  // namespace warplens::simt
