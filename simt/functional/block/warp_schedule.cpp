// Which lanes of a warp run next. The groups of a warp are at first sites of basic blocks. At the PTX level
// it is min-PC: the group at the lowest position runs, and groups that reach the same position merge. Machine
// code says where lanes meet, and groups run in turns (Turn), as on an H200.
#include <algorithm>
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/lane_functions.h"

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
    static const LaneFunctions& lanes = lane_functions();
    return lanes.hash_words(reinterpret_cast<const u32*>(warp.registers), bytes / sizeof(u32), warp.carry);
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

std::size_t BlockRunner::choose(Warp& warp) { return kernel().machine ? in_turn(warp) : lowest(warp); }

/// Lanes that wait for others cannot go on; where only such lanes have not given way, those that did run
/// again.
std::size_t BlockRunner::lowest(Warp& warp) const {
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
        if (std::ranges::none_of(warp.groups, &Group::yielded)) return lowest;
        for (Group& group : warp.groups) group.yielded = false;
    }
}

/// The newest of those whose turn it is. Groups that gave way can run again where no other can.
std::size_t BlockRunner::in_turn(Warp& warp) {
    constexpr std::size_t none = ~std::size_t{0};
    for (;;) {
        std::size_t best = none;
        for (std::size_t i = 0; i < warp.groups.size(); ++i) {
            const Group& group = warp.groups[i];
            if (!group.yielded && (best == none || group.turn >= warp.groups[best].turn)) best = i;
        }
        if (best != none) return best;
        if (warp.gave_way != 0 || !let_go(warp)) run_again(warp);
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

/// Takes a group out of those that can run. Of machine code it takes with it whoever else is at the same
/// instruction, also lanes that wait there, unless it only goes on or was left at a branch.
Group BlockRunner::take(Warp& warp, std::size_t chosen) const {
    Group group = warp.groups[chosen];
    warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(chosen));
    if (!kernel().machine) return group;
    const auto joins = [&](const auto& other) {
        if (other.block != group.block) return false;
        group.mask |= other.mask;
        return true;
    };
    if (group.turn == Turn::any) {
        std::erase_if(warp.groups, joins);
        std::erase_if(warp.converging, joins);
    }
    group.turn = Turn::now;
    return group;
}

/// Where lanes of machine code part: these run next. Those that were left before have no turn of their own
/// any more.
void BlockRunner::leave(Warp& warp, const Group& group) {
    for (Group& other : warp.groups) other.turn = Turn::any;
    push(warp, group);
    warp.groups.back().turn = Turn::next;
}

void BlockRunner::run_warp(Warp& warp) {
    warp.visit_budget = visits_per_slice;
    for (int used = 0; used < warp.visit_budget && !warp.groups.empty();) {
        std::size_t chosen = 0;
        if (warp.groups.size() > 1 || warp.gave_way != 0 || !warp.converging.empty()) {
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
        group.turn = group.yielded ? Turn::any : Turn::now;
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
                for (Group& group : warp.groups) group.yielded = (warp.gave_way & group.mask) != 0;
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
        group.turn = group.yielded ? Turn::any : Turn::now;
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

}  // namespace warplens::simt
