// SmStates: what the units of the modelled SM hold in a cycle — its warp slots, pipes, queues, scoreboards
// and requests in flight. Derived from a Schedule: states from its spans, units from its issues, requests
// from its flights. Nothing is modelled here; a Schedule without issues has no pipes, queues and scoreboards.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/time/schedule_sums.h"
#include "core/sm_timing.h"
#include "trace/schedule.h"

namespace warplens::analysis {

/// An instruction that a unit holds.
struct HeldInstruction {
    std::uint32_t warp = no_index;  // into Schedule::warps
    SiteId site = 0;
    std::uint32_t issued = 0;  // cycle
    std::uint32_t until = 0;   // first cycle in which the unit no longer holds it
};

struct PipeState {
    HeldInstruction taking;  // the pipe accepts no other until `taking.until`; without a warp: it is free
    /// Instructions in it, `taking` included: issued, and their results not yet to be used.
    std::uint32_t inside = 0;
};

struct SlotState {
    std::uint32_t warp = no_index;  // into Schedule::warps; no_index: the slot is free
    WarpState state = WarpState::no_instruction;
    SiteId site = 0;                        // the instruction that it issues, or is about to
    std::uint32_t since = 0, until = 0;     // cycles of the state
    std::uint8_t counting = 0, waited = 0;  // bit i: scoreboard i is not zero; and the warp waits for it
};

struct SchedulerState {
    std::uint32_t issuing = no_index;                   // the warp that issues in this cycle; no_index: none
    std::vector<SlotState> slots;                       // by slot
    std::array<PipeState, pipe_count> pipes{};          // without mio and lsu, which have queues
    std::vector<HeldInstruction> mio_queue, lsu_queue;  // by issue
};

struct SmState {
    std::uint32_t cycle = 0;
    std::vector<SchedulerState> schedulers;
    std::vector<std::uint32_t> blocks;         // resident: into Schedule::blocks, by arrival
    std::array<std::uint32_t, 5> in_flight{};  // requests on their way, by ServedBy
    std::uint32_t resident_warps() const;
    std::uint32_t issuing_schedulers() const;
    /// Resident warps in each state.
    ByWarpState<std::uint32_t> states() const;
};

class SmStates {
  public:
    /// One pass over the issues and flights; about 12 bytes for each. `timing` is that of the Schedule's GPU.
    SmStates(std::shared_ptr<const ScheduleSums> sums, const SmTiming& timing);

    const trace::Schedule& schedule() const { return sums_->schedule(); }
    bool has_units() const { return !schedule().issues.empty(); }
    /// Takes time by the number of slots, whatever the length of the schedule. Past its end: nothing is held.
    SmState at(std::uint32_t cycle) const;
    /// The pipe without a queue whose instructions keep it from taking others for most cycles: what the
    /// kernel computes with. nullopt without units.
    std::optional<Pipe> busiest_pipe() const;
    /// Of up to 512 cycles, spread evenly over the issues, and as many over those into the busiest pipe: that
    /// with most schedulers issuing, of these one with most issuing into that pipe, and of these the one
    /// whose units hold most different things. 0 without spans.
    std::uint32_t liveliest_cycle() const;

  private:
    struct Entry {
        std::uint32_t issue = 0, warp = 0;  // into Schedule::issues, Schedule::warps
    };
    /// The last entry issued at `cycle` or before, as one past its index.
    std::size_t issued_by(const std::vector<Entry>& entries, std::uint32_t cycle) const;
    HeldInstruction held(const Entry& entry, std::uint32_t until) const;
    const std::vector<Entry>& entries(std::size_t scheduler, Pipe pipe) const {
        return entries_[scheduler * pipe_count + static_cast<std::size_t>(pipe)];
    }
    PipeState pipe_at(std::size_t scheduler, Pipe pipe, std::uint32_t cycle) const;
    std::vector<HeldInstruction> queue_at(std::size_t scheduler, Pipe pipe, int places,
                                          std::uint32_t cycle) const;
    SlotState slot_at(std::size_t row, std::uint32_t cycle) const;
    std::uint8_t counting(std::uint32_t warp, std::uint32_t cycle) const;
    /// Cycles in which something issues, into `pipe` for one half of them.
    std::vector<std::uint32_t> sampled_cycles(std::optional<Pipe> pipe) const;

    std::shared_ptr<const ScheduleSums> sums_;
    SmTiming timing_;
    std::vector<std::vector<Entry>> entries_;                      // by scheduler and pipe, by cycle
    std::vector<std::vector<std::uint32_t>> setters_;              // by warp: issues that set a scoreboard
    std::array<std::vector<std::uint32_t>, 5> issued_, returned_;  // of flights by ServedBy, ascending
};

}  // namespace warplens::analysis
