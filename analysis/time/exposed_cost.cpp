#include "analysis/time/exposed_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "analysis/wording.h"
#include "core/line_of_site.h"

namespace warplens::analysis {
namespace {

/// Cycles per window: their charges stay in the processor's cache.
constexpr std::uint32_t window_cycles = 1 << 14;

/// The sites of one warp's steps, for nearby requests.
class StepSites {
  public:
    StepSites(const trace::Trace& trace, const trace::WarpRecord& warp)
        : trace_(&trace), warp_(&warp), visit_(warp.visits_begin) {}

    /// no_index if the warp has no such step.
    SiteId at(std::uint32_t step) {
        while (step < first_step_) first_step_ -= block(--visit_).site_count;
        for (; visit_ < warp_->visits_end; ++visit_) {
            const BasicBlock& here = block(visit_);
            if (step - first_step_ < here.site_count)
                return here.first_site + static_cast<SiteId>(step - first_step_);
            first_step_ += here.site_count;
        }
        return no_index;
    }

  private:
    const BasicBlock& block(std::uint64_t visit) const {
        return trace_->program.basic_blocks[trace_->visits[visit].basic_block];
    }

    const trace::Trace* trace_;
    const trace::WarpRecord* warp_;
    std::uint64_t visit_;
    std::uint64_t first_step_ = 0;  // of visit_
};

struct ResidentWarp {
    const trace::ScheduledWarp* warp;
    const trace::StateSpan* span;  // the span at the window's begin
    StepSites sites;
};

/// One scheduler's slots, window by window.
class SchedulerSweep {
  public:
    SchedulerSweep(const trace::Trace& trace, const trace::Schedule& schedule, ExposedCost& cost)
        : trace_(trace), schedule_(schedule), cost_(cost) {}

    void run(const std::vector<const trace::ScheduledWarp*>& by_arrival) {
        std::size_t next = 0;
        std::uint32_t begin = 0;
        while (next < by_arrival.size() || !resident_.empty()) {
            if (resident_.empty()) begin = by_arrival[next]->arrival;
            const std::uint32_t end = begin + std::min(window_cycles, no_index - begin);
            for (; next < by_arrival.size() && by_arrival[next]->arrival < end; ++next) {
                const trace::ScheduledWarp& warp = *by_arrival[next];
                resident_.push_back({&warp,
                                     schedule_.spans.data() + warp.spans_begin,
                                     {trace_, trace_.warps[warp.warp_record]}});
            }
            find_empty_slots(begin, end);
            for (ResidentWarp& resident : resident_) charge(resident, begin, end);
            std::erase_if(resident_, [&](const ResidentWarp& warp) { return warp.warp->departure <= end; });
            begin = end;
        }
    }

  private:
    /// Calls use(span, begin, end) for the parts of a warp's spans in the window; returns the last of them.
    template <class Use>
    const trace::StateSpan* for_each_part(const ResidentWarp& resident, std::uint32_t begin,
                                          std::uint32_t end, Use&& use) const {
        const trace::StateSpan* const last = schedule_.spans.data() + resident.warp->spans_end;
        const trace::StateSpan* span = resident.span;
        while (span != last) {
            const std::uint32_t span_end = span + 1 == last ? resident.warp->departure : span[1].begin;
            use(*span, std::max(span->begin, begin), std::min(span_end, end));
            if (span_end >= end) return span_end == end ? span + 1 : span;
            ++span;
        }
        return last;
    }

    /// Fills charge_until_: the charge of a warp that is resident from the window's begin to a cycle.
    void find_empty_slots(std::uint32_t begin, std::uint32_t end) {
        issued_.assign(end - begin, 0);
        change_.assign(end - begin + 1, 0);
        charge_until_.resize(end - begin + 1);
        for (const ResidentWarp& resident : resident_) {
            ++change_[std::max(resident.warp->arrival, begin) - begin];
            --change_[std::min(resident.warp->departure, end) - begin];
            for_each_part(resident, begin, end,
                          [&](const trace::StateSpan& span, std::uint32_t from, std::uint32_t to) {
                              if (span.state() != WarpState::selected) return;
                              std::fill(issued_.begin() + (from - begin), issued_.begin() + (to - begin), 1);
                          });
        }
        int warps = 0;
        double charge = 0, share = 0;
        for (std::uint32_t cycle = 0; cycle < end - begin; ++cycle) {
            if (change_[cycle] != 0) {
                warps += change_[cycle];
                share = warps > 0 ? 1.0 / warps : 0;
            }
            charge_until_[cycle] = charge;
            if (warps > 0 && !issued_[cycle]) {
                charge += share;
                ++cost_.empty_slots;
            }
        }
        charge_until_.back() = charge;
    }

    void charge(ResidentWarp& resident, std::uint32_t begin, std::uint32_t end) {
        resident.span = for_each_part(
            resident, begin, end, [&](const trace::StateSpan& span, std::uint32_t from, std::uint32_t to) {
                const double exposed = charge_until_[to - begin] - charge_until_[from - begin];
                if (span.state() == WarpState::selected) {
                    cost_.sites[span.site()].issues += to - from;
                } else if (span.state() == WarpState::not_selected) {
                    cost_.sites[span.site()].exposed += exposed;
                } else {
                    SiteCost& waited_for = cost_.sites[waited_site(resident.sites, span)];
                    waited_for.waited += to - from;
                    waited_for.exposed += exposed;
                }
            });
    }

    static SiteId waited_site(StepSites& sites, const trace::StateSpan& span) {
        if (span.cause == no_index || span.cause == span.step) return span.site();
        const SiteId site = sites.at(span.cause);
        return site == no_index ? span.site() : site;
    }

    const trace::Trace& trace_;
    const trace::Schedule& schedule_;
    ExposedCost& cost_;
    std::vector<ResidentWarp> resident_;
    std::vector<std::uint8_t> issued_;  // one per cycle of the window
    std::vector<std::int16_t> change_;  // in the number of resident warps
    std::vector<double> charge_until_;
};

}  // namespace

std::string cost_in_words(const SiteCost& cost, Level level, std::string_view of) {
    if (cost.waited == 0) return {};
    const auto exposed = static_cast<std::uint64_t>(std::llround(cost.exposed));
    const std::string waited = counted(cost.waited, "cycle");
    if (exposed == 0)
        return fmt::format("Warps of one SM waited {} for {}, all hidden by other warps (modelled, {}).",
                           waited, of, to_string(level));
    return fmt::format(
        "Warps of one SM waited {} for {} and left {} empty, with nothing else to issue (modelled, {}).",
        waited, of, counted(exposed, "issue slot"), to_string(level));
}

ExposedCost exposed_cost(const trace::Trace& trace, const trace::Schedule& schedule) {
    ExposedCost cost;
    cost.sites.resize(trace.program.sites.size());
    cost.issue_slots = schedule.totals.issue_slots;
    if (schedule.spans.empty()) return cost;  // only totals were requested

    std::vector<std::vector<const trace::ScheduledWarp*>> warps(
        static_cast<std::size_t>(schedule.schedulers));
    for (const trace::ScheduledWarp& warp : schedule.warps)
        if (warp.arrival < warp.departure) warps[warp.scheduler].push_back(&warp);
    for (auto& of_scheduler : warps) {
        std::stable_sort(of_scheduler.begin(), of_scheduler.end(),
                         [](const auto* a, const auto* b) { return a->arrival < b->arrival; });
        SchedulerSweep(trace, schedule, cost).run(of_scheduler);
    }
    return cost;
}

ExposedCost cost_by_ptx(const ExposedCost& cost, const Program& machine, const Program& ptx) {
    std::unordered_map<std::uint32_t, SiteId> of_ptx_line;
    std::map<std::pair<std::string_view, std::uint32_t>, SiteId> of_source_line;
    const auto line_in = [](const Program& program, const Site& site) {
        return std::pair(source_of(program, site), site.line);
    };
    for (SiteId site = 0; site < ptx.sites.size(); ++site) {
        of_ptx_line.try_emplace(ptx.sites[site].ptx_line, site);
        of_source_line.try_emplace(line_in(ptx, ptx.sites[site]), site);
    }
    ExposedCost carried{{}, cost.empty_slots, cost.issue_slots};
    carried.sites.resize(ptx.sites.size());
    for (SiteId site = 0; site < std::min(cost.sites.size(), machine.sites.size()); ++site) {
        const Site& from = machine.sites[site];
        SiteId to = no_index;
        if (const auto at = of_ptx_line.find(from.ptx_line); from.ptx_line != 0 && at != of_ptx_line.end())
            to = at->second;
        else if (const auto line = of_source_line.find(line_in(machine, from));
                 from.line != 0 && line != of_source_line.end())
            to = line->second;
        if (to == no_index) continue;
        carried.sites[to].issues += cost.sites[site].issues;
        carried.sites[to].waited += cost.sites[site].waited;
        carried.sites[to].exposed += cost.sites[site].exposed;
    }
    return carried;
}

SiteCost cost_of(const ExposedCost& cost, std::span<const SiteId> sites) {
    SiteCost sum;
    for (const SiteId site : sites) {
        if (site >= cost.sites.size()) continue;
        sum.issues += cost.sites[site].issues;
        sum.waited += cost.sites[site].waited;
        sum.exposed += cost.sites[site].exposed;
    }
    return sum;
}

}  // namespace warplens::analysis
