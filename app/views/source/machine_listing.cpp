#include "app/views/source/machine_listing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/ui/number.h"
#include "app/ui/tooltip.h"
#include "app/views/source/listing.h"

namespace warplens::app {
namespace {

constexpr std::uint32_t code_bytes = 16;  // of one instruction

std::string offset_text(SiteId site) { return fmt::format("{:04x}", site * code_bytes); }

std::string per_request(std::uint64_t sum, std::uint64_t requests) {
    return fmt::format("{:.3g}", static_cast<double>(sum) / static_cast<double>(requests));
}

double share_beyond(std::uint64_t sum, std::uint64_t ideal) {
    return sum > ideal ? 1 - static_cast<double>(ideal) / static_cast<double>(sum) : 0;
}

std::array<HeatCell, heat_columns> heat_of_instruction(const analysis::SiteReport& site, std::uint64_t most) {
    std::array<HeatCell, heat_columns> heat;
    if (site.steps == 0) return heat;
    heat[0].text = compact(static_cast<double>(site.steps));
    heat[0].amount = static_cast<double>(site.steps) / static_cast<double>(most);
    heat[1].text = fmt::format("{:.3g}", site.mean_executed_lanes());
    heat[1].cost = 1 - site.mean_executed_lanes() / 32;
    const analysis::AccessTotals& access = site.access;
    if (access.sectors > 0)
        heat[2] = {share_beyond(access.sectors, access.ideal_sectors),
                   per_request(access.sectors, access.requests)};
    if (access.wavefronts > 0)
        heat[3] = {share_beyond(access.wavefronts, access.ideal_wavefronts),
                   per_request(access.wavefronts, access.requests)};
    return heat;
}

/// Warp-cycles in which a warp waited to issue the instruction.
std::uint64_t waited(const ByWarpState<std::uint64_t>& states) {
    std::uint64_t sum = 0;
    for (const WarpStateInfo& row : warp_states)
        if (row.state != WarpState::selected) sum += states[row.state];
    return sum;
}

/// The states in which warps waited to issue it, the longest first.
std::vector<WarpState> waits_of(const ByWarpState<std::uint64_t>& states) {
    std::vector<WarpState> waits;
    for (const WarpStateInfo& row : warp_states)
        if (row.state != WarpState::selected && states[row.state] > 0) waits.push_back(row.state);
    std::ranges::stable_sort(waits, std::greater{}, [&](WarpState state) { return states[state]; });
    return waits;
}

const trace::Schedule* schedule_of(const MachineCode& code) {
    return code.timing ? code.timing->schedule.get() : nullptr;
}

/// What the timing model says of each instruction: the empty issue slots that it is charged with, and what
/// warps waited for before it issued.
void attach_times(const MachineCode& code, std::vector<CodeLine>& lines) {
    const trace::Schedule* schedule = schedule_of(code);
    if (!schedule || schedule->site_states.size() < lines.size()) return;
    std::uint64_t most = 1;
    for (const auto& states : schedule->site_states) most = std::max(most, waited(states));
    const analysis::ExposedCost& cost = code.timing->cost;
    for (SiteId site = 0; site < lines.size(); ++site) {
        const double exposed = site < cost.sites.size() ? cost.sites[site].exposed : 0;
        if (exposed >= 0.5 && cost.issue_slots > 0)
            lines[site].heat[exposed_slots_column] = {
                std::min(1.0, exposed / static_cast<double>(cost.issue_slots) / worst_exposed_share),
                compact(exposed)};
        HeatCell& bar = lines[site].heat[waits_column];
        const auto& states = schedule->site_states[site];
        for (const WarpState state : waits_of(states))
            bar.parts.push_back({state, static_cast<double>(states[state]) / static_cast<double>(most)});
        if (!bar.parts.empty()) bar.text = compact(static_cast<double>(waited(states)));
    }
}

/// "Global memory result: 1,234 cycles (56 %)"
std::vector<std::string> wait_lines(const MachineCode& code, SiteId site) {
    std::vector<std::string> lines;
    const auto& states = schedule_of(code)->site_states[site];
    const double all = static_cast<double>(std::max<std::uint64_t>(waited(states), 1));
    for (const WarpState state : waits_of(states))
        lines.push_back(fmt::format("{}: {} ({})", info(state).title, counted(states[state], "warp-cycle"),
                                    percent(static_cast<double>(states[state]) / all)));
    return lines;
}

std::string instruction_words(const MachineCode& code, SiteId site) {
    return fmt::format("`{}` at {}", code.program.sites[site].opcode, offset_text(site));
}

/// "waits for scoreboard 2: result of LDG.E at 0090"
std::vector<std::string> scoreboard_lines(const MachineCode& code, SiteId site) {
    std::vector<std::string> lines;
    const auto add = [&](const char* words, const ScoreboardArc& arc, SiteId other) {
        lines.push_back(fmt::format("{} scoreboard {}: {} {} at {}", words, arc.scoreboard,
                                    arc.of_sources ? "sources of" : "result of",
                                    code.program.sites[other].opcode, offset_text(other)));
    };
    for (const ScoreboardArc& arc : code.arcs) {
        if (arc.waiter == site) add("waits for", arc, arc.setter);
        if (arc.setter == site)
            lines.push_back(fmt::format("sets scoreboard {} when {}; {} at {} waits", arc.scoreboard,
                                        arc.of_sources ? "its sources were read" : "its result is written",
                                        code.program.sites[arc.waiter].opcode, offset_text(arc.waiter)));
    }
    return lines;
}

}  // namespace

CodeListing machine_listing(const MachineCode& code) {
    CodeListing listing;
    std::uint64_t most = 1;
    for (const analysis::SiteReport& site : code.report->sites) most = std::max(most, site.steps);
    for (SiteId id = 0; id < code.program.sites.size(); ++id) {
        CodeLine line;
        line.number = id + 1;
        line.label = offset_text(id);
        line.text = code.program.sites[id].text;
        line.has_sites = true;
        if (id < code.report->sites.size()) line.heat = heat_of_instruction(code.report->sites[id], most);
        if (id < code.live_registers.size())
            line.heat[live_column].text = fmt::format("{}", code.live_registers[id]);
        line.heat[stall_column].text = fmt::format("{}", code.stall_counts[id]);
        listing.lines.push_back(std::move(line));
    }
    attach_times(code, listing.lines);
    for (const analysis::MergedAccess& merged : code.merged)
        listing.lines[merged.machine].text += "  // " + analysis::merge_words(merged, code.program);
    for (const Problem& problem : code.report->problems)
        if (problem.site < listing.lines.size()) listing.lines[problem.site].marked = true;
    for (const ScoreboardArc& arc : code.arcs)
        listing.arcs.push_back({arc.setter, arc.waiter, arc.scoreboard, arc.of_sources});
    return listing;
}

std::string machine_words(const MachineCode& code) {
    return fmt::format("{} · {} · {} · exact, machine level", code.target,
                       counted(code.registers_per_thread, "register"),
                       counted(code.program.sites.size(), "instruction"));
}

std::string merge_comment(const MachineCode& code, SiteId ptx_site) {
    for (const analysis::MergedAccess& merged : code.merged) {
        if (std::ranges::find(merged.ptx, ptx_site) == merged.ptx.end()) continue;
        const std::string& opcode = code.program.sites[merged.machine].opcode;
        return merged.ptx.size() > 1 ? fmt::format("  // with {} more → 1 {}", merged.ptx.size() - 1, opcode)
                                     : fmt::format("  // {} executions → 1 {}", merged.executions, opcode);
    }
    return {};
}

void explain_instruction(const Theme& theme, const MachineCode& code, SiteId site, int column) {
    const analysis::SiteReport& counts = code.report->sites[site];
    const analysis::AccessTotals& access = counts.access;
    std::vector<std::string> lines;
    std::string sentence;
    const bool modelled =
        column == static_cast<int>(waits_column) || column == static_cast<int>(exposed_slots_column);
    if (modelled) {
        sentence = fmt::format("Warps waited {} to issue {}.",
                               counted(waited(schedule_of(code)->site_states[site]), "warp-cycle"),
                               instruction_words(code, site));
        lines = wait_lines(code, site);
        const analysis::SiteCost& cost = code.timing->cost.sites[site];
        lines.push_back(
            fmt::format("its own result, queue or barrier left {} empty",
                        counted(static_cast<std::uint64_t>(std::llround(cost.exposed)), "issue slot")));
    } else if (column == static_cast<int>(stall_column) || column == arc_column) {
        sentence = fmt::format("After {} its warp waits at least {}: the stall count of the instruction.",
                               instruction_words(code, site), counted(code.stall_counts[site], "cycle"));
        lines = scoreboard_lines(code, site);
    } else if (column == static_cast<int>(live_column)) {
        sentence = fmt::format("{} registers hold a value that is still needed; the kernel has {}.",
                               code.live_registers[site], code.registers_per_thread);
    } else {
        const std::string active = decimal(counts.mean_active_lanes()),
                          executed = decimal(counts.mean_executed_lanes());
        sentence = fmt::format("{}: {}, {} of 32 lanes active on average{}.", instruction_words(code, site),
                               counted(counts.steps, "execution"), active,
                               executed == active ? "" : ", " + executed + " with their predicate on");
        if (access.sectors > 0)
            lines.push_back(fmt::format("{} sectors / {} requests = {} (ideal {})", grouped(access.sectors),
                                        grouped(access.requests),
                                        per_request(access.sectors, access.requests),
                                        per_request(access.ideal_sectors, access.requests)));
        if (access.wavefronts > 0)
            lines.push_back(fmt::format("{} wavefronts / {} requests = {} (ideal {})",
                                        grouped(access.wavefronts), grouped(access.requests),
                                        per_request(access.wavefronts, access.requests),
                                        per_request(access.ideal_wavefronts, access.requests)));
    }
    lines.emplace_back(modelled ? "modelled, machine level" : "exact, machine level");
    tooltip_card(theme, sentence, lines);
}

}  // namespace warplens::app
