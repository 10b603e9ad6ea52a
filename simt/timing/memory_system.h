// MemorySystem: one SM's path to memory. The times of a request are computed when it issues, because every
// unit serves in order: the sub-partition's queue, the SM's pipe, which shared memory and L1 have in common,
// L1 tags, the port to L2, L2, DRAM. The other SMs reduce this SM's share of L2 and DRAM.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/gpu_spec.h"
#include "core/sm_timing.h"
#include "core/timing_options.h"
#include "simt/timing/dram.h"
#include "simt/timing/l1_cache.h"
#include "simt/timing/l2_partitions.h"
#include "simt/timing/l2_slices.h"
#include "simt/timing/launch_plan.h"
#include "simt/timing/look_ups.h"
#include "simt/timing/memory_share.h"
#include "simt/timing/request_table.h"
#include "simt/timing/server.h"
#include "simt/timing/shared_lines.h"
#include "simt/timing/write_port.h"
#include "trace/schedule.h"

namespace warplens::simt {

/// The times of a request.
struct Journey {
    double leaves_queue = 0;  // its place in the sub-partition's queue is free
    double returns = 0;       // data are in registers; for a store: it leaves the SM
    double visible = 0;       // stores and reductions: it reaches L2
    trace::ServedBy by = trace::ServedBy::shared;
    bool repeated = false;     // of a load: the SM had accessed all its granules before
    double behind_writes = 0;  // of a load: cycles for which writes ahead of it hold the L1's pipe
};

/// What memory does when the launch begins.
struct MemoryStart {
    double refresh_phase = 0;  // intervals since the first stack's refresh began
    unsigned far_half = 1;     // of L2: see partition_of()
};

class MemorySystem {
  public:
    MemorySystem(const LaunchPlan& plan, const GpuSpec& gpu, const SmTiming& timing,
                 const TimingOptions& options, MemoryStart start, MemoryShare share,
                 const RequestTable& requests);

    /// The requester: the queue of its sub-partition, and the wavefront rate of its warp.
    struct Client {
        int partition;
        Server& wavefronts;
    };
    /// A shared load, store or atomic with this cost at cycle `at`. `counts_lanes`: MachineOp's.
    Journey shared(Client client, double at, const RequestCost& cost, bool counts_lanes = false);
    /// The same with a given number of wavefronts: a merged access.
    Journey shared(Client client, double at, int wavefronts);
    /// A shuffle, vote or the like: through the MIO, with its result after `latency`.
    Journey exchange(Client client, double at, int latency);
    /// A global or local request.
    Journey global(int partition, double at, const RequestCost& cost, bool returns_value);
    /// An access of no lane: it moves nothing, but passes the pipe in its turn.
    Journey shared_without_lanes(int partition, double at);
    /// A constant load: one wavefront for each word that its lanes want.
    Journey constant(double at, const RequestCost& cost);

    /// A special register, or a constant that all lanes want, whose line is there from `ready` on.
    LookUps::Times look_up(int partition, double at, double ready) {
        const LookUps::Times times = look_ups_.look_up(partition, at, ready);
        queues_[static_cast<std::size_t>(partition)].mio.push(times.leaves_queue);
        return times;
    }
    LookUps::Times thread_index(double at) { return look_ups_.thread_index(at); }

    /// The first cycle at which the queue has room.
    double mio_room(int partition) const { return queues_[static_cast<std::size_t>(partition)].mio.room(); }
    double lsu_room(int partition) const {
        return std::max(queues_[static_cast<std::size_t>(partition)].lsu.room(), loads_.room());
    }

    /// Whether at this cycle a write holds the L1's pipe, because the port to L2 has yet to take its data.
    bool writes_hold(double at) const { return writes_hold_until_ > at; }

    /// A block has ended: from now on the SMs no longer run in step.
    void end_first_wave() { first_wave_ = false; }

    double dram_bytes() const { return dram_bytes_; }  // of this SM
    double l2_bytes() const { return l2_bytes_; }
    /// The cycle at which L2 completes the last atomic: a launch does not end earlier.
    double atomics_done() const { return atomics_done_; }
    /// The larger of two figures: cycles for which atomics of all SMs occupy the busiest slice of L2, and
    /// cycles for which lanes at one address occupy this SM's shared memory.
    double atomic_cycles() const { return std::max(slices_.busiest(), shared_atomics_); }

  private:
    /// The cycles at which the last `places` entries leave.
    class Queue {
      public:
        explicit Queue(int places) : leaves_(static_cast<std::size_t>(places > 0 ? places : 1), 0) {}
        double room() const { return leaves_[next_]; }
        void push(double leaves) {
            leaves_[next_] = leaves;
            next_ = (next_ + 1) % leaves_.size();
        }

      private:
        std::vector<double> leaves_;
        std::size_t next_ = 0;
    };
    struct Partition {
        Queue mio, lsu;
    };
    struct Fetched {
        double ready = 0;
        trace::ServedBy by = trace::ServedBy::l2;
        bool repeated = true;
    };

    Journey load(Partition& partition, double at, const RequestCost& cost);
    Journey store(Partition& partition, double at, const RequestCost& cost);
    Journey atomic(Partition& partition, double at, const RequestCost& cost, bool returns_value);
    double begin_write(Partition& partition, double at, std::span<const SectorId> sectors);
    /// From the SM's port to L2 and back; `at`: when the miss is known. `of_whole_lines`: the request reads
    /// several of them.
    Fetched fetch(double at, std::span<const SectorId> missing, bool of_whole_lines);
    /// What L2 has of a granule; marks it as present.
    struct Presence {
        enum class Where : std::uint8_t { there, on_its_way, missing };
        Where where = Where::there;
        bool first = true;           // the SM's first access
        double read_share = 0;       // of the granule that the SM reads from DRAM, in the mean
        bool first_of_half = false;  // of the SMs near to its half of L2 it is the first to read it
    };
    Presence look_up_l2(std::uint64_t granule, double at);
    /// The bytes that L2 takes for a granule that it did not have: a line, or nothing if it has the other
    /// half.
    double line_taken(std::uint64_t granule) const;
    /// Still in L2, when the SM accessed it last at `touched` bytes.
    bool kept(std::uint64_t granule, double touched) const;
    /// Calls use(the sectors of one line) for each line of a request.
    template <class Use>
    void for_each_line(std::span<const SectorId> sectors, Use&& use) const;
    /// Takes the L1's pipe behind what has arrived before; returns the begin.
    double take_l1(double at, double cycles);
    double line_count(std::span<const SectorId> sectors) const;
    /// Lines all of whose sectors the request accesses.
    int whole_lines(std::span<const SectorId> sectors) const;
    /// Cycles in which the tags of a load's lines are looked up.
    double tag_cycles(std::span<const SectorId> sectors) const;
    double first_access(double at);
    /// Serialized lanes at one address, after the kernel's own combining.
    int rounds_of(const RequestCost& cost) const;
    std::span<const SectorId> sectors_of(const RequestCost& cost) const;
    double wait_for_miss_slot(double at);

    const SmTiming& timing_;
    TimingOptions options_;
    MemoryShare share_;
    const RequestTable& requests_;
    std::vector<Partition> queues_;
    LookUps look_ups_;
    Server constants_, l2_read_, atomics_;
    WritePort l2_write_;
    Server l2_;       // reads again, behind the port l2_read_ and the translation of addresses
    Server l1_pipe_;  // of shared memory and L1, which are one memory: all requests pass it in order
    Queue loads_;     // of all partitions together
    L2Partitions partitions_;
    Dram dram_;
    L1Cache l1_;
    std::priority_queue<double, std::vector<double>, std::greater<>> misses_;  // when each returns
    std::priority_queue<double, std::vector<double>, std::greater<>> fills_;   // lines on their way to L1
    std::unordered_map<std::uint64_t, double>
        in_l2_;  // granule → bytes that the SM had accessed at its last access to it
    L2Slices slices_;
    SharedLines shared_lines_;
    double shared_atomics_ = 0;
    double writes_hold_until_ = 0;  // cycle at which the last of them could begin
    double translated_ = -1;        // cycle from which addresses are translated; negative: no request yet
    double line_interval_ = 0, sector_interval_ = 0;  // cycles of a read from L2
    double sms_ = 1;
    double l2_hit_ = 0, atomic_latency_ = 0;  // of the SM that ends last
    double dram_extra_ = 0;                   // cycles on top of an L2 hit
    double touched_bytes_ = 0;
    bool first_wave_ = true;
    double dram_bytes_ = 0, l2_bytes_ = 0;
    double atomics_done_ = 0;
};

}  // namespace warplens::simt
