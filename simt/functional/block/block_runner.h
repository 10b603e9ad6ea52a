// BlockRunner: executes one block after another and holds the registers and memories of the block's warps.
// One worker thread owns it. A block runs to its end alone, or together with others and pauses where it waits
// for them: see co_scheduled_blocks.h. Its parts: block_runner.cpp (a block from start to end),
// warp_schedule.cpp (which lanes run next), visit.cpp, branches.cpp, convergence.cpp, barriers.cpp,
// cluster.cpp, ../execute/calls.cpp,
// ../execute/provided_calls.cpp.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simt/functional/block/cluster.h"
#include "simt/functional/block/launch_state.h"
#include "simt/functional/block/warp.h"
#include "simt/functional/memory/device_heap.h"
#include "simt/functional/memory/problem_log.h"

namespace warplens::simt {

class AsyncCopies;
class BlockRaces;
class StepWatch;

struct BlockOutcome {
    u64 steps = 0;
    u64 thread_steps = 0;
    u64 longest_warp = 0;  // steps
    std::vector<Problem> problems, notes;
    PrintedCalls printed;
    std::vector<DeviceLaunch> launches;
    bool finished = false;  // ran to its end
    bool ends_run = false;  // endless loop, trap, or the first problem if the run stops at it
    bool cancelled = false;
};

/// A block's shared memory, as the block and the other blocks of its cluster access it.
struct SharedBytes {
    std::byte* bytes = nullptr;
    u8* written = nullptr;     // per byte: 1 once stored to; 0 also during an asynchronous copy into it
    u64* unwritten = nullptr;  // number of bytes that are 0 in `written`
    u64 count = 0;
    AsyncCopies* copies = nullptr;
};

inline constexpr u64 no_turn = ~u64{0};

/// What a co-scheduled block did in one call of advance().
struct Advance {
    bool ended = false;      // its outcome is ready
    bool moved = false;      // did more than poll what it waits for
    bool impatient = false;  // working or waiting, which is unknown: the other blocks run next
    bool wrote = false;      // a loop that polls may have changed memory all the same
    /// When the first warp that waits for its turn to take a number from a counter does so; no_turn: none.
    u64 turn = no_turn;
    bool only_turns = false;  // no warp does anything before that
};

/// A problem that an executor found, for BlockRunner::report.
struct Finding {
    ProblemKind kind = ProblemKind::trap;
    SiteId site = no_index;
    u32 lanes = 0;  // lanes concerned; the message describes the lowest
    u64 address = 0;
    std::string element = {};
    std::string message;
    std::optional<OtherParty> other = {};
    Reach reach = Reach::none;
};

class BlockRunner {
  public:
    explicit BlockRunner(const LaunchState& launch);
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;

    /// Runs a block on its own from start to end. `observer` may be null.
    BlockOutcome run(u64 linear_block, trace::BlockObserver* observer);

    // ---- co-scheduled with other blocks of the same thread
    /// `cluster` holds the block and outlives its run.
    /// `now`: when it begins, as Warp::time().
    void begin(u64 linear_block, trace::BlockObserver* observer, Cluster* cluster, u64 now = 0);
    /// Runs until every thread has ended, waits at a barrier, polls memory without progress, or is to take a
    /// further number from a counter after `now`: what blocks share is taken in turns.
    Advance advance(u64 now);
    BlockOutcome outcome();
    /// No block can continue: reports where this block waits. `others` names the missing blocks.
    void report_standstill(const std::string& others);
    u64 bytes() const;
    u64 steps() const;
    u64 linear_block() const { return linear_block_; }
    u32 live_threads() const { return live_threads_; }
    bool waits_for_cluster() const;
    /// The cluster's barrier is complete: releases its waiting lanes, and lanes that arrived will not wait.
    void cluster_released();

    // ---- for executors
    const LaunchState& launch() const { return launch_; }
    const DecodedKernel& kernel() const { return *launch_.kernel; }
    /// `lanes`: those concerned; the message describes the lowest.
    void report(Warp& warp, SiteId site, u32 lanes, ProblemKind kind, u64 address, std::string message,
                std::optional<OtherParty> other = {});
    void report(Warp& warp, Finding finding);
    /// A thread of this block at a site, as the other party of a problem.
    OtherParty party(SiteId site, u64 thread) const;
    Warp& warp(u32 index) { return warps_[index]; }
    /// True if the pair is known; it is then counted, and no message is needed.
    bool reported_before(ProblemKind kind, SiteId site, u64 times, Reach reach = Reach::none) {
        return log_of(kind).again(kind, site, times, reach);
    }
    /// Ends the run after the current visit.
    void end_run();
    /// Ends only this block after the current visit and keeps its events so far; other blocks continue.
    void end_block();
    bool is_ending() const { return ends_run_; }
    /// One flag per byte of the lane's local memory: 1 once stored to.
    u8* local_written(const Warp& warp, int lane) {
        return local_written_.data() + (warp.index * warp_size + static_cast<u32>(lane)) * warp.local_bytes;
    }
    BlockRaces& races() { return *races_; }  // only where warp.watch_races
    /// Lanes that wait in machine code for nobody any more go on.
    void release_complete(Warp& warp);
    Cluster& cluster() const { return *cluster_; }
    u32 cluster_rank() const { return cluster_rank_; }
    SharedBytes shared_bytes() {
        return {shared_.data(), shared_written_.data(), &shared_unwritten_, launch_.shared_bytes,
                copies_.get()};
    }
    const Site& with_line(SiteId site) const;
    /// A key for the cluster's barrier, or for a word of its shared memory.
    u64 cluster_word(Space space, u64 address) const;
    AsyncCopies& copies() { return *copies_; }
    std::string describe_site(SiteId site) const;  // "line 12" or "PTX line 40"

  private:
    struct Barrier {
        u32 arrived = 0;            // threads
        u32 expected = 0;           // 0: every thread that has not exited
        u32 holding = 0;            // bar.red: threads whose predicate is true
        std::vector<u32> lanes;     // per warp: lanes that arrived in this phase
        std::vector<SiteId> sites;  // per warp: where they arrived first
    };

    void write_launch_rows(Warp& warp);
    void write_block_rows(Warp& warp);
    bool all_exited() const { return live_threads_ == 0; }
    bool ended() const { return all_exited() || ends_run_ || cancelled_ || stuck_; }
    void ask_whether_cancelled();

    // warp_schedule.cpp
    Group take(Warp& warp, std::size_t chosen) const;
    void leave(Warp& warp, const Group& group);
    void run_warp(Warp& warp);
    WarpProgress run_watched(Warp& warp);
    bool waits_for_turn(const Warp& warp, const Group& group) const;
    static void leave_out_wait(Warp& warp);
    std::size_t choose(Warp& warp);
    std::size_t lowest(Warp& warp) const;
    std::size_t in_turn(Warp& warp);
    bool waits_for_others(const Warp& warp, const Group& group) const;
    bool may_write(const DecodedBlock& block) const;
    static bool before(const Group& a, const Group& b);
    bool is_spinning(Warp& warp, Group& chosen);
    void push(Warp& warp, const Group& group);

    // visit.cpp
    void visit(Warp& warp, Group& group);
    void report_empty_loop(Warp& warp, const DecodedBlock& block, u32 lanes);
    void execute_watched(Warp& warp, const DecodedBlock& block);
    u32 guarded_lanes(Warp& warp, const DecodedBlock& block, u32 mask);
    void exit_lanes(Warp& warp, u32 mask);

    // branches.cpp
    void part(Warp& warp, Group& group, u32 block, u32 lanes);
    void branch(Warp& warp, const DecodedBlock& block, Group& group);
    void branch_by_table(Warp& warp, const DecodedBlock& block, Group& group);
    void jump(Warp& warp, const DecodedBlock& block, Group& group);
    /// `lanes` of the group, each to the address in its pair of registers plus `offset`.
    void jump_lanes(Warp& warp, const DecodedBlock& block, Group& group, u32 lanes, Row pair, u64 offset);

    // convergence.cpp
    void converge(Warp& warp, const DecodedBlock& block, Group& group);
    void converge_named(Warp& warp, const DecodedBlock& block, Group& group);
    void give_way(Warp& warp, const DecodedBlock& block, Group& group);
    static bool gave_way_for(const Warp& warp, u32 missing);
    static void set_going(Warp& warp, const std::vector<ConvergeWait>& going);
    bool let_go(Warp& warp);
    bool let_go_of_waiting();
    static void run_again(Warp& warp);
    static u32 awaited(const Warp& warp, const ConvergeWait& wait);

    // address_calls.cpp
    void call_address(Warp& warp, const DecodedBlock& block, Group& group);

    // barriers.cpp
    void arrive(Warp& warp, const DecodedBlock& block, Group& group);
    void check_guard(Warp& warp, const DecodedBlock& block, u32 mask, u32 together);
    void check_arrival(Warp& warp, const DecodedBlock& block, u32 mask, u32 id, u32 count);
    void release_if_complete(u32 barrier);
    void meet(const Barrier& barrier);
    void note_ended_threads(const Barrier& barrier);
    void note_diverged_recursion(Warp& warp, const DecodedBlock& block, u32 mask);
    void lanes_exited();
    void report_deadlock();
    /// A description of where the threads of a block that cannot continue are.
    struct Standing {
        std::string text;
        Warp* warp = nullptr;  // the first waiting warp
        SiteId site = no_index;
        u32 lanes = 0;
        u32 spinning = 0;                 // threads in loops
        std::optional<OtherParty> other;  // a thread that waits elsewhere
    };
    Standing where_it_stands();
    SiteId loop_site(const Group& group) const;

    // cluster.cpp
    void arrive_at_cluster(Warp& warp, const DecodedBlock& block, Group& group);
    void wait_for_cluster(Warp& warp, const DecodedBlock& block, Group& group);

    // calls.cpp
    void call(Warp& warp, const DecodedBlock& block, Group& group);
    void call_through_pointer(Warp& warp, const DecodedBlock& block, const Group& caller, u32 mask);
    /// `caller`: its state before the call.
    void enter(Warp& warp, const DecodedBlock& block, const Group& caller, u32 function, u32 mask);
    void report_full_stack(Warp& warp, SiteId site, const Frame& frame, u32 mask);
    void leave_function(Warp& warp, Group& group, u32 mask);
    void save_lanes(Warp& warp, const DecodedFunction& function, u32 mask);
    void restore_lanes(Warp& warp, const DecodedFunction& function, u32 mask);
    Frame* frame_of_call(Frame* from, u32 call_block, u32 function);

    // provided_calls.cpp
    void call_provided(Warp& warp, const CallSite& call, SiteId site, u32 mask);
    void print(Warp& warp, const CallSite& call, SiteId site, u32 mask);
    void allocate(Warp& warp, const CallSite& call, SiteId site, u32 mask);
    void release(Warp& warp, const CallSite& call, SiteId site, u32 mask);
    HeapCall heap_call(const Warp& warp, SiteId site, int lane) const;
    void assertion_failed(Warp& warp, const CallSite& call, SiteId site, u32 mask);

    // device_runtime.cpp
    void call_device_runtime(Warp& warp, const CallSite& call, SiteId site, u32 mask);
    void give_launch_buffer(Warp& warp, const CallSite& call, SiteId site, int lane);
    void launch_grid(Warp& warp, const CallSite& call, SiteId site, int lane);
    void create_stream(Warp& warp, const CallSite& call, SiteId site, int lane);
    void take_error(Warp& warp, const CallSite& call, int lane);
    /// `error`: of cudaError_t, which cudaGetLastError will return.
    void launch_failed(Warp& warp, SiteId site, int lane, u32 error, std::string why);

    const LaunchState& launch_;
    std::vector<Warp> warps_;
    std::unique_ptr<std::byte[]> storage_;  // the register files, consecutive
    std::vector<Window> windows_;
    std::vector<std::byte> shared_, params_, local_;
    std::vector<u8> shared_written_, local_written_;
    u64 shared_unwritten_ = 0;
    Frame root_;
    std::array<Barrier, 16> barriers_;
    u32 barriers_in_use_ = 0;  // barriers at which threads have arrived
    ProblemLog& log_of(ProblemKind kind) { return is_note(kind) ? notes_ : problems_; }
    ProblemLog problems_, notes_;
    PrintedCalls printed_;
    std::vector<DeviceLaunch> launches_;
    std::map<u64, u32> last_errors_;     // by thread of the block; cudaError_t of failed launches
    std::unique_ptr<BlockRaces> races_;  // null: races are not detected
    trace::BlockObserver* observer_ = nullptr;
    StepWatch* watch_ = nullptr;  // null: nobody watches this block
    u64 linear_block_ = 0;
    u32 live_threads_ = 0;
    u64 step_limit_ = 0;  // per warp; 0 once the run must end
    bool ends_run_ = false;
    bool ends_alone_ = false;  // with ends_run_: other blocks continue
    bool cancelled_ = false;
    bool stuck_ = false;  // a deadlock was reported
    u64 now_ = 0;         // of advance()
    Cluster own_cluster_;
    Cluster* cluster_ = &own_cluster_;
    u32 cluster_rank_ = 0;
    std::unique_ptr<AsyncCopies> copies_;
};

}  // namespace warplens::simt
