// WarpContext: one resident warp of the modelled SM — its registers and scoreboards, what it waits for, and
// when to check it again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/warp_state.h"
#include "simt/timing/front_end.h"
#include "simt/timing/late_products.h"
#include "simt/timing/server.h"

namespace warplens::simt {

/// A register's value, available from `ready` on; until then a warp that needs it is in `state`.
struct PendingResult {
    std::uint32_t ready = 0;
    std::uint32_t cause = no_index;  // step that computes it
    WarpState state = WarpState::wait;
};

/// A condition that a warp must wait for before it may issue.
struct Hold {
    std::uint32_t until = 0;
    std::uint32_t cause = no_index;
    WarpState state = WarpState::wait;
};

/// What a scoreboard still counts, in the order of issue.
class Scoreboard {
  public:
    void add(const PendingResult& release, std::uint32_t now) {
        std::erase_if(pending_, [&](const PendingResult& each) { return each.ready <= now; });
        pending_.push_back(release);
    }
    /// The last of those that must be released before at most `left_over` are left.
    PendingResult wait(std::size_t left_over) const {
        PendingResult last;
        for (std::size_t i = 0; i + left_over < pending_.size(); ++i)
            if (pending_[i].ready > last.ready) last = pending_[i];
        return last;
    }

  private:
    std::vector<PendingResult> pending_;
};

struct WarpContext {
    FrontEnd front;
    std::uint32_t number = 0;  // in the ScheduleLog
    std::uint32_t record = 0;  // index into Trace::warps
    std::uint32_t block = 0;   // index of the resident block
    std::uint32_t arrival = 0;
    int scheduler = 0;
    std::vector<PendingResult> registers{};
    std::array<Scoreboard, scoreboard_count> scoreboards{};
    std::uint32_t stalled_until = 0;  // by the stall count of its last operation
    Hold hold{};
    LateProducts products{};
    std::uint32_t wake = 0;                    // cycle at which to check again
    bool has_operands = false;                 // until it issues, nothing of its own holds its operation
    Server wavefronts{};                       // of shared memory: a single warp's rate is below the SM's
    std::uint32_t mio_ready = 0;               // cycle from which it may send another instruction to the MIO,
    std::uint32_t lsu_ready = 0;               // or to the LSU
    std::uint32_t last_shared = no_index;      // step of its latest access to shared memory
    std::uint32_t last_write = no_index;       // step of its latest store or atomic on global or local memory
    bool at_barrier = false;                   // until the cycle of its release is known
    std::uint32_t barrier_step = no_index;     // step of its latest barrier
    std::uint32_t barrier_opens = 0;           // cycle at which that lets it go
    bool draining = false;                     // its last instruction has issued
    std::uint32_t stores_left = 0;             // cycle by which its writes have left the SM
    std::uint32_t last_to_leave = no_index;    // step of the write that is the last to leave
    std::uint32_t writes_visible = 0;          // cycle by which they have reached L2
    std::uint32_t copies_done = 0;             // cp.async: cycle by which all are done
    std::vector<std::uint32_t> groups_done{};  // the same up to each group

    /// The cycle by which all copies but those of the latest `groups_left` groups are done.
    std::uint32_t copies_wait(std::uint8_t groups_left) const {
        if (groups_left == all_copies) return copies_done;
        return groups_left < groups_done.size() ? groups_done[groups_done.size() - 1 - groups_left] : 0;
    }
    /// What a warp waits for behind writes: its last, or, if it has yet to write, what it writes next, as
    /// other warps do before it.
    std::uint32_t held_by() const { return last_write != no_index ? last_write : front.next_write(); }
    SiteId last_site = 0;  // of the last issued operation
    std::uint32_t last_step = 0;
    std::uint32_t last_issue = 0;  // its cycle
    /// From here on it has had its turn: at the machine level the cycle at which it last yielded or began to
    /// wait for something other than a stall count or a pipe, from PTX the one at which it issued last.
    std::uint32_t turn = 0;
};

}  // namespace warplens::simt
