// Finding in a timeline: the next place where an instruction issues or a state begins. "ld.global" finds
// instructions by their text, "line 12" or ":12" by their source line, "barrier" states by their name as
// well. No drawing here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/views/timeline/parts.h"

namespace warplens::app {

struct TimelineQuery {
    std::vector<bool> sites;                      // that match, by SiteId
    std::array<bool, warp_state_count> states{};  // whose starts match
    bool finds_something = false;                 // some site or state goes by this name

    bool matches(const trace::StateSpan& span) const {
        if (states[static_cast<std::size_t>(span.state())]) return true;
        return span.state() == WarpState::selected && span.site() < sites.size() && sites[span.site()];
    }
};

TimelineQuery parse_query(std::string_view text, const Program& program);
/// The match nearest to `from` in time, then by warp, that is after it (or before it); nothing when there
/// is none.
std::optional<TimelinePoint> find_match(const trace::Schedule& schedule, const TimelineQuery& query,
                                        const TimelinePoint& from, bool forward);
std::uint64_t count_matches(const trace::Schedule& schedule, const TimelineQuery& query);

}  // namespace warplens::app
