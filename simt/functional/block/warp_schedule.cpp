// Which lanes of a warp run next: min-PC. The groups of a warp are at first sites of basic blocks; the group
// at the lowest position runs, and groups that reach the same position merge.
#include <algorithm>
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/block/step_watch.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

namespace {

// Visits of a warp before the other warps of its block run; those would otherwise wait forever if this one
// polls for their result.
constexpr int visits_per_slice = 16384;
// A spinning group that changes something in each iteration (a counter, a clock) is recognised only by this
// limit.
constexpr u64 patience = u64{1} << 20;
constexpr u64 longest_interval = u64{1} << 16;

/// A hash of all registers that a group's lanes could have changed.
u64 fingerprint(const Warp& warp, u32 bytes) {
    u64 hash = 0x9e3779b97f4a7c15ull ^ warp.carry;
    for (u32 i = 0; i < bytes; i += 8) {
        u64 word;
        __builtin_memcpy(&word, warp.registers + i, 8);
        hash = std::rotl((hash ^ word) * 0xff51afd7ed558ccdull, 29);
    }
    return hash;
}

const Frame* ancestor(const Frame* frame, u32 depth) {
    while (frame->depth > depth) frame = frame->parent;
    return frame;
}

}  // namespace

/// Text order; lanes inside a call are between the calling block and the next one.
bool BlockRunner::before(const Group& a, const Group& b) {
    if (a.frame == b.frame) return a.block < b.block;
    // Where the two paths diverge, at the depth of their last common activation.
    u32 depth = std::min(a.frame->depth, b.frame->depth);
    const Frame* fa = ancestor(a.frame, depth);
    const Frame* fb = ancestor(b.frame, depth);
    if (fa == fb) {
        // One of them is deeper: its position there is the call.
        if (a.frame->depth > depth) return ancestor(a.frame, depth + 1)->call_block < b.block;
        return a.block <= ancestor(b.frame, depth + 1)->call_block;
    }
    while (fa->parent != fb->parent) {
        fa = fa->parent;
        fb = fb->parent;
    }
    // Called from one place through a pointer: the function that is first in the text comes first.
    if (fa->call_block == fb->call_block) return fa->function < fb->function;
    return fa->call_block < fb->call_block;
}

void BlockRunner::push(Warp& warp, const Group& group) {
    // Machine code says where lanes meet.
    if (kernel().machine) {
        warp.groups.push_back(group);
        return;
    }
    for (Group& known : warp.groups) {
        if (known.block != group.block || known.frame != group.frame) continue;
        known.mask |= group.mask;
        known.yielded &= group.yielded;
        return;
    }
    warp.groups.push_back(group);
}

/// Whether lanes that the block's .sync instructions name may still arrive here.
bool BlockRunner::waits_for_others(const Warp& warp, const Group& group) const {
    return (kernel().blocks[group.block].convergence & warp.live & ~warp.waiting & ~group.mask) != 0;
}

/// Lanes that wait for others cannot go on; where only such lanes have not given way, those that did run
/// again.
std::size_t BlockRunner::choose(Warp& warp) {
    constexpr std::size_t none = ~std::size_t{0};
    for (;;) {
        std::size_t lowest = none, ready = none;
        for (std::size_t i = 0; i < warp.groups.size(); ++i) {
            const Group& group = warp.groups[i];
            if (lowest == none || before(group, warp.groups[lowest])) lowest = i;
            if (group.yielded || (ready != none && !before(group, warp.groups[ready]))) continue;
            if (!waits_for_others(warp, group)) ready = i;
        }
        if (ready != none) return ready;
        if (let_go(warp)) continue;
        if (std::ranges::none_of(warp.groups, &Group::yielded)) return lowest;
        for (Group& group : warp.groups) group.yielded = false;
    }
}

bool BlockRunner::is_spinning(Warp& warp, Group& chosen) {
    SpinWatch& spin = warp.spin;
    ++spin.selections;
    if (spin.armed && spin.block == chosen.block && spin.mask == chosen.mask) {
        spin.armed = false;
        if (fingerprint(warp, kernel().state_bytes) == spin.state) {
            spin.interval = 64;
            spin.next_check = spin.selections + spin.interval;
            return true;
        }
        spin.interval = std::min(2 * spin.interval, longest_interval);
        spin.next_check = spin.selections + spin.interval;
        return false;
    }
    if (spin.selections >= spin.patient_until) {
        spin.patient_until += patience;
        return true;
    }
    if (spin.selections >= spin.next_check) {
        spin.armed = true;
        spin.block = chosen.block;
        spin.mask = chosen.mask;
        spin.armed_at = warp.steps;
        spin.state = fingerprint(warp, kernel().state_bytes);
        spin.next_check = spin.selections + spin.interval;
    }
    return false;
}

/// Takes a group out of those that can run, and with it others that gave way at the same instruction.
Group BlockRunner::take(Warp& warp, std::size_t chosen) {
    Group group = warp.groups[chosen];
    warp.groups[chosen] = warp.groups.back();
    warp.groups.pop_back();
    if ((warp.gave_way & group.mask) == 0) return group;
    std::erase_if(warp.groups, [&](const Group& other) {
        if (other.block != group.block || (warp.gave_way & other.mask) == 0) return false;
        group.mask |= other.mask;
        return true;
    });
    return group;
}

void BlockRunner::run_warp(Warp& warp) {
    warp.visit_budget = visits_per_slice;
    for (int used = 0; used < warp.visit_budget && !warp.groups.empty();) {
        std::size_t chosen = 0;
        if (warp.groups.size() > 1 || warp.gave_way != 0) {
            chosen = choose(warp);
            if (is_spinning(warp, warp.groups[chosen])) {
                warp.groups[chosen].yielded = true;
                chosen = choose(warp);
            }
        }
        Group group = take(warp, chosen);
        // A group without others continues from block to block without being stored.
        do {
            visit(warp, group);
            ++used;
        } while (group.mask != 0 && warp.groups.empty() && used < warp.visit_budget && !ends_run_);
        group.yielded |= warp.visit_budget == 0;
        if (group.mask != 0) push(warp, group);
        if (ends_run_) return;
    }
}

/// Whether an instruction of the block may change what other warps see. What an mbarrier waits for may arrive
/// without an instruction.
bool BlockRunner::may_write(const DecodedBlock& block) const {
    const std::vector<Site>& sites = kernel().program().sites;
    for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site) {
        const Site& about = sites[site];
        const bool accesses = about.kind == SiteKind::memory || about.operation != Operation::none;
        if (accesses && about.operation != Operation::load) return true;
        if (about.kind == SiteKind::call || about.kind == SiteKind::barrier) return true;
        if (about.opcode.starts_with("mbarrier") || about.opcode.starts_with("SYNCS")) return true;
    }
    return false;
}

/// A warp's first number is its own; a further one is work that another block may be ready for before.
bool BlockRunner::waits_for_turn(const Warp& warp, const Group& group) const {
    return kernel().blocks[group.block].counter != no_index && warp.takes_numbers && warp.time() > now_;
}

/// What a warp did since it was first looked at was to wait: that is how often the engine came by.
void BlockRunner::leave_out_wait(Warp& warp) {
    warp.waited -= static_cast<s64>(warp.steps - warp.spin.armed_at);
}

/// As run_warp, for a co-scheduled block: a group without others is checked for spinning too.
WarpProgress BlockRunner::run_watched(Warp& warp) {
    SpinWatch& spin = warp.spin;
    const bool suspect = spin.caught;
    if (suspect && warp.time() < now_) warp.waited += static_cast<s64>(now_ - warp.time());
    if (suspect) spin.next_check = spin.selections;
    spin.caught = spin.wrote = false;
    warp.visit_budget = visits_per_slice;
    for (int used = 0; used < warp.visit_budget && !warp.groups.empty();) {
        std::size_t chosen = choose(warp);
        if (waits_for_turn(warp, warp.groups[chosen]))
            return used == 0 ? WarpProgress::takes_turns : WarpProgress::moved;
        const u64 patient_until = spin.patient_until;
        if (is_spinning(warp, warp.groups[chosen])) {
            if (patient_until != spin.patient_until) return WarpProgress::impatient;
            warp.groups[chosen].yielded = true;
            const auto stands = [&](const Group& group) {
                return group.yielded || waits_for_others(warp, group);
            };
            if (std::ranges::all_of(warp.groups, stands)) {
                for (Group& group : warp.groups) group.yielded = false;
                spin.caught = true;
                leave_out_wait(warp);
                return suspect ? WarpProgress::spins : WarpProgress::moved;
            }
            chosen = choose(warp);
        }
        Group group = take(warp, chosen);
        const u64 unwatched =
            spin.armed || spin.next_check <= spin.selections ? 1 : spin.next_check - spin.selections;
        u64 visits = 0;
        do {
            if (suspect) spin.wrote |= may_write(kernel().blocks[group.block]);
            visit(warp, group);
            ++visits;
        } while (group.mask != 0 && warp.groups.empty() && visits < unwatched && warp.visit_budget != 0 &&
                 !ends_run_ && !waits_for_turn(warp, group));
        group.yielded |= warp.visit_budget == 0;
        if (group.mask != 0) push(warp, group);
        spin.selections += visits - 1;
        used += static_cast<int>(visits);
        if (ends_run_) break;
    }
    if (warp.visit_budget != 0 || warp.groups.empty()) return WarpProgress::moved;
    // An instruction waits. Whether the warp only repeats itself is known once it is armed and returns here.
    spin.caught = suspect && spin.armed;
    return spin.caught ? WarpProgress::spins : WarpProgress::impatient;
}

/// Executes a basic block. Afterwards `group` is where its lanes continue, or is empty; other lanes have been
/// pushed.
void BlockRunner::visit(Warp& warp, Group& group) {
    const DecodedBlock& block = kernel().blocks[group.block];
    const u32 mask = group.mask;
    warp.active = mask;
    warp.first_site = block.first_site;
    if ((warp.gave_way & mask) != 0) [[unlikely]] {
        warp.gave_way &= ~mask;
        group.yielded = false;
    }
    if (observer_ && block.site_count != 0)
        observer_->visit(static_cast<int>(warp.index), group.block, {mask});
    if (watch_) [[unlikely]] {
        execute_watched(warp, block);
    } else {
        const DecodedOp* end = kernel().ops.data() + block.end_op;
        for (const DecodedOp* op = kernel().ops.data() + block.first_op; op != end; ++op)
            op->execute(warp, *op, mask);
    }
    warp.steps += block.site_count;
    // Most visits are of whole warps, and counting bits is a call if the target machine lacks the
    // instruction.
    warp.thread_steps += u64{block.site_count} *
                         (LaneMask{mask}.full() ? u64{warp_size} : static_cast<u64>(std::popcount(mask)));
    if (warp.steps > step_limit_) [[unlikely]] {
        if (ends_run_) return;
        report(warp, block.first_site, mask, ProblemKind::endless_loop, 0,
               fmt::format("after {} steps the warp is still running: a loop never ends, or the limit "
                           "(--max-steps) is too low",
                           step_limit_));
        end_run();
        return;
    }
    switch (block.control) {
        case Control::fall_through:
            group.block = block.next;
            break;
        case Control::branch:
            branch(warp, block, group);
            break;
        case Control::branch_table:
            branch_by_table(warp, block, group);
            break;
        case Control::exit:
        case Control::leave_function: {
            u32 leaving = guarded_lanes(warp, block, mask);
            Group rest{block.next, mask & ~leaving, group.frame, group.yielded};
            if (leaving != 0 && block.control == Control::leave_function && group.frame->parent)
                leave_function(warp, group, leaving);
            else if (leaving != 0) exit_lanes(warp, leaving);
            group = rest;
            break;
        }
        case Control::call:
            call(warp, block, group);
            break;
        case Control::barrier_sync:
        case Control::barrier_arrive:
        case Control::barrier_reduce:
            arrive(warp, block, group);
            break;
        case Control::cluster_arrive:
            arrive_at_cluster(warp, block, group);
            break;
        case Control::cluster_wait:
            wait_for_cluster(warp, block, group);
            break;
        case Control::converge:
        case Control::converge_named:
            converge(warp, block, group);
            break;
        case Control::give_way:
            give_way(warp, block, group);
            break;
        case Control::jump:
            jump(warp, block, group);
            break;
        case Control::call_address:
            call_address(warp, block, group);
            break;
    }
    if (!warp.converging.empty()) {
        release_converged(warp);
        if (warp.groups.empty() && group.mask == 0 && warp.waiting == 0) let_go(warp);
    }
    if (watch_ && block.control_site != no_index) [[unlikely]]
        watch_->after(warp, warp.steps - 1, block.control_site);
}

/// The operations of one site are consecutive; a site may have none. The control instruction, which comes
/// last, is executed by visit().
void BlockRunner::execute_watched(Warp& warp, const DecodedBlock& block) {
    const u32 mask = warp.active;
    const DecodedOp* op = kernel().ops.data() + block.first_op;
    const DecodedOp* const end = kernel().ops.data() + block.end_op;
    for (u32 i = 0; i < block.site_count; ++i) {
        const SiteId site = block.first_site + i;
        watch_->before(warp, warp.steps + i, site);
        for (; op != end && op->site == site; ++op) op->execute(warp, *op, mask);
        if (site != block.control_site) watch_->after(warp, warp.steps + i, site);
    }
}

u32 BlockRunner::guarded_lanes(Warp& warp, const DecodedBlock& block, u32 mask) {
    if (!block.guarded) return mask;
    u32 holds = predicate(warp, block.guard);
    u32 lanes = mask & (block.guard_negated ? ~holds : holds);
    if (observer_) observer_->guard(static_cast<int>(warp.index), block.control_site, {lanes});
    return lanes;
}

void BlockRunner::branch(Warp& warp, const DecodedBlock& block, Group& group) {
    if (!block.guarded) {
        group.block = block.target;
        return;
    }
    const u32 holds = predicate(warp, block.guard);
    const u32 taken = group.mask & (block.guard_negated ? ~holds : holds);
    if (observer_) observer_->branch(static_cast<int>(warp.index), block.control_site, {group.mask}, {taken});
    const u32 next = block.next;
    if (taken == group.mask) {
        group.block = block.target;
    } else if (taken == 0) {
        group.block = next;
    } else {
        push(warp, {block.target, taken, group.frame, group.yielded});
        group.mask &= ~taken;
        group.block = next;
    }
}

void BlockRunner::branch_by_table(Warp& warp, const DecodedBlock& block, Group& group) {
    const std::vector<u32>& table = kernel().tables[block.target];
    const u32* index = row<const u32>(warp, block.table_index);
    const u32 jumping = guarded_lanes(warp, block, group.mask);
    u32 outside = 0;
    for_each_lane({jumping}, [&](int lane) {
        if (index[lane] < table.size())
            push(warp, {table[index[lane]], 1u << lane, group.frame, group.yielded});
        else outside |= 1u << lane;
    });
    if (outside != 0) {
        report(warp, block.control_site, outside, ProblemKind::out_of_bounds, 0,
               fmt::format("jumps to entry {} of a table of {}", index[std::countr_zero(outside)],
                           table.size()));
        exit_lanes(warp, outside);
    }
    group = {block.next, group.mask & ~jumping, group.frame, group.yielded};
}

void BlockRunner::exit_lanes(Warp& warp, u32 mask) {
    warp.live &= ~mask;
    if (races_) races_->exit(warp);
    live_threads_ -= static_cast<u32>(std::popcount(mask));
    lanes_exited();
}

}  // namespace warplens::simt
