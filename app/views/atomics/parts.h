// The drawings of the Atomics view: a request's lanes piled on the addresses that they meet at, round below
// round; the site's requests by their rounds; and the table of sites. Each draws into a box and says what the
// mouse is on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/contention.h"
#include "app/ui/ink.h"
#include "app/views/shared/access_choice.h"

namespace warplens::app {

/// The request arranged for drawing.
struct AtomicRequest {
    analysis::AtomicDetail detail;
    std::vector<std::string> places;  // of detail.addresses: "bins[17]"
};

/// Lanes above, one column per address below, one row per round. Returns the lane under the mouse, or -1.
int draw_atomic_piles(const Ink& ink, const AtomicRequest& request, int focus, int chosen,
                      std::optional<ImVec2> mouse, const Box& box);

/// Bars: how many of the site's requests take how many rounds. Returns the rounds under the mouse.
std::optional<std::size_t> draw_contention(const Ink& ink, const analysis::ContentionHistogram& histogram,
                                           std::uint32_t shown, std::optional<ImVec2> mouse, const Box& box);

/// The sites, most rounds per request first. Returns the row under the mouse.
std::optional<std::size_t> draw_atomic_sites(const Ink& ink, const trace::Trace& trace,
                                             const RequestIndex& index, SiteId shown,
                                             std::optional<ImVec2> mouse, const Box& box);

}  // namespace warplens::app
