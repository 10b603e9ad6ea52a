#include "analysis/time/sm_state.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

/// A scoreboard counts to 63.
constexpr std::size_t most_counted = 63 * std::size_t{scoreboard_count};
/// Instructions of a pipe whose results are not there: more than its latency has cycles there cannot be.
constexpr std::size_t most_inside = 64;
constexpr std::size_t most_sampled = 512;

bool has_no_queue(Pipe pipe) { return pipe != Pipe::mio && pipe != Pipe::lsu && pipe != Pipe::none; }

/// FP32 instructions go to both FMA pipes, half to each.
Pipe unit_of(Pipe pipe) { return pipe == Pipe::fma_heavy ? Pipe::fma : pipe; }

bool issues_into(const SchedulerState& scheduler, Pipe unit, std::uint32_t cycle) {
    for (std::size_t pipe = 0; pipe < pipe_count; ++pipe) {
        const HeldInstruction& taking = scheduler.pipes[pipe].taking;
        if (unit_of(static_cast<Pipe>(pipe)) == unit && taking.warp != no_index && taking.issued == cycle)
            return true;
    }
    return false;
}

}  // namespace

std::uint32_t SmState::resident_warps() const {
    std::uint32_t count = 0;
    for (const SchedulerState& scheduler : schedulers)
        count += static_cast<std::uint32_t>(std::ranges::count_if(
            scheduler.slots, [](const SlotState& slot) { return slot.warp != no_index; }));
    return count;
}

std::uint32_t SmState::issuing_schedulers() const {
    return static_cast<std::uint32_t>(
        std::ranges::count_if(schedulers, [](const SchedulerState& one) { return one.issuing != no_index; }));
}

ByWarpState<std::uint32_t> SmState::states() const {
    ByWarpState<std::uint32_t> count;
    for (const SchedulerState& scheduler : schedulers)
        for (const SlotState& slot : scheduler.slots)
            if (slot.warp != no_index) ++count[slot.state];
    return count;
}

SmStates::SmStates(std::shared_ptr<const ScheduleSums> sums, const SmTiming& timing)
    : sums_(std::move(sums)), timing_(timing) {
    const trace::Schedule& of = schedule();
    entries_.resize(static_cast<std::size_t>(std::max(of.schedulers, 0)) * pipe_count);
    if (!of.site_scoreboards.empty()) setters_.resize(of.warps.size());
    for (std::uint32_t w = 0; w < of.warps.size(); ++w) {
        const trace::ScheduledWarp& warp = of.warps[w];
        for (auto i = static_cast<std::uint32_t>(warp.issues_begin); i < warp.issues_end; ++i) {
            const trace::Issue& issue = of.issues[i];
            entries_[warp.scheduler * pipe_count + static_cast<std::size_t>(issue.pipe())].push_back({i, w});
            if (issue.site() >= of.site_scoreboards.size()) continue;
            const trace::SiteScoreboards& sets = of.site_scoreboards[issue.site()];
            if (sets.write < scoreboard_count || sets.read < scoreboard_count) setters_[w].push_back(i);
        }
    }
    for (auto& entries : entries_)
        std::ranges::sort(entries, {}, [&](const Entry& entry) { return of.issues[entry.issue].cycle; });
    for (const trace::Flight& flight : of.flights) {
        const auto by = static_cast<std::size_t>(flight.served_by());
        if (by >= issued_.size()) continue;
        issued_[by].push_back(flight.issued);
        returned_[by].push_back(flight.returned);
    }
    for (std::size_t by = 0; by < issued_.size(); ++by) {
        std::ranges::sort(issued_[by]);
        std::ranges::sort(returned_[by]);
    }
}

std::size_t SmStates::issued_by(const std::vector<Entry>& entries, std::uint32_t cycle) const {
    const auto after = std::ranges::upper_bound(
        entries, cycle, {}, [&](const Entry& entry) { return schedule().issues[entry.issue].cycle; });
    return static_cast<std::size_t>(after - entries.begin());
}

HeldInstruction SmStates::held(const Entry& entry, std::uint32_t until) const {
    const trace::Issue& issue = schedule().issues[entry.issue];
    return {entry.warp, issue.site(), issue.cycle, until};
}

PipeState SmStates::pipe_at(std::size_t scheduler, Pipe pipe, std::uint32_t cycle) const {
    PipeState state;
    const auto& all = entries(scheduler, pipe);
    const std::size_t end = issued_by(all, cycle);
    if (end > 0 && schedule().issues[all[end - 1].issue].free > cycle)
        state.taking = held(all[end - 1], schedule().issues[all[end - 1].issue].free);
    for (std::size_t i = end; i-- > 0 && end - i <= most_inside;) {
        const trace::Issue& issue = schedule().issues[all[i].issue];
        if (std::max(issue.ready, issue.free) > cycle) ++state.inside;
    }
    return state;
}

std::vector<HeldInstruction> SmStates::queue_at(std::size_t scheduler, Pipe pipe, int places,
                                                std::uint32_t cycle) const {
    std::vector<HeldInstruction> queue;
    const auto& all = entries(scheduler, pipe);
    const std::size_t end = issued_by(all, cycle);
    // An instruction issues only when the one that many places before it has left; some take no place.
    const auto most = 4 * static_cast<std::size_t>(std::max(places, 1));
    for (std::size_t i = end - std::min(end, most); i < end; ++i)
        if (schedule().issues[all[i].issue].free > cycle)
            queue.push_back(held(all[i], schedule().issues[all[i].issue].free));
    return queue;
}

std::uint8_t SmStates::counting(std::uint32_t warp, std::uint32_t cycle) const {
    if (warp >= setters_.size()) return 0;
    const auto& setters = setters_[warp];
    const auto after = std::ranges::upper_bound(setters, cycle, {},
                                                [&](std::uint32_t i) { return schedule().issues[i].cycle; });
    const auto end = static_cast<std::size_t>(after - setters.begin());
    unsigned counting = 0;
    for (std::size_t i = end; i-- > 0 && end - i <= most_counted;) {
        const trace::Issue& issue = schedule().issues[setters[i]];
        const trace::SiteScoreboards& sets = schedule().site_scoreboards[issue.site()];
        if (sets.write < scoreboard_count && issue.ready > cycle) counting |= 1u << sets.write;
        const std::uint32_t was_read =
            issue.cycle + static_cast<std::uint32_t>(std::max(timing_.operand_read_latency, 0));
        if (sets.read < scoreboard_count && was_read > cycle) counting |= 1u << sets.read;
    }
    return static_cast<std::uint8_t>(counting);
}

SlotState SmStates::slot_at(std::size_t row, std::uint32_t cycle) const {
    SlotState slot;
    if (cycle >= sums_->cycles()) return slot;
    const std::uint32_t index = sums_->warp_at(row, cycle);
    if (index == no_index) return slot;
    const trace::ScheduledWarp& warp = schedule().warps[index];
    const trace::StateSpan* span = trace::span_at(schedule(), warp, cycle);
    if (span == nullptr) return slot;
    slot = {index, span->state(), span->site(), span->begin, trace::end_of(schedule(), warp, *span)};
    slot.counting = counting(index, cycle);
    const bool waits = slot.state == WarpState::short_scoreboard || slot.state == WarpState::long_scoreboard;
    if (waits && slot.site < schedule().site_scoreboards.size())
        slot.waited = static_cast<std::uint8_t>(slot.counting & schedule().site_scoreboards[slot.site].waits);
    return slot;
}

SmState SmStates::at(std::uint32_t cycle) const {
    SmState state;
    state.cycle = cycle;
    const trace::Schedule& of = schedule();
    state.schedulers.resize(static_cast<std::size_t>(std::max(of.schedulers, 0)));
    for (std::size_t row = 0; row < sums_->rows().size(); ++row) {
        const SlotRow& place = sums_->rows()[row];
        if (place.scheduler >= state.schedulers.size()) continue;
        SchedulerState& scheduler = state.schedulers[place.scheduler];
        if (scheduler.slots.size() <= place.slot) scheduler.slots.resize(place.slot + std::size_t{1});
        SlotState& slot = scheduler.slots[place.slot] = slot_at(row, cycle);
        if (slot.warp != no_index && slot.state == WarpState::selected) scheduler.issuing = slot.warp;
    }
    if (has_units())
        for (std::size_t s = 0; s < state.schedulers.size(); ++s) {
            SchedulerState& scheduler = state.schedulers[s];
            for (std::size_t pipe = 0; pipe < pipe_count; ++pipe) {
                const auto which = static_cast<Pipe>(pipe);
                if (has_no_queue(which)) scheduler.pipes[pipe] = pipe_at(s, which, cycle);
            }
            scheduler.mio_queue = queue_at(s, Pipe::mio, timing_.mio_queue, cycle);
            scheduler.lsu_queue = queue_at(s, Pipe::lsu, timing_.lsu_queue, cycle);
        }
    for (std::uint32_t b = 0; b < of.blocks.size() && of.blocks[b].arrival <= cycle; ++b)
        if (of.blocks[b].departure > cycle) state.blocks.push_back(b);
    for (std::size_t by = 0; by < issued_.size(); ++by) {
        const auto issued = std::ranges::upper_bound(issued_[by], cycle) - issued_[by].begin();
        const auto returned = std::ranges::upper_bound(returned_[by], cycle) - returned_[by].begin();
        state.in_flight[by] = static_cast<std::uint32_t>(issued - returned);
    }
    return state;
}

std::optional<Pipe> SmStates::busiest_pipe() const {
    std::array<std::uint64_t, pipe_count> taken{};
    for (const trace::Issue& issue : schedule().issues)
        if (has_no_queue(issue.pipe()))
            taken[static_cast<std::size_t>(unit_of(issue.pipe()))] += issue.free - issue.cycle;
    const auto most = std::ranges::max_element(taken);
    if (*most == 0) return std::nullopt;
    return static_cast<Pipe>(most - taken.begin());
}

std::vector<std::uint32_t> SmStates::sampled_cycles(std::optional<Pipe> pipe) const {
    std::vector<std::uint32_t> cycles;
    const auto& spans = schedule().spans;
    const std::size_t step = spans.size() / most_sampled + 1;
    for (std::size_t from = 0; from < spans.size(); from += step) {
        // The first issue of each part of the spans.
        const std::size_t end = std::min(from + step, spans.size());
        std::size_t i = from;
        while (i < end && spans[i].state() != WarpState::selected) ++i;
        if (i < end) cycles.push_back(spans[i].begin);
    }
    if (!pipe) return cycles;
    std::size_t issues = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (unit_of(static_cast<Pipe>(i % pipe_count)) == *pipe) issues += entries_[i].size();
    const std::size_t apart = issues / most_sampled + 1;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (unit_of(static_cast<Pipe>(i % pipe_count)) == *pipe)
            for (std::size_t k = 0; k < entries_[i].size(); k += apart)
                cycles.push_back(schedule().issues[entries_[i][k].issue].cycle);
    return cycles;
}

std::uint32_t SmStates::liveliest_cycle() const {
    const std::optional<Pipe> busiest = busiest_pipe();
    std::uint32_t best = 0;
    std::array<std::uint64_t, 4> most{};
    for (const std::uint32_t cycle : sampled_cycles(busiest)) {
        const SmState state = at(cycle);
        std::uint64_t different = 0, held = state.resident_warps(), into_busiest = 0;
        for (const std::uint32_t warps : state.states().values) different += warps > 0 ? 1 : 0;
        for (const std::uint32_t requests : state.in_flight) different += requests > 0 ? 1 : 0;
        for (std::size_t pipe = 0; pipe < pipe_count; ++pipe)
            different += std::ranges::any_of(state.schedulers, [&](const SchedulerState& scheduler) {
                return scheduler.pipes[pipe].inside > 0;
            });
        for (const SchedulerState& scheduler : state.schedulers) {
            held += scheduler.mio_queue.size() + scheduler.lsu_queue.size();
            into_busiest += busiest && issues_into(scheduler, *busiest, cycle) ? 1 : 0;
        }
        const std::array<std::uint64_t, 4> lively{state.issuing_schedulers(), into_busiest, different, held};
        if (lively > most) {
            most = lively;
            best = cycle;
        }
    }
    return best;
}

}  // namespace warplens::analysis
