#include "app/views/timeline/find.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "core/number_text.h"
#include "core/trimmed.h"

namespace warplens::app {

namespace {

std::string lower(std::string_view text) {
    std::string made(text);
    for (char& c : made)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return made;
}

/// The number of "line 12" or ":12".
std::optional<std::uint32_t> found_line(std::string_view text) {
    if (text.starts_with("line ")) text.remove_prefix(5);
    else if (text.starts_with(":")) text.remove_prefix(1);
    else return std::nullopt;
    return number_from<std::uint32_t>(trimmed(text));
}

}  // namespace

TimelineQuery parse_query(std::string_view text, const Program& program) {
    TimelineQuery query;
    query.sites.assign(program.sites.size(), false);
    const std::string wanted = lower(trimmed(text));
    if (wanted.empty()) return query;
    const auto line = found_line(wanted);
    for (SiteId id = 0; id < program.sites.size(); ++id) {
        const Site& site = program.sites[id];
        query.sites[id] = line ? site.line == *line : lower(site.text).find(wanted) != std::string::npos;
        query.finds_something = query.finds_something || query.sites[id];
    }
    if (line) return query;
    for (const WarpStateInfo& state : warp_states) {
        const bool named = state.name.find(wanted) != std::string_view::npos ||
                           lower(state.title).find(wanted) != std::string::npos;
        query.states[static_cast<std::size_t>(state.state)] = named;
        query.finds_something = query.finds_something || named;
    }
    return query;
}

std::optional<TimelinePoint> find_match(const trace::Schedule& schedule, const TimelineQuery& query,
                                        const TimelinePoint& from, bool forward) {
    if (!query.finds_something) return std::nullopt;
    // A point without a warp precedes all warps of its cycle.
    const auto place = [](std::uint32_t cycle, std::uint32_t warp) {
        return std::pair(std::int64_t{cycle}, warp == no_index ? std::int64_t{-1} : std::int64_t{warp});
    };
    const auto start = place(from.cycle, from.warp);
    std::optional<TimelinePoint> best;
    for (std::uint32_t w = 0; w < schedule.warps.size(); ++w) {
        const auto spans = trace::spans_of(schedule, schedule.warps[w]);
        const auto begin = std::ranges::lower_bound(spans, from.cycle, {}, &trace::StateSpan::begin);
        if (forward) {
            for (auto at = begin; at != spans.end(); ++at) {
                if (best && at->begin >= best->cycle) break;
                if (place(at->begin, w) <= start || !query.matches(*at)) continue;
                best = TimelinePoint{w, at->begin};
                break;
            }
        } else {
            for (auto at = begin == spans.end() ? begin : begin + 1; at != spans.begin();) {
                --at;
                if (best && at->begin < best->cycle) break;
                if (place(at->begin, w) >= start || !query.matches(*at)) continue;
                best = TimelinePoint{w, at->begin};
                break;
            }
        }
    }
    return best;
}

std::uint64_t count_matches(const trace::Schedule& schedule, const TimelineQuery& query) {
    if (!query.finds_something) return 0;
    return static_cast<std::uint64_t>(
        std::ranges::count_if(schedule.spans, [&](const auto& span) { return query.matches(span); }));
}

}  // namespace warplens::app
