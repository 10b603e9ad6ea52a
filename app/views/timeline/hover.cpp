#include "app/views/timeline/hover.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/ui/number.h"
#include "app/views/timeline/marks.h"

namespace warplens::app {

namespace {

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// "line 6: tile[threadIdx.x] = in[2 * t];", or "PTX line 80" where the source is not known.
std::string line_words(const trace::Trace& trace, const Site& site) {
    if (site.line == 0) return fmt::format("PTX line {}", site.ptx_line);
    if (site.file >= trace.program.sources.size()) return fmt::format("line {}", site.line);
    std::string_view text = trace.program.sources[site.file].text;
    for (std::uint32_t line = 1; line < site.line && !text.empty(); ++line)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    text = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.empty()) return fmt::format("line {}", site.line);
    constexpr std::size_t most = 56;
    return fmt::format("line {}: {}{}", site.line, text.substr(0, most), text.size() > most ? "…" : "");
}

std::string place_of_site(const Site& site) {
    return site.line != 0 ? fmt::format("line {}", site.line) : fmt::format("PTX line {}", site.ptx_line);
}

std::string flight_words(const trace::Flight& flight) {
    return fmt::format("served by {} in {}", to_words(flight.served_by()),
                       counted(flight.returned - flight.issued, "cycle"));
}

/// ": `ld.global.f32` of line 12, issued 412 cycles ago, served by DRAM in 692 cycles"
std::string cause_words(const TimelineIndex& index, const TimelinePoint& point, std::uint32_t cause) {
    std::string words;
    const trace::ScheduledWarp& warp = index.schedule().warps[point.warp];
    const std::uint32_t issued = index.issue_cycle(point.warp, cause);
    if (const trace::StateSpan* span = trace::span_at(index.schedule(), warp, issued))
        if (const Site* site = index.site(span->site()))
            words += fmt::format(": `{}` of {}", site->opcode, place_of_site(*site));
    if (issued != no_index && issued <= point.cycle)
        words += fmt::format(", issued {} ago", counted(point.cycle - issued, "cycle"));
    if (const trace::Flight* flight = index.flight_of(point.warp, cause))
        words += ", " + flight_words(*flight);
    return words;
}

}  // namespace

TimelinePoint point_at(const TimelineCanvas& canvas, ImVec2 at) {
    TimelinePoint point;
    if (!canvas.plot.has(at)) return point;
    point.cycle = static_cast<std::uint32_t>(std::max(canvas.cycle_at(at.x), 0.0));
    const TimelineLine* line = canvas.line_at(at.y);
    if (line && !line->head) point.warp = canvas.index.sums().warp_at(line->row, point.cycle);
    return point;
}

TimelineWords words_of(const TimelineIndex& index, const TimelinePoint& point) {
    TimelineWords words;
    const trace::Schedule& schedule = index.schedule();
    if (point.warp >= schedule.warps.size()) return words;
    const trace::ScheduledWarp& warp = schedule.warps[point.warp];
    const trace::StateSpan* span = trace::span_at(schedule, warp, point.cycle);
    if (!span) return words;
    const std::uint32_t end = trace::end_of(schedule, warp, *span);
    const Site* site = index.site(span->site());
    const std::string who = capitalised(index.warp_sentence(point.warp));
    if (span->state() == WarpState::selected) {
        words.sentence = fmt::format("{} issues `{}`.", who, site ? site->opcode : "an instruction");
        if (const trace::Flight* flight = index.flight_of(point.warp, span->step))
            words.sentence.insert(words.sentence.size() - 1, ", " + flight_words(*flight));
    } else {
        std::string why(info(span->state()).sentence);
        // States whose sentence is about the warp's own doing begin with the verb.
        if (why.starts_with("ready")) why = "is " + why;
        if (why.starts_with("the ") || why.starts_with("its ")) why = "stands: " + why;
        words.sentence = fmt::format("{} {}", who, why);
        if (span->cause != no_index) words.sentence += cause_words(index, point, span->cause);
        words.sentence += ".";
    }
    if (site) {
        const bool issues = span->state() == WarpState::selected;
        words.lines.push_back(fmt::format("{}{}", issues ? "" : "next: ", site->text));
        words.lines.push_back(line_words(index.trace(), *site));
    }
    words.lines.push_back(fmt::format(
        "{} · cycles {} to {}: {}", info(span->state()).name, grouped(span->begin), grouped(end),
        span->begin == point.cycle && end == point.cycle + 1
            ? std::string("this one")
            : fmt::format("{} of {}", grouped(point.cycle - span->begin + 1), grouped(end - span->begin))));
    words.lines.push_back(fmt::format("scheduler {} · slot {}", warp.scheduler, warp.slot));
    return words;
}

TimelineWords issue_slot_words(const TimelineIndex& index, std::uint32_t scheduler, std::uint32_t cycle) {
    TimelineWords words;
    ByWarpState<std::uint32_t> states;
    std::uint32_t resident = 0;
    const auto& rows = index.sums().rows();
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].scheduler != scheduler) continue;
        const std::uint32_t warp = index.sums().warp_at(row, cycle);
        if (warp == no_index) continue;
        const trace::StateSpan* span = trace::span_at(index.schedule(), index.schedule().warps[warp], cycle);
        if (!span) continue;
        ++resident;
        ++states[span->state()];
        if (span->state() != WarpState::selected) continue;
        const Site* site = index.site(span->site());
        words.sentence = fmt::format("Scheduler {} issues `{}` for {}.", scheduler,
                                     site ? site->opcode : "an instruction", index.warp_sentence(warp));
    }
    if (words.sentence.empty())
        words.sentence = resident == 0
                             ? fmt::format("Scheduler {} has no warps and issues nothing.", scheduler)
                             : fmt::format("Scheduler {} issues nothing: none of its {} is eligible.",
                                           scheduler, counted(resident, "warp"));
    words.lines.push_back(fmt::format("cycle {}", grouped(cycle)));
    for (const WarpStateInfo& state : warp_states)
        if (states[state.state] > 0)
            words.lines.push_back(fmt::format("{:>2} {}", states[state.state], state.name));
    return words;
}

}  // namespace warplens::app
