// AccessChoice: which request a memory view shows, and how it steps to the next one. The selection decides
// where it names a request, a site or a source line of the view's kind; otherwise the view keeps what it
// showed, or begins with the worst. Used by the Banks and Sectors views.
#pragma once

#include <cstdint>
#include <optional>

#include "app/scene/request_index.h"
#include "app/scene/selection.h"
#include "trace/trace.h"

namespace warplens::app {

struct AccessChoice {
    SiteId site = no_index;
    std::uint64_t access = no_access;
    std::uint32_t warp_record = no_index;
    std::uint32_t occurrence = 0;   // this is the n-th request of its site by its warp, 0 first
    std::uint32_t occurrences = 0;  // how many there are

    friend bool operator==(const AccessChoice&, const AccessChoice&) = default;
};

/// What to show. Nothing when the index holds no request.
std::optional<AccessChoice> choose_access(const RequestIndex& index, const trace::Trace& trace,
                                          const Spot& chosen, const std::optional<AccessChoice>& shown);
/// The choice that shows exactly this request.
AccessChoice choice_of(const RequestIndex& index, const trace::Trace& trace, std::uint64_t access);

enum class AccessStep { site, warp, occurrence };
/// The next choice in one direction (`by` is +1 or -1); the same one at an end.
AccessChoice step_choice(const RequestIndex& index, const trace::Trace& trace, const AccessChoice& choice,
                         AccessStep step, int by);

/// The spot that selects this choice everywhere.
Spot spot_of(const trace::Trace& trace, const AccessChoice& choice, int lane = -1);

}  // namespace warplens::app
